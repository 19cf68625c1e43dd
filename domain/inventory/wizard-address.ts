import { AD_TYPES, type AdType } from '../ads/types.ts';

/**
 * The choices that a link to the wizard 'Create Ad' can make, as the names in its address. The wizard asks for none of
 * them again. `website` and `zone` are the public ids of an ad-space link; the others go with both.
 */
export type WizardChoices = {
  website: string;
  zone?: string | undefined;
  /** Without it: text, or the first type that the ad zone sells. */
  type?: AdType | undefined;
  /** The id of a pricing option. With it and without `step`, the link leads to the last step. */
  option?: number | undefined;
  /** How many units of the option; without it, the smallest quantity. */
  quantity?: number | undefined;
  /** The first day (UTC), such as '2026-12-03'; without it, the ad starts when it is paid for. */
  start?: string | undefined;
  step?: 1 | 2 | 3 | undefined;
};

export function wizardAddress(choices: WizardChoices): string {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return `/create-ad?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Text, with which the wizard begins by the specification. */
const [DEFAULT_TYPE] = AD_TYPES;

/** The type with which the wizard begins in an ad zone that sells these types: text if it can. [OP-051] */
export function firstType(sold: Iterable<AdType>): AdType {
  const types = new Set(sold);
  return AD_TYPES.find((type) => types.has(type)) ?? DEFAULT_TYPE;
}

/** The address of an ad zone. It names the type only where the default, text, is not sold. */
export function adSpaceAddress(website: string, zone: string, sold: Iterable<AdType>): string {
  const type = firstType(sold);
  return wizardAddress({ website, zone, type: type === DEFAULT_TYPE ? undefined : type });
}
