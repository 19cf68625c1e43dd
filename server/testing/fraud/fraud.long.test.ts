/** A short `npm run lab fraud`: one or two players of each kind with a tenth of their visits, and a fixed seed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SESSION_SECRET } from '../server.ts';
import { useOwnServer } from '../starts/use-server.ts';
import { fraudDay, isMarket, type Result } from './day.ts';
import { type Kind, PLAYERS } from './players.ts';

/** One player for each rule. `npm run lab fraud` plays all. */
const NAMES = new Set([
  'one home line, a loop with curl’s manners',
  '2,000 residential addresses',
  'a headless browser on 20 networks',
  'a click farm: 60 people, 6 networks',
  'a viral day',
  'readers with a privacy browser',
  'a university behind one address',
  'a tiny site: 3 daily readers and 6 others',
  'adaptive: one home line, established publisher',
  'adaptive: 20 networks, new publisher',
  'adaptive: one home line, 13 views a day',
  'a click farm that reports 25 invented orders a click',
  'rival: 600 requests from 5 networks on 150 pages',
  'rival: an imitated audience from 20 networks on 900 pages',
  'rival: the buyer who clicks from two networks, and whose page reports few landings',
  'rival: 600 requests from one address ruin the figures',
  'by the day: excludes a topic that no page has',
  'by the day: excludes it before the approval, and takes it back',
  'by the day: states no visitors before the approval, and takes it back',
  'by the day: a site with the stated visitors',
]);
const PLAYING = PLAYERS.filter((player) => NAMES.has(player.name) || isMarket(player));

const start = new Date('2026-03-10T00:00:00Z');
const server = useOwnServer({
  start,
  env: {
    NODE_ENV: 'production',
    SESSION_SECRET: 'x'.repeat(32),
    SMTP_URL: 'smtp://127.0.0.1:9',
    ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
    TRUSTED_PROXIES: '127.0.0.1',
  },
});
let results: Result[];
beforeAll(async () => {
  const clock = { now: server.clock.now, set: (ms: number) => server.clock.set(new Date(ms)) };
  results = await fraudDay(server.app, clock, {
    seed: 7,
    size: 0.1,
    players: PLAYING,
    dayMs: start.getTime(),
    sessionSecret: SESSION_SECRET,
  });
  // The visits of a whole day take about a minute, and ten beside three other files of this tier on a busy machine.
}, 1_800_000);

const of = (kind: Kind) => results.filter(({ player }) => player.kind === kind);

const share = (part: number, whole: number) => part / Math.max(1, whole);
/** The names of the players without the expected result. */
const unlike = (players: Result[], expected: (result: Result) => boolean) =>
  players.filter((result) => !expected(result)).map(({ player }) => player.name);

describe('the players of a day', () => {
  // Proves FRAUD-01
  it('that invent orders get at most 20 counted for a click, which are flagged and bill nothing', () => {
    const farm = results.find(({ player }) => player.name.includes('invented orders'));
    const { orders, reported, after, ceiling } = farm!;
    expect(orders.sent).toBeGreaterThan(100);
    expect(orders.counted).toBeGreaterThan(0);
    expect(orders.counted).toBeLessThanOrEqual((orders.sent / 25) * 20);
    expect(orders.flagged).toBe(true);
    expect(after.clicks).toBeLessThanOrEqual(Math.min(ceiling!.clicks, reported.clicks));
  });

  // Proves FRAUD-01
  it('that are scripts without a browser are billed nothing, and a headless browser at most 5%', () => {
    expect(of('script')).toHaveLength(2);
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
  it('that adapt count for a third as many views of each network as they have networks, whatever they imitate', () => {
    expect(of('adaptive')).toHaveLength(2);
    const most = ({ player }: Result) => (player.name.includes('one home line') ? 0 : 20 * 6);
    expect(unlike(of('adaptive'), (result) => result.after.views <= most(result))).toEqual([]);
    expect(unlike(of('adaptive'), ({ after }) => after.clicks <= 2)).toEqual([]);
  });

  // Proves FRAUD-02
  it('that stay below 30 views on each day are billed for at most 2% over a week from one line', () => {
    expect(of('slow')).toHaveLength(1);
    const isLittle = ({ reported, after }: Result) =>
      reported.views > 70 && share(after.views, reported.views) <= 0.02;
    expect(unlike(of('slow'), isLittle)).toEqual([]);
  });

  // Proves FRAUD-03, SIVT-10
  it('that attack an honest publisher cost at most 5% of the honest views and clicks', () => {
    expect(of('rival')).toHaveLength(3);
    const isLittle = ({ honestLost, honestClicksLost }: Result) =>
      honestLost !== null && honestLost <= 0.05 && (honestClicksLost ?? 0) <= 0.05;
    expect(unlike(of('rival'), isLittle)).toEqual([]);
  });

  // Proves WARD-110
  it('that send 600 requests of one address move no published figure of a rival by more than 5%', () => {
    expect(of('ruin')).toHaveLength(1);
    expect(unlike(of('ruin'), ({ figuresMoved }) => figuresMoved !== null && figuresMoved <= 0.05)).toEqual(
      [],
    );
    const isLittle = ({ honestLost }: Result) => honestLost !== null && honestLost <= 0.05;
    expect(unlike(of('ruin'), isLittle)).toEqual([]);
  });

  // Proves FRAUD-03
  it('that make one view a day earn nothing of a price by the day, whatever they state, exclude or take back', () => {
    expect(of('unearned')).toHaveLength(3);
    expect(unlike(of('unearned'), (result) => result.after.views > 2 && result.earnedByDay === 0)).toEqual(
      [],
    );
    expect(of('earned').map(({ earnedByDay }) => earnedByDay)).toEqual([25_500]);
  });

  // Proves FRAUD-01
  it('that are honest are billed for most of their views, and at most 2% of these are withdrawn', () => {
    const honest = of('honest');
    expect(honest).toHaveLength(7);
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

  // Proves FRAUD-01
  it('that are tiny honest sites with daily readers are billed for at least 90% of a week', () => {
    expect(of('tiny')).toHaveLength(1);
    expect(unlike(of('tiny'), ({ reported, after }) => share(after.views, reported.views) >= 0.9)).toEqual(
      [],
    );
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
