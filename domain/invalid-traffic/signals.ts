/**
 * Compares the counted traffic of a zone with human traffic, with the marketplace and with the zone's own past. Two rules
 * withdraw traffic [SIVT-01, SIVT-02]:
 *
 * - No network counts for more than its fair share of a zone. That is the only rule for a single signal, because a
 *   script can imitate everything but the number of its networks.
 * - When two groups of signals agree, the events that look alike are withdrawn.
 *
 * Each bound is chosen so that at most about one honest zone in a hundred exceeds it, except where its audience is
 * special: all visitors of a university come from one network, and all users of a privacy browser look alike. An operator
 * who overrules a withdrawal clears its groups of signals for that website. (docs/decisions/024-withdrawn-traffic.md)
 */
import { DAY_MS } from '../time.ts';
import { distanceFromUsual, type ViewsAndClicks } from '../analytics/click-rate.ts';

/** The hours that one comparison covers, up to and including the last full one. */
export const COMPARED_HOURS = 24;
/** With fewer reported views in these hours, counted or not, shares are too uncertain to compare. */
export const MIN_COMPARED_VIEWS = 30;
/** The same for the browsers and delays of the counted events, which may be a small rest of them. */
const MIN_EVENTS = 20;
/**
 * A visitor who reads several pages causes several events. From this many events on, this alone no longer makes the
 * networks look few.
 */
const MIN_NETWORK_EVENTS = 100;
/** Traffic is withdrawn if this many groups exceed a bound. */
export const AGREEING_GROUPS = 2;
/** A zone with fewer than MIN_COMPARED_VIEWS in a day is compared over a week. */
export const WEEK_HOURS = 7 * COMPARED_HOURS;
/** After an operator has overruled a withdrawal, its groups of signals withdraw nothing from the website for so long. */
export const CLEARED_DAYS = 90;

/**
 * So many views of a zone count from one network in the compared day, or week. A reader loads two pages on average, and
 * one in a thousand more than eight.
 */
const FAIR_VIEWS_OF_A_DAY = 8;
const FAIR_VIEWS_OF_A_WEEK = 20;
/**
 * But a network counts for no more views than a third of the number of networks that visited the zone. So nothing counts
 * in a zone that only one or two networks visit. A zone with three daily readers and six others a day has forty networks in
 * a week.
 */
export const NETWORKS_PER_FAIR_VIEW = 3;
/**
 * A network may count for more where it is at most this part of the views that are within FAIR_VIEWS. So a script cannot
 * raise its share by its own traffic, unless it has as many networks as an audience (MIN_NETWORKS).
 */
export const MAX_SHARE_OF_A_NETWORK = 1 / 30;
/**
 * So many clicks of a zone count from one network in the same time, or a twentieth of its fair views. The advertiser's own
 * clicks from a few networks must not raise the click-through rate, because that would withdraw the clicks of others.
 */
export const FAIR_CLICKS = 2;
export const MAX_CLICKS_OF_FAIR_VIEWS = 1 / 20;

/** The key that tells networks apart changes with this period, so a network is another one in the next period. */
export const NETWORK_KEY_MS = 7 * DAY_MS;

/** How the views of a zone spread over networks. */
export type Networks = {
  /** Of the networks with one key. Where two keys are compared, both figures are those of the key with more. */
  networks: number;
  views: number;
  /** The views within FAIR_VIEWS of each network. */
  spread: number;
};
export type FairShare = { views: number; clicks: number };

/** How many views and clicks of a zone a network may count for. */
export function fairShare({ networks, views, spread }: Networks, hours: number): FairShare {
  const most =
    views < MIN_COMPARED_VIEWS
      ? FAIR_VIEWS_OF_A_DAY // So few views say little about the number of networks.
      : Math.min(fairViewsWithin(hours), Math.floor(networks / NETWORKS_PER_FAIR_VIEW));
  const fair = Math.max(most, Math.floor(spread * MAX_SHARE_OF_A_NETWORK));
  return { views: fair, clicks: Math.max(FAIR_CLICKS, Math.floor(fair * MAX_CLICKS_OF_FAIR_VIEWS)) };
}
export const fairViewsWithin = (hours: number): number =>
  hours > COMPARED_HOURS ? FAIR_VIEWS_OF_A_WEEK : FAIR_VIEWS_OF_A_DAY;

export const SIGNALS = [
  'share',
  'clickShare',
  'network',
  'returning',
  'browser',
  'delay',
  'viewability',
  'hours',
  'clicks',
  'tag',
  'landings',
] as const;
export type Signal = (typeof SIGNALS)[number];

/** Signals of one group have one cause, so they count once. */
const GROUP_OF: Record<Signal, string> = {
  share: 'source',
  clickShare: 'source',
  network: 'source',
  returning: 'source',
  browser: 'browser',
  delay: 'behavior',
  viewability: 'viewability',
  hours: 'behavior',
  clicks: 'clicks',
  tag: 'tag',
  landings: 'landings',
};

/** A signal that exceeds its bound. Both numbers are shown to both sides. */
export type Exceeded = { signal: Signal; value: number; bound: number };

/** How events spread over the values of a trait: their number, and the ordered pairs with the same value. */
export type Spread = { n: number; pairs: number };

export type ZoneTraffic = {
  /** Counted in the compared hours and not withdrawn. The same holds for the following figures. */
  counted: ViewsAndClicks;
  /**
   * The same, with the events beyond the ceiling of a new publisher, because the ceiling does not change how often
   * people click.
   */
  passed: ViewsAndClicks;
  /** How often an ad was served without a filtered or withdrawn view, and how many of these views were reported. */
  served: number;
  seen: number;
  /** Counted views of each of the compared hours. */
  hourly: readonly number[];
  networks: Spread;
  browsers: Spread;
  /** The time from the decision to the view, beyond the time that a view takes, in steps of half an octave. */
  delays: Spread;
  /** Events from networks that were seen on the day before; null if that day had no networks, or too many. */
  returning: { n: number; known: number } | null;
  /**
   * The measured clicks of ads whose page has reported landings on other publishers' websites or before, those of them
   * that landed, and how many would have landed at the usual rate of the page.
   */
  landings: { clicks: number; landed: number; expected: number };
  /** How often the website's tag was fetched. */
  tagLoads: number;
  /** As `passed`, in the weeks before and without the withdrawn events. */
  past: ViewsAndClicks;
  /** Signals that an operator has cleared for this website. */
  cleared: readonly Signal[];
  /** The browsers and delays that each have at least a quarter of the events. */
  usualBrowsers: readonly number[];
  usualDelays: readonly number[];
};

/** Medians of the other publishers; null if fewer than MIN_PUBLISHERS can be compared. */
export type Market = { clickRate: number | null; tagLoadsPerServed: number | null };

/** With fewer publishers, the median could be the rate of a single one. */
export const MIN_PUBLISHERS = 3;

/** Normal quantile: the true value lies beyond the limit in one case of a hundred. */
const ONE_IN_A_HUNDRED = 2.33;

/**
 * The traffic is as concentrated as that of fewer than 30 equally frequent networks (IPv4 /24, IPv6 /48). A site with
 * readers all over a country has hundreds. Proxy pools for rent start at a handful of networks.
 */
const MIN_NETWORKS = 30;
/**
 * The browsers are as concentrated as fewer than two equally frequent ones. User-Agent, languages and client hints of
 * the most frequent browser make up a quarter of a usual audience, which gives five and more.
 */
const MIN_BROWSERS = 2;
/** The same for half-octave steps of the delay: people's reaction times are log-normal and spread over six and more. */
const MIN_DELAYS = 2.5;
/**
 * The viewability of the best formats, such as anchored ads. Averages are 50% to 70%
 * (https://www.marketingcharts.com/digital-76404).
 */
const MAX_VIEWABILITY = 0.9;
/** Nine of ten events come from networks of the day before. On most sites, most readers of a day were not there then. */
const MAX_RETURNING = 0.9;
/**
 * The standard deviation of the hours, relative to their mean and without the part that chance explains. Visits to
 * websites differ by a factor of three and more between night and evening, which gives 0.4 and more.
 */
const MIN_HOURLY_VARIATION = 0.15;
const MIN_VIEWS_OF_A_DAY = 240;
/** The click-through rate is this many times that of the marketplace, and chance does not explain it. */
const MAX_CLICK_RATE_RATIO = 5;
const MIN_CLICKS = 10;
/**
 * No rate below this is compared. Display ads reach 0.05% to 0.1%, and text on small sites more (sources in
 * server/testing/fraud/people.ts).
 */
const USUAL_CLICK_RATE = 0.005;
const UNUSUAL_DISTANCE = 4;
const MIN_PAST_VIEWS = 500;
/**
 * A browser loads the tag at most once an hour, so a visitor would have to load fifty pages an hour to get below this.
 * Only compared where the other publishers' visitors load it: a cache in front of the server hides these requests.
 */
const MIN_TAG_LOADS = 0.02;
const USUAL_TAG_LOADS = 0.1;
const MIN_SERVED = 100;
/**
 * Fewer than a fifth of the landings that are usual for the same pages, and chance does not explain it. Visitors who
 * leave early, and browsers that block the script, lower the rate of every publisher; scripts that do not load the
 * page, or only follow the link, lower it to zero.
 */
const MIN_LANDING_RATIO = 0.2;
/** A page needs this many landings, on other publishers' websites or before, to have a usual rate. */
export const MIN_USUAL_LANDINGS = 20;
/** A click is compared only if its page reported landings before and after it, and was silent for at most so long. */
export const MAX_SILENT_HOURS = 4;

/** The signals of a zone that exceed their bounds, without those that an operator has cleared. */
export function exceededBy(zone: ZoneTraffic, market: Market): Exceeded[] {
  if (zone.seen < MIN_COMPARED_VIEWS) return [];
  const found: (Exceeded | null)[] = [
    below('network', effective(zone.networks, MIN_NETWORK_EVENTS), MIN_NETWORKS),
    zone.returning && above('returning', lowerLimit(zone.returning.known, zone.returning.n), MAX_RETURNING),
    below('browser', effective(zone.browsers, MIN_EVENTS), MIN_BROWSERS),
    below('delay', effective(zone.delays, MIN_EVENTS), MIN_DELAYS),
    above('viewability', lowerLimit(zone.seen, zone.served), MAX_VIEWABILITY),
    zone.counted.views < MIN_VIEWS_OF_A_DAY
      ? null
      : below('hours', variation(zone.hourly), MIN_HOURLY_VARIATION),
    clicks(zone, market),
    tag(zone, market),
    landings(zone),
  ];
  return found.filter((each) => each !== null).filter(({ signal }) => !isCleared(zone, signal));
}

/** Whether an operator has cleared the group of a signal. */
export function isCleared({ cleared }: Pick<ZoneTraffic, 'cleared'>, signal: Signal): boolean {
  return cleared.some((each) => GROUP_OF[each] === GROUP_OF[signal]);
}

/** Events with one of these browsers and one of these delays; null means all. */
export type Alike = { browsers: readonly number[] | null; delays: readonly number[] | null };

/** The events that look alike in the traffic: those of the frequent browsers and delays, if these are signals, or all. */
export function alikeIn(zone: ZoneTraffic, exceeded: readonly Exceeded[]): Alike {
  const has = (signal: Signal) => exceeded.some((each) => each.signal === signal);
  return {
    browsers: has('browser') ? zone.usualBrowsers : null,
    delays: has('delay') ? zone.usualDelays : null,
  };
}

/** Whether enough independent signals agree to withdraw what looks alike. */
export const isInvalid = (exceeded: readonly Exceeded[]): boolean => groupsOf(exceeded) >= AGREEING_GROUPS;

const groupsOf = (exceeded: readonly Exceeded[]): number =>
  new Set(exceeded.map(({ signal }) => GROUP_OF[signal])).size;

/**
 * The number of equally frequent values that would be as concentrated: the inverse of Simpson's unbiased index
 * (https://en.wikipedia.org/wiki/Diversity_index). Null if there are fewer than `min` events.
 */
export function effective({ n, pairs }: Spread, min: number): number | null {
  if (n < min) return null;
  return pairs === 0 ? Infinity : (n * (n - 1)) / pairs;
}

/** Wilson's lower limit of a share, which one sample in a hundred exceeds by chance. Null without a sample. */
export function lowerLimit(part: number, whole: number): number | null {
  if (whole < MIN_COMPARED_VIEWS) return null;
  const share = Math.min(1, part / whole);
  const z2 = ONE_IN_A_HUNDRED ** 2 / whole;
  const middle = share + z2 / 2;
  return (middle - Math.sqrt(z2 * (share * (1 - share) + z2 / 4))) / (1 + z2);
}

/** How much the hours differ beyond chance: the coefficient of variation without the Poisson part. */
export function variation(hourly: readonly number[]): number | null {
  const mean = hourly.reduce((sum, views) => sum + views, 0) / hourly.length;
  if (!(mean > 0)) return null;
  const variance = hourly.reduce((sum, views) => sum + (views - mean) ** 2, 0) / (hourly.length - 1);
  return Math.sqrt(Math.max(0, variance - mean)) / mean;
}

function clicks({ passed, past }: ZoneTraffic, { clickRate }: Market): Exceeded | null {
  if (clickRate === null || passed.clicks < MIN_CLICKS) return null;
  const usual = Math.max(clickRate, USUAL_CLICK_RATE);
  const rate = passed.clicks / passed.views;
  const deviation = Math.sqrt((usual * (1 - usual)) / passed.views);
  if ((rate - usual) / deviation < UNUSUAL_DISTANCE) return null;
  // If the zone has always had such a rate, its audience explains it.
  if (past.views >= MIN_PAST_VIEWS && distanceFromUsual(passed, past) < UNUSUAL_DISTANCE) return null;
  return above('clicks', rate, usual * MAX_CLICK_RATE_RATIO);
}

function tag({ served, tagLoads }: ZoneTraffic, { tagLoadsPerServed }: Market): Exceeded | null {
  if (tagLoadsPerServed === null || tagLoadsPerServed < USUAL_TAG_LOADS || served < MIN_SERVED) return null;
  return below('tag', tagLoads / served, MIN_TAG_LOADS);
}

function landings({ landings: { clicks: measured, landed, expected } }: ZoneTraffic): Exceeded | null {
  if (measured < MIN_CLICKS) return null;
  // Below one, so that the deviation is above zero.
  const usual = Math.min(expected / measured, 0.99);
  const rate = landed / measured;
  const deviation = Math.sqrt((usual * (1 - usual)) / measured);
  if (!((usual - rate) / deviation >= UNUSUAL_DISTANCE)) return null;
  return below('landings', rate, rounded(usual * MIN_LANDING_RATIO));
}

const above = (signal: Signal, value: number | null, bound: number): Exceeded | null =>
  value !== null && value > bound ? { signal, value: rounded(value), bound: rounded(bound) } : null;
const below = (signal: Signal, value: number | null, bound: number): Exceeded | null =>
  value !== null && value < bound ? { signal, value: rounded(value), bound } : null;

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The medians of all publishers but one. */
export function marketOf(
  publishers: readonly { publisherId: number; clickRate: number | null; tagLoadsPerServed: number | null }[],
  without: number,
): Market {
  const others = publishers.filter(({ publisherId }) => publisherId !== without);
  return {
    clickRate: median(others.map(({ clickRate }) => clickRate)),
    tagLoadsPerServed: median(others.map(({ tagLoadsPerServed }) => tagLoadsPerServed)),
  };
}

function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return known.length < MIN_PUBLISHERS ? null : (known[Math.floor(known.length / 2)] as number);
}
