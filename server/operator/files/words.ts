/** Parts of a file in words, for the console and the command line. */
import { shortPercentText } from '#domain/format.ts';
import { instantText } from '#server/platform/http/dates.ts';
import type { CancelsOfPerson } from '#server/money/refunds/cancelling/cancel-terms.ts';
import type { Proofs } from './store.ts';
import type { Traffic } from './thing-file.ts';

const percent = (share: number | null) => (share === null ? '–' : shortPercentText(share));

export function trafficText({ views, clicks, requests, fill, invalidShare }: Traffic): string {
  return [
    ...(requests === null ? [] : [`${requests} ad requests`, `fill ${percent(fill)}`]),
    `${views} views`,
    `${clicks} clicks`,
    `invalid ${percent(invalidShare)}`,
  ].join(', ');
}

export const cancelsText = ({ counted, allowed, nextAt }: CancelsOfPerson): string =>
  `${counted} of ${allowed}${nextAt === null ? '' : `, the next one from ${instantText(nextAt)} on`}`;

const PROOFS = { embedCode: 'embed code', adsTxt: 'ads.txt', metaTag: 'meta tag', dns: 'DNS' } as const;

/** The proofs that the last check has found, and what the website is because of them. */
export function proofsText(proofs: Proofs): string {
  if (proofs.vouchedAt !== null) return 'verified by an operator';
  const state = proofs.verifiedAt === null ? 'not verified' : 'verified';
  if (proofs.checkedAt === null) return `${state}, not checked yet`;
  const found = (Object.keys(PROOFS) as (keyof typeof PROOFS)[]).filter((name) => proofs[name] === null);
  return `${state}, found: ${found.length === 0 ? 'none' : found.map((name) => PROOFS[name]).join(', ')}`;
}
