/** The parts of a player's day: readers, people who are paid to click, and scripts. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import {
  addressIn,
  anyBrowser,
  type Browser,
  logNormal,
  network,
  phone,
  pick,
  type Random,
  READING_HOURS,
  weighted,
  WORKING_HOURS,
} from './people.ts';
import type { SoldByDay } from './by-day.ts';
import type { Visit } from './visit.ts';
import type { Signal } from '#domain/invalid-traffic/signals.ts';

/**
 * The exercise's expectation of a player. 'script': nothing is billed, because it proves no view. 'headless': at most 5%.
 * 'adaptive': at most 10%, and nothing from one line. 'slow': at most 2% of a week. 'ceiling': never more than the
 * publisher's ceiling. 'honest': at most 2% is withdrawn. 'tiny': an audience of few people, of which at least 90% is
 * billed. 'rival': at most 5% of the honest views and clicks are lost. 'ruin': a rival moves no published figure by more than
 * 5 points, or 5% of the views a day. 'unearned': an ad by the day earns nothing, 'earned': all of it. 'left': a figure that
 * no rule reaches, shown as it is.
 */
export type Kind =
  | 'script'
  | 'headless'
  | 'adaptive'
  | 'slow'
  | 'ceiling'
  | 'tiny'
  | 'honest'
  | 'rival'
  | 'ruin'
  | 'unearned'
  | 'earned'
  | 'left';

export type Player = {
  name: string;
  kind: Kind;
  /** The publisher's own figure. */
  monthlyVisitors: number;
  /** The paid views of a day in the months before; null for a new publisher. */
  usualViews: number | null;
  /** The least part of the visits from which the expectation can be judged. A fair share does not shrink with them. */
  minSize?: number;
  /** The signal of this audience that an operator has cleared. */
  cleared?: Signal;
  /** The behavior of the publisher's visitors, or of the publisher's script, in the days that are played. */
  visits: (random: Random, size: number) => Visit[];
  /** How many days the player plays, up to and including the day of all players. One if not set. */
  days?: number;
  /** An ad by the day that the publisher sells in a third ad zone, before the first visit. */
  byDay?: SoldByDay;
  /** What somebody else sends to this publisher, in addition. */
  attack?: (random: Random, size: number) => Visit[];
};

/** A random time of the day. `hours` are the weights of the hours. */
export function timeOf(random: Random, hours: readonly number[]): number {
  return weighted(random, hours) * HOUR_MS + random() * HOUR_MS;
}

/**
 * A reader's view of an ad. The tag requests it when its zone comes near the screen. Text is rendered within the time
 * of the answer and is viewable a second later, unless the reader has to scroll, or leaves.
 */
function reading(
  random: Random,
  viewability = 0.6,
  clickRate = 0.003,
): Pick<Visit, 'viewAfterMs' | 'renderedAfterMs' | 'clickAfterMs'> {
  if (random() >= viewability) {
    const left = random() < 0.8 ? logNormal(random, 1500, 1) : null;
    return { viewAfterMs: null, renderedAfterMs: left, clickAfterMs: null };
  }
  const scrolls = random() < 0.5 ? logNormal(random, 4000, 1) : 0;
  const viewAfterMs = 1000 + logNormal(random, 220, 0.6) + scrolls;
  const clicks = random() < clickRate;
  return {
    viewAfterMs,
    renderedAfterMs: null,
    clickAfterMs: clicks ? viewAfterMs + logNormal(random, 3500, 0.8) : null,
  };
}

/** Readers who come once or more: each has an address and a browser, and the tag is in the cache for an hour. */
export function readers(
  random: Random,
  pages: number,
  how: {
    hours?: readonly number[];
    networkOf?: (random: Random) => string;
    browserOf?: (random: Random) => Browser;
    viewability?: number;
    clickRate?: number;
    /** How many other pages a reader loads, on average. */
    more?: number;
    /** The share of clicks after which the client waits for the advertiser's page. */
    landingRate?: number;
  } = {},
): Visit[] {
  const { hours = READING_HOURS, networkOf = network, browserOf = anyBrowser } = how;
  const { more = 0.8, landingRate = 0.85 } = how;
  const visits: Visit[] = [];
  while (visits.length < pages) {
    const browser = browserOf(random);
    const address = addressIn(random, networkOf(random));
    let atMs = timeOf(random, hours);
    let loadsTag = true;
    do {
      const read = reading(random, how.viewability, how.clickRate);
      const lands = read.clickAfterMs !== null && random() < landingRate;
      visits.push({ atMs, address, browser, sends: 'browser', loadsTag, laysOut: true, ...read, lands });
      loadsTag = false;
      atMs += logNormal(random, 60 * SECOND_MS, 0.9);
    } while (random() < more / (1 + more) && atMs < DAY_MS - 5 * MINUTE_MS);
  }
  return visits;
}

/** People who are paid to click, on their phones in six networks. */
export function clickFarm(random: Random, size: number, how: { landingRate?: number } = {}): Visit[] {
  const from = networks(random, 6);
  return readers(random, 3000 * size, {
    hours: WORKING_HOURS,
    networkOf: (each) => pick(each, from),
    browserOf: phone,
    viewability: 0.9,
    clickRate: 0.15,
    more: 6,
    ...how,
  });
}

/** A program that reports each ad it gets, and clicks some. */
export function scripted(
  random: Random,
  pages: number,
  how: {
    atMs: (random: Random) => number;
    address: (random: Random) => string;
    browser: (random: Random) => Browser;
    sends: Visit['sends'];
    waitMs: (random: Random) => number;
    clickRate: number;
    /** Whether a browser makes the requests. */
    laysOut?: boolean;
  },
): Visit[] {
  return Array.from({ length: pages }, () => {
    const viewAfterMs = how.waitMs(random);
    return {
      atMs: how.atMs(random),
      address: how.address(random),
      browser: how.browser(random),
      sends: how.sends,
      loadsTag: false,
      laysOut: how.laysOut ?? false,
      viewAfterMs,
      renderedAfterMs: null,
      clickAfterMs: random() < how.clickRate ? viewAfterMs + 500 + random() * 1500 : null,
    };
  });
}

/** The visits of each of these days. */
export function eachDay(days: number, of: (day: number) => Visit[]): Visit[] {
  return Array.from({ length: days }, (_, day) =>
    of(day).map((visit) => ({ ...visit, atMs: day * DAY_MS + visit.atMs })),
  ).flat();
}

export const allDay = (random: Random): number => random() * (DAY_MS - MINUTE_MS);
/** A minute of the morning, as fast as the script can. */
export const inAMinute = (random: Random): number => 9 * HOUR_MS + random() * MINUTE_MS;

export function networks(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => network(random));
}

/** Addresses of a proxy service, each in a network of its own. */
export function proxies(random: Random, count: number): (random: Random) => string {
  const addresses = networks(random, count).map((each) => addressIn(random, each));
  return () => pick(random, addresses);
}
