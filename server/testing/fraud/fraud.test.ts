/** A short `npm run tool fraud`: all players with a tenth of their visits and a fixed seed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SESSION_SECRET, startTestServer, type TestServer } from '../server.ts';
import { fraudDay, type Result } from './day.ts';
import type { Kind } from './players.ts';

let server: TestServer;
let results: Result[];
beforeAll(async () => {
  const start = new Date('2026-03-10T00:00:00Z');
  server = await startTestServer({
    start,
    env: {
      NODE_ENV: 'production',
      SESSION_SECRET: 'x'.repeat(32),
      SMTP_URL: 'smtp://127.0.0.1:9',
      ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  const clock = { now: server.clock.now, set: (ms: number) => server.clock.set(new Date(ms)) };
  results = await fraudDay(server.app, clock, {
    seed: 7,
    size: 0.1,
    dayMs: start.getTime(),
    sessionSecret: SESSION_SECRET,
  });
});
afterAll(() => server.close());

const of = (kind: Kind) => results.filter(({ player }) => player.kind === kind);

const share = (part: number, whole: number) => part / Math.max(1, whole);
/** The names of the players without the expected result. */
const unlike = (players: Result[], expected: (result: Result) => boolean) =>
  players.filter((result) => !expected(result)).map(({ player }) => player.name);

describe('the players of a day', () => {
  // Proves FRAUD-01
  it('that are scripts without a browser are billed nothing, and a headless browser at most 5%', () => {
    expect(of('script')).toHaveLength(6);
    const scripted = [...of('script'), ...of('headless')];
    expect(unlike(scripted, ({ reported }) => reported.views > 100)).toEqual([]);
    expect(unlike(of('script'), ({ wayIn }) => wayIn.views === 0 && wayIn.clicks === 0)).toEqual([]);
    const isLittle = ({ reported, after }: Result) =>
      share(after.views, reported.views) <= 0.05 && share(after.clicks, reported.clicks) <= 0.05;
    expect(of('headless')).toHaveLength(1);
    expect(unlike(of('headless'), isLittle)).toEqual([]);
  });

  // Proves FRAUD-01
  it('that are people stay below the ceiling of a new publisher', () => {
    expect(of('ceiling')).toHaveLength(2);
    const isBelow = ({ after, ceiling }: Result) =>
      ceiling !== null && after.views <= ceiling.views && after.clicks <= ceiling.clicks;
    expect(unlike(of('ceiling'), isBelow)).toEqual([]);
  });

  // Proves FRAUD-02
  it('that adapt count for eight views of each network, whatever they imitate', () => {
    expect(of('adaptive')).toHaveLength(6);
    const networksOf = (name: string) =>
      name.includes('one home line') ? 1 : name.includes('8 networks') ? 8 : 20;
    expect(unlike(of('adaptive'), ({ player, after }) => after.views <= 8 * networksOf(player.name))).toEqual(
      [],
    );
    expect(unlike(of('adaptive'), ({ after }) => after.clicks <= 2)).toEqual([]);
  });

  // Proves FRAUD-03
  it('that attack an honest publisher cost at most 5% of the honest views', () => {
    expect(of('rival')).toHaveLength(6);
    expect(unlike(of('rival'), ({ honestLost }) => honestLost !== null && honestLost <= 0.05)).toEqual([]);
  });

  // Proves FRAUD-01
  it('that are honest are billed for most of their views, and at most 2% of these are withdrawn', () => {
    const honest = of('honest');
    expect(honest).toHaveLength(8);
    const sum = (count: (result: Result) => number) =>
      honest.reduce((total, result) => total + count(result), 0);
    expect(
      share(
        sum(({ withdrawn }) => withdrawn.views),
        sum(({ wayIn }) => wayIn.views),
      ),
    ).toBeLessThanOrEqual(0.02);
    expect(unlike(honest, ({ reported, wayIn }) => share(wayIn.views, reported.views) > 0.8)).toEqual([]);
  });
});

// Proves SIVT-06
it('no address and no User-Agent reaches the rows of the comparison', async () => {
  const rows = await server.ctx.db.selectFrom('trafficClusters').selectAll().execute();
  for (const row of rows)
    expect(Object.keys(row).toSorted()).toEqual(
      ['adId', 'browser', 'delay', 'hour', 'kind', 'n', 'network', 'withdrawn', 'zoneId'].toSorted(),
    );
  const bucketsOf = (trait: 'network' | 'browser') => new Set(rows.map((row) => row[trait]));
  expect(bucketsOf('network').size).toBeGreaterThan(500);
  expect(bucketsOf('browser').size).toBeGreaterThan(20);
  expect(Math.max(...bucketsOf('network'))).toBeLessThan(65_536);
});
