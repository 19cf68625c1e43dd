/**
 * Players who have read docs/measurement.md. They imitate an audience in every signal that costs them nothing: they report
 * views of 70% of their decisions with the delays and at the hours of readers, use the browsers of readers, fetch the
 * tag, click on 1.5% to 2% of the ads and report the landings. They prove each view, as they run the tag in a browser. The
 * rivals do not earn by their traffic. They want an honest publisher to lose income. Those with one User-Agent prove no
 * view, and the others do.
 */
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { addressIn, anyBrowser, GOOGLEBOT, logNormal, pick, type Random, READING_HOURS } from './people.ts';
import type { Visit } from './visit.ts';
import { allDay, eachDay, networks, type Player, proxies, readers, scripted, timeOf } from './visits.ts';

/** A script that looks like an audience, except that its visitors come from a few networks. */
function imitation(random: Random, pages: number, networkCount: number, viewability = 0.7): Visit[] {
  const from = networks(random, networkCount);
  return readers(random, pages, {
    networkOf: (each) => pick(each, from),
    viewability,
    clickRate: 0.018,
    landingRate: 1,
  });
}

const adaptive = (
  name: string,
  pages: number,
  networkCount: number,
  usualViews: number | null,
  kind: Player['kind'] = 'adaptive',
): Player => ({
  name: `adaptive: ${name}`,
  kind,
  monthlyVisitors: 100_000,
  usualViews,
  visits: (random, size) => imitation(random, pages * size, networkCount),
});

const WEEK = 7;

/** The same small traffic on each day of a week, with the networks that it began with. */
const slow = (name: string, pages: number, networkCount: number): Player => ({
  ...adaptive(name, pages, networkCount, null, networkCount === 1 ? 'slow' : 'left'),
  days: WEEK,
  // A small day cannot be made smaller.
  minSize: 1,
  visits: (random) => {
    const from = networks(random, networkCount);
    return eachDay(WEEK, () =>
      readers(random, pages, { networkOf: (each) => pick(each, from), viewability: 0.7, landingRate: 1 }),
    );
  },
});

export const ADAPTIVE: readonly Player[] = [
  adaptive('20 networks, established publisher', 6000, 20, 500),
  adaptive('20 networks, new publisher', 6000, 20, null),
  adaptive('8 networks, established publisher', 4000, 8, 500),
  adaptive('8 networks, new publisher', 4000, 8, null),
  adaptive('one home line, established publisher', 650, 1, 500),
  adaptive('one home line, new publisher', 650, 1, null),
  // Each day stays below the number of views from which it is compared, for a week.
  slow('one home line, 13 views a day', 20, 1),
  slow('8 networks, 25 views a day', 36, 8),
  slow('20 networks, 25 views a day', 36, 20),
  {
    name: 'adaptive: 300 residential addresses, new publisher',
    kind: 'left',
    monthlyVisitors: 100_000,
    usualViews: null,
    visits: (random, size) => imitation(random, 3000 * size, 300),
  },
];

/** Requests of one program, which does not pretend to be an audience and runs no browser. */
function noise(random: Random, pages: number, networkCount: number, clickRate = 0): Visit[] {
  const browser = anyBrowser(random);
  return scripted(random, pages, {
    atMs: allDay,
    address: proxies(random, networkCount),
    browser: () => browser,
    sends: 'browser',
    waitMs: () => 1400,
    clickRate,
  });
}

const EVENT_HOUR = 20;

const rival = (
  name: string,
  pages: number,
  attack: NonNullable<Player['attack']>,
  more: Partial<Player> = {},
): Player => ({
  name: `rival: ${name}`,
  kind: 'rival',
  monthlyVisitors: 30_000,
  usualViews: Math.round(pages * 0.6),
  visits: (random, size) => readers(random, pages * size),
  attack,
  ...more,
});

export const RIVALS: readonly Player[] = [
  rival('600 requests from 5 networks on 150 pages', 150, (random, size) => noise(random, 600 * size, 5)),
  rival('3,000 requests from 40 networks on 900 pages', 900, (random, size) =>
    noise(random, 3000 * size, 40),
  ),
  rival('an imitated audience from 20 networks on 900 pages', 900, (random, size) =>
    imitation(random, 3000 * size, 20),
  ),
  rival(
    'uses up the room of an ad in every minute of an event',
    600,
    (random, size) => {
      const address = proxies(random, 40);
      return scripted(random, 20 * 320 * size, {
        atMs: (each) => EVENT_HOUR * HOUR_MS + (10 + each() * 20) * MINUTE_MS,
        address,
        browser: anyBrowser,
        sends: 'browser',
        laysOut: true,
        waitMs: (each) => 1100 + logNormal(each, 400, 0.6),
        clickRate: 0,
      });
    },
    {
      // The visitors come within an hour, for example to a match.
      visits: (random, size) =>
        readers(random, 600 * size, { hours: READING_HOURS.map((_, hour) => (hour === EVENT_HOUR ? 1 : 0)) }),
    },
  ),
  rival(
    'uses up the ceiling of a new publisher in the morning',
    900,
    (random, size) => {
      const address = proxies(random, 20);
      return scripted(random, 1200 * size, {
        atMs: (each) => each() * 10 * MINUTE_MS,
        address,
        browser: anyBrowser,
        sends: 'browser',
        laysOut: true,
        waitMs: (each) => 1100 + logNormal(each, 400, 0.6),
        clickRate: 0.05,
      });
    },
    { usualViews: null, minSize: 0.5 },
  ),
  rival(
    'the buyer who clicks from two networks, and whose page reports few landings',
    900,
    (random) => {
      const office = networks(random, 2);
      return Array.from({ length: 14 }, (_, at) => ({
        atMs: (16 + at / 4) * HOUR_MS,
        address: addressIn(random, office[at % 2]!),
        browser: anyBrowser(random),
        sends: 'browser',
        loadsTag: true,
        laysOut: true,
        viewAfterMs: 1100 + logNormal(random, 400, 0.6),
        renderedAfterMs: null,
        clickAfterMs: 6000,
        // The landings of the first and the last click show that the page has its script.
        lands: at === 0 || at === 13,
      }));
    },
    {
      // The buyer decides for which clicks the page reports a landing.
      visits: (random, size) => readers(random, 900 * size, { landingRate: 0 }),
      minSize: 0.5,
    },
  ),
  {
    // Reports that nobody pays for, and views that the fair share withdraws again.
    ...rival('600 requests from one address ruin the figures', 900, (random) => {
      const [line] = networks(random, 1) as [string];
      const address = addressIn(random, line);
      return Array.from({ length: 600 }, (_, at): Visit => {
        const isView = at % 3 !== 0;
        return {
          atMs: allDay(random),
          address,
          browser: at % 3 === 1 ? GOOGLEBOT : anyBrowser(random),
          sends: 'browser',
          loadsTag: false,
          laysOut: true,
          viewAfterMs: isView ? 1300 : null,
          renderedAfterMs: isView ? null : 300,
          clickAfterMs: null,
        };
      });
    }),
    kind: 'ruin',
    minSize: 0.5,
  },
  {
    // The ad's buyer has the page loaded by the computers of the office, hoping for a second delivery.
    ...rival('the buyer whose office makes the traffic', 900, (random, size) => {
      const office = networks(random, 2);
      return scripted(random, 900 * size, {
        atMs: (each) => timeOf(each, READING_HOURS),
        address: (each) => addressIn(each, pick(each, office)),
        browser: anyBrowser,
        sends: 'browser',
        laysOut: true,
        waitMs: () => 1300,
        clickRate: 0,
      });
    }),
  },
];
