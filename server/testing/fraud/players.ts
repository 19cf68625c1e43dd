/**
 * Publishers, honest and dishonest, and what happens on their sites within a day. The dishonest ones of this file follow
 * what has been published about ad fraud and know nothing of the rules of this server (those of adaptive.ts do). The scripts among them run no browser:
 *
 * - One line with a loop, and copied headers: the 'simple bots' of the MRC's general invalid traffic.
 * - Proxies and residential addresses, day and night, with invented users: '3ve', which used data centers and infected
 *   home computers (https://security.googleblog.com/2018/11/industry-collaboration-leads-to.html, with a white paper).
 * - An automated browser that runs the page and waits like a reader: bots of the kind that Sadeghpour and Vlajic survey
 *   ('Click Fraud in Digital Advertising', Computers 10(12), 2021, https://doi.org/10.3390/computers10120164).
 * - People who are paid to click, and click-spam of small publishers: Dave, Guha and Zhang, 'Measuring and
 *   Fingerprinting Click-Spam in Ad Networks', SIGCOMM 2012, https://doi.org/10.1145/2342356.2342394.
 */
import { ADAPTIVE, RIVALS } from './adaptive.ts';
import { DAYS_SOLD, type SoldByDay } from './by-day.ts';
import {
  addressIn,
  anyBrowser,
  HEADLESS,
  logNormal,
  network,
  phone,
  pick,
  PRIVACY_BROWSER,
  READING_HOURS,
} from './people.ts';
import {
  allDay,
  clickFarm,
  eachDay,
  inAMinute,
  networks,
  type Player,
  proxies,
  readers,
  scripted,
  timeOf,
} from './visits.ts';

export type { Kind, Player } from './visits.ts';

const WEEK = 7;

/** A week of a site with a few readers who come on four of five days, and each day some others. */
function tiny(name: string, daily: number, others: number, kind: Player['kind'] = 'tiny'): Player {
  return {
    name: `a tiny site: ${name}`,
    kind,
    days: WEEK,
    monthlyVisitors: 30 * (daily + others),
    usualViews: null,
    visits: (random) => {
      const regulars = Array.from({ length: daily }, () => ({
        at: network(random),
        browser: anyBrowser(random),
      }));
      return eachDay(WEEK, () => [
        ...regulars
          .filter(() => random() < 0.8)
          .flatMap(({ at, browser }) =>
            readers(random, 1, { networkOf: () => at, browserOf: () => browser }),
          ),
        ...Array.from({ length: others }, () => readers(random, 1)).flat(),
      ]);
    },
  };
}

/** A publisher whose script makes one view a day for an ad by the day, which was sold for a site with 50,000 visitors a month. */
const byDay = (name: string, changes: SoldByDay): Player => ({
  name: `by the day: ${name}`,
  kind: 'unearned',
  days: DAYS_SOLD + 1,
  minSize: 1,
  monthlyVisitors: 50_000,
  usualViews: null,
  byDay: changes,
  visits: (random) =>
    eachDay(DAYS_SOLD + 1, () =>
      scripted(random, 1, {
        atMs: allDay,
        address: (each) => addressIn(each, network(each)),
        browser: anyBrowser,
        sends: 'browser',
        laysOut: true,
        waitMs: () => 1400,
        clickRate: 0,
      }),
    ),
});

/** No page has this topic. */
const NO_PAGE = { excludes: { topics: ['zzz'] } };

const LIST: readonly Player[] = [
  {
    name: 'one home line, a loop with curl’s manners',
    kind: 'script',
    monthlyVisitors: 20_000,
    usualViews: null,
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
    usualViews: null,
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
    usualViews: null,
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
    usualViews: null,
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
    usualViews: null,
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
    minSize: 0.5,
    monthlyVisitors: 20_000,
    usualViews: null,
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
    kind: 'script',
    monthlyVisitors: 100_000,
    usualViews: null,
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
    usualViews: null,
    visits: (random, size) => clickFarm(random, size),
  },
  ...[1, 2, 3, 4].map((number): Player => ({
    name: `an ordinary site (${number})`,
    kind: 'honest',
    monthlyVisitors: 30_000,
    usualViews: 500,
    visits: (random, size) => readers(random, 900 * size, { viewability: 0.5 + 0.1 * (number % 3) }),
  })),
  {
    name: 'a viral day',
    kind: 'honest',
    monthlyVisitors: 20_000,
    usualViews: 180,
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
    cleared: 'network',
    usualViews: 700,
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
    cleared: 'browser',
    usualViews: 480,
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
    cleared: 'network',
    usualViews: 700,
    visits: (random, size) => {
      const carrier = networks(random, 12);
      return readers(random, 1200 * size, { networkOf: (each) => pick(each, carrier), browserOf: phone });
    },
  },
  {
    name: 'a click farm that does not wait for the landing page',
    kind: 'ceiling',
    monthlyVisitors: 50_000,
    usualViews: null,
    visits: (random, size) => clickFarm(random, size, { landingRate: 0 }),
  },
  ...ADAPTIVE,
  ...RIVALS,
  tiny('3 daily readers and 6 others', 3, 6),
  tiny('6 daily readers and 3 others', 6, 3),
  tiny('a circle of 5 daily readers', 5, 0, 'left'),
  {
    name: 'a click farm that reports 25 invented orders a click',
    kind: 'ceiling',
    monthlyVisitors: 50_000,
    usualViews: null,
    visits: (random, size) => clickFarm(random, size / 3).map((visit) => ({ ...visit, fakesOrders: 25 })),
  },
  byDay('excludes a topic that no page has', { first: NO_PAGE }),
  byDay('excludes it before the approval, and takes it back', {
    beforeApproval: NO_PAGE,
    afterPayment: { excludes: null },
  }),
  byDay('states no visitors before the approval, and takes it back', {
    beforeApproval: { monthlyVisitors: 0 },
    afterPayment: { monthlyVisitors: 50_000 },
  }),
  {
    ...byDay('a site with the stated visitors', {}),
    kind: 'earned',
    visits: (random) => eachDay(DAYS_SOLD + 1, () => readers(random, 150)),
  },
];

/** A player and its number, which makes its visits the same whoever else plays on the day. */
export type NumberedPlayer = Player & { number: number };

export const PLAYERS: readonly NumberedPlayer[] = LIST.map((player, number) => ({ ...player, number }));
