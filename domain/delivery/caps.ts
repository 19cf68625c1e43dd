import type { BilledKind, Reason } from './reasons.ts';

/** The maximum of billed events, by kind, in a minute and in a UTC day. */
type Cap = {
  reason: Reason;
  perMinute?: Record<BilledKind, number>;
  perDay?: Record<BilledKind, number>;
};

/**
 * The velocity caps of the production rules, beside those of a visitor in judge.ts. docs/decisions/019-traffic-rules.md
 * derives each number. An ad zone with more counted views than WEBSITE_VIEWS_PER_DAY has proportionally higher caps,
 * except for a visitor. Minutes and days begin by the clock. [IVT-04]
 */
export const CAPS = {
  /** A browser in a network, on a website. */
  visitor: { reason: 'activity', perMinute: { view: 30, click: 3 } },
  /** An IPv4 /24 or IPv6 /48, on a website. */
  network: {
    reason: 'network_cap',
    perMinute: { view: 60, click: 6 },
    perDay: { view: 5000, click: 100 },
  },
  /** The IPv4 /16 or IPv6 /32 around it, on a website. */
  wideNetwork: {
    reason: 'network_cap',
    perMinute: { view: 600, click: 60 },
    perDay: { view: 50_000, click: 1000 },
  },
  /** A network's visitors with the same kind of browser, on an ad. New names and versions of browsers do not raise it. */
  browser: { reason: 'browser_cap', perDay: { view: 150, click: 6 } },
  /**
   * A network's video players, on a website. A player runs no script, so it cannot prove that it rendered the ad. A
   * network has as many views of players in a day as it may have of pages in a minute. [IVT-10]
   */
  player: { reason: 'network_cap', perDay: { view: 60, click: 6 } },
  /** An ad, from everywhere. */
  ad: {
    reason: 'ad_cap',
    perMinute: { view: 300, click: 30 },
    perDay: { view: 100_000, click: 2000 },
  },
  /** All websites of a publisher. */
  publisher: {
    reason: 'publisher_cap',
    perMinute: { view: 1500, click: 150 },
    perDay: { view: 500_000, click: 10_000 },
  },
} as const satisfies Record<string, Cap>;
export type CapName = keyof typeof CAPS;

/**
 * When an ad has used half of its views or clicks of a minute, a network that has had this part of them gets no more. So
 * a script on a few networks cannot use up the room of the others.
 */
export const CROWDED = 1 / 2;
export const MAX_NETWORK_SHARE_OF_AN_AD = 1 / 60;

/** Up to this many counted views per day, an ad zone has the caps as written. */
export const WEBSITE_VIEWS_PER_DAY = 20_000;

/**
 * Each of several instances counts up to this part of a day's cap, because the instances do not share their memory. If
 * all of an attacker's requests are spread over N instances, less than twice the cap counts. If all visitors of a
 * network reach the same instance, it lets at least 2/(N + 1) of the cap count.
 */
export function dayShare(instances: number): number {
  return 2 / (instances + 1);
}

/**
 * The factor by which the caps of an ad zone with these counted views per day are higher, and 1 if they are unknown.
 */
export function capScale(measuredViewsPerDay: number): number {
  return Math.max(1, measuredViewsPerDay / WEBSITE_VIEWS_PER_DAY);
}
