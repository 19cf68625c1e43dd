/** The yields of ad zones for their publisher: fill, viewability and earnings per 1,000 views. */
import { centsOf, decimalOf } from '../money.ts';
import type { ZoneYield } from './publisher-contract.ts';
import { unitCostsOf } from './unit-costs.ts';

export type Requested = { requests: number; filled: number; rendered: number; viewable: number };

/** The share of valid ad requests that a paid ad answered, from 0 to 1; null without requests. */
export const fillOf = ({ requests, filled }: Pick<Requested, 'requests' | 'filled'>): number | null =>
  requests > 0 ? filled / requests : null;

/** The share of rendered ads that became viewable, from 0 to 1; null if none was rendered. */
export const viewableShareOf = ({
  rendered,
  viewable,
}: Pick<Requested, 'rendered' | 'viewable'>): number | null =>
  rendered > 0 ? Math.min(1, viewable / rendered) : null;

export type Yields = Requested & {
  impressions: number;
  amount: string;
  cpm: string | null;
  fill: number | null;
  viewability: number | null;
};

/** Completes the sums of a zone, or of several. */
export function yieldsOf(sums: Requested & { impressions: number; amountCents: number }): Yields {
  const { impressions, amountCents, requests, filled, rendered, viewable } = sums;
  const { cpmCents } = unitCostsOf({ impressions, clicks: 0, amountCents });
  return {
    requests,
    filled,
    rendered,
    viewable,
    impressions,
    amount: decimalOf(amountCents),
    cpm: cpmCents === null ? null : decimalOf(cpmCents),
    fill: fillOf(sums),
    viewability: viewableShareOf(sums),
  };
}

/** The figures of several zones together. Rates are those of the sums, not the means of the rates. */
export function addUp(zones: readonly ZoneYield[]): Yields {
  const sum = (of: (zone: ZoneYield) => number) => zones.reduce((total, zone) => total + of(zone), 0);
  return yieldsOf({
    requests: sum(({ requests }) => requests),
    filled: sum(({ filled }) => filled),
    rendered: sum(({ rendered }) => rendered),
    viewable: sum(({ viewable }) => viewable),
    impressions: sum(({ impressions }) => impressions),
    amountCents: sum(({ amount }) => centsOf(amount)),
  });
}

/** The figures of several zones together, part by part of the period. All zones have the same parts. */
export function courseOf(zones: readonly Pick<ZoneYield, 'course'>[]): ZoneYield['course'] {
  return (zones[0]?.course ?? []).map((_, part) =>
    zones.reduce(
      (sum, { course }) => ({
        requests: sum.requests + course[part]!.requests,
        filled: sum.filled + course[part]!.filled,
        views: sum.views + course[part]!.views,
      }),
      { requests: 0, filled: 0, views: 0 },
    ),
  );
}

/**
 * An estimate of what 1,000 page views of one page of the ad zone earn, in cents: what they earn on average (an ad request is
 * a page view), times how often the ad zone is in view there beside all pages, because visitors who do not see an ad bring
 * nothing. Null without requests or if it was never in view. [RES-101]
 */
export function centsPerThousandPages(
  { requests, amount }: Pick<Yields, 'requests' | 'amount'>,
  viewable: { page: number; all: number },
): number | null {
  if (requests === 0 || viewable.all === 0) return null;
  return Math.round(((centsOf(amount) * 1000) / requests) * (viewable.page / viewable.all));
}

/** '/caf%C3%A9' -> '/café'; as it is where it cannot be decoded. */
export function pathText(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
