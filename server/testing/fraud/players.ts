/**
 * Publishers, honest and dishonest, and what happens on their sites within a day. The dishonest ones follow what has
 * been published about ad fraud and know nothing of the rules of this server:
 *
 * - One line with a loop, and copied headers: the 'simple bots' of the MRC's general invalid traffic.
 * - Proxies and residential addresses, day and night, with invented users: '3ve', which used data centers and infected
 *   home computers (https://security.googleblog.com/2018/11/industry-collaboration-leads-to.html, with a white paper).
 * - An automated browser that runs the page and waits like a reader: bots of the kind that Sadeghpour and Vlajic survey
 *   ('Click Fraud in Digital Advertising', Computers 10(12), 2021, https://doi.org/10.3390/computers10120164).
 * - People who are paid to click, and click-spam of small publishers: Dave, Guha and Zhang, 'Measuring and
 *   Fingerprinting Click-Spam in Ad Networks', SIGCOMM 2012, https://doi.org/10.1145/2342356.2342394.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import {
  addressIn,
  anyBrowser,
  type Browser,
  HEADLESS,
  logNormal,
  network,
  phone,
  pick,
  PRIVACY_BROWSER,
  type Random,
  READING_HOURS,
  weighted,
  WORKING_HOURS,
} from './people.ts';
import type { Visit } from './visit.ts';

/**
 * The exercise's expectation of a player. 'script': at most 1% is billed after the hourly job. 'headless': at most 5%.
 * 'ceiling': never more than the publisher's daily ceiling. 'honest': at most 2% is withdrawn.
 */
export type Kind = 'script' | 'headless' | 'ceiling' | 'honest';

export type Player = {
  name: string;
  kind: Kind;
  /** The publisher's own figure. */
  monthlyVisitors: number;
  /** Whether the publisher has sold for months, so that no ceiling of a new publisher applies. */
  established: boolean;
  visits: (random: Random, size: number) => Visit[];
};

/** A random time of the day. `hours` are the weights of the hours. */
function timeOf(random: Random, hours: readonly number[]): number {
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
function readers(
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
      visits.push({ atMs, address, browser, sends: 'browser', loadsTag, ...read, lands });
      loadsTag = false;
      atMs += logNormal(random, 60 * SECOND_MS, 0.9);
    } while (random() < more / (1 + more) && atMs < DAY_MS - 5 * MINUTE_MS);
  }
  return visits;
}

/** People who are paid to click, on their phones in six networks. */
function clickFarm(random: Random, size: number, how: { landingRate?: number } = {}): Visit[] {
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

/** A script that reports each ad it gets, and clicks some. */
function scripted(
  random: Random,
  pages: number,
  how: {
    atMs: (random: Random) => number;
    address: (random: Random) => string;
    browser: (random: Random) => Browser;
    sends: Visit['sends'];
    waitMs: (random: Random) => number;
    clickRate: number;
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
      viewAfterMs,
      renderedAfterMs: null,
      clickAfterMs: random() < how.clickRate ? viewAfterMs + 500 + random() * 1500 : null,
    };
  });
}

const allDay = (random: Random): number => random() * (DAY_MS - MINUTE_MS);
/** A minute of the morning, as fast as the script can. */
const inAMinute = (random: Random): number => 9 * HOUR_MS + random() * MINUTE_MS;

function networks(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => network(random));
}

/** Addresses of a proxy service, each in a network of its own. */
function proxies(random: Random, count: number): (random: Random) => string {
  const addresses = networks(random, count).map((each) => addressIn(random, each));
  return () => pick(random, addresses);
}

export const PLAYERS: readonly Player[] = [
  {
    name: 'one home line, a loop with curl’s manners',
    kind: 'script',
    monthlyVisitors: 20_000,
    established: false,
    visits: (random, size) => {
      const browser = anyBrowser(random);
      return scripted(random, 1500 * size, {
        atMs: allDay,
        address: proxies(random, 1),
        browser: () => browser,
        sends: 'script',
        waitMs: () => 1100,
        clickRate: 0.05,
      });
    },
  },
  {
    name: 'one home line with Global Privacy Control',
    kind: 'script',
    monthlyVisitors: 20_000,
    established: false,
    visits: (random, size) => {
      const { userAgent, fixed } = anyBrowser(random);
      const browser = { userAgent, fixed: { ...fixed, 'sec-gpc': '1' } };
      return scripted(random, 1500 * size, {
        atMs: inAMinute,
        address: proxies(random, 1),
        browser: () => browser,
        sends: 'browser',
        waitMs: (each) => 1050 + each() * 200,
        clickRate: 0.1,
      });
    },
  },
  {
    name: 'one home line with copied headers',
    kind: 'script',
    monthlyVisitors: 20_000,
    established: false,
    visits: (random, size) =>
      scripted(random, 1500 * size, {
        atMs: allDay,
        address: proxies(random, 1),
        browser: anyBrowser,
        sends: 'browser',
        waitMs: (each) => 1200 + each() * 3000,
        clickRate: 0.03,
      }),
  },
  {
    name: '20 networks, within a minute',
    kind: 'script',
    monthlyVisitors: 20_000,
    established: false,
    visits: (random, size) =>
      scripted(random, 1800 * size, {
        atMs: inAMinute,
        address: proxies(random, 20),
        browser: anyBrowser,
        sends: 'browser',
        waitMs: (each) => 1050 + each() * 400,
        clickRate: 0.02,
      }),
  },
  {
    name: '20 networks, day and night',
    kind: 'script',
    monthlyVisitors: 20_000,
    established: false,
    visits: (random, size) =>
      scripted(random, 1800 * size, {
        atMs: allDay,
        address: proxies(random, 20),
        browser: anyBrowser,
        sends: 'browser',
        waitMs: (each) => 1200 + each() * 5000,
        clickRate: 0.01,
      }),
  },
  {
    name: 'a headless browser on 20 networks',
    kind: 'headless',
    monthlyVisitors: 20_000,
    established: false,
    visits: (random, size) => {
      const from = networks(random, 20);
      return readers(random, 1500 * size, {
        networkOf: (each) => pick(each, from),
        browserOf: () => HEADLESS,
        // It waits for the ad on every page; a few pages fail to load.
        viewability: 0.985,
        clickRate: 0.008,
      });
    },
  },
  {
    name: '2,000 residential addresses',
    kind: 'ceiling',
    monthlyVisitors: 100_000,
    established: false,
    visits: (random, size) =>
      scripted(random, 5000 * size, {
        atMs: (each) => timeOf(each, READING_HOURS),
        address: proxies(random, 2000),
        browser: anyBrowser,
        sends: 'browser',
        waitMs: (each) => 1000 + logNormal(each, 900, 0.8),
        clickRate: 0.006,
      }),
  },
  {
    name: 'a click farm: 60 people, 6 networks',
    kind: 'ceiling',
    monthlyVisitors: 50_000,
    established: false,
    visits: (random, size) => clickFarm(random, size),
  },
  ...[1, 2, 3, 4].map((number): Player => ({
    name: `an ordinary site (${number})`,
    kind: 'honest',
    monthlyVisitors: 30_000,
    established: true,
    visits: (random, size) => readers(random, 900 * size, { viewability: 0.5 + 0.1 * (number % 3) }),
  })),
  {
    name: 'a viral day',
    kind: 'honest',
    monthlyVisitors: 20_000,
    established: true,
    visits: (random, size) => {
      const usual = readers(random, 300 * size);
      // An article is shared at noon: many strangers, mostly on phones, who read one page and leave.
      const crowd = readers(random, 3000 * size, {
        hours: READING_HOURS.map((_, hour) => (hour >= 12 && hour < 19 ? 60 - 8 * (hour - 12) : 0)),
        browserOf: (each) => (each() < 0.8 ? phone(each) : anyBrowser(each)),
        viewability: 0.5,
        clickRate: 0.0015,
        more: 0.1,
      });
      return [...usual, ...crowd];
    },
  },
  {
    name: 'a university behind one address',
    kind: 'honest',
    monthlyVisitors: 30_000,
    established: true,
    visits: (random, size) => {
      const campus = network(random);
      return readers(random, 1200 * size, {
        hours: READING_HOURS.map((weight, hour) => (hour >= 7 && hour < 20 ? weight : weight / 5)),
        networkOf: () => campus,
      }).map((visit) => ({ ...visit, address: `${campus}.7` }));
    },
  },
  {
    name: 'readers with a privacy browser',
    kind: 'honest',
    monthlyVisitors: 20_000,
    established: true,
    visits: (random, size) => {
      // Half of them use one of a VPN's exits.
      const exits = networks(random, 40);
      return readers(random, 800 * size, {
        networkOf: (each) => (each() < 0.5 ? pick(each, exits) : network(each)),
        browserOf: () => PRIVACY_BROWSER,
        clickRate: 0.001,
      });
    },
  },
  {
    name: 'a carrier’s NAT',
    kind: 'honest',
    monthlyVisitors: 30_000,
    established: true,
    visits: (random, size) => {
      const carrier = networks(random, 12);
      return readers(random, 1200 * size, { networkOf: (each) => pick(each, carrier), browserOf: phone });
    },
  },
  {
    name: 'a click farm that does not wait for the landing page',
    kind: 'ceiling',
    monthlyVisitors: 50_000,
    established: false,
    visits: (random, size) => clickFarm(random, size, { landingRate: 0 }),
  },
];
