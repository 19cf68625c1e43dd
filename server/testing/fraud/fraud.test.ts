/** A short `npm run fraud`: all players with a tenth of their visits and a fixed seed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
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
  results = await fraudDay(server.app, clock, { seed: 7, size: 0.1, startMs: start.getTime() });
});
afterAll(() => server.close());

const of = (kind: Kind) => results.filter(({ player }) => player.kind === kind);

describe('the players of a day', () => {
  // Proves FRAUD-01
  it('that are scripts on up to 20 networks are billed at most 1%, and a headless browser at most 5%', () => {
    expect(of('script')).toHaveLength(5);
    for (const { player, reported, after } of [...of('script'), ...of('headless')]) {
      expect(reported.views, player.name).toBeGreaterThan(100);
      const limit = player.kind === 'script' ? 0.01 : 0.05;
      expect(after.views / reported.views, player.name).toBeLessThanOrEqual(limit);
      expect(after.clicks / Math.max(1, reported.clicks), player.name).toBeLessThanOrEqual(limit);
    }
  });

  // Proves FRAUD-01
  it('that are people, or have thousands of addresses, stay below the ceiling of a new publisher', () => {
    for (const { player, after, ceiling } of of('ceiling')) {
      expect(after.views, player.name).toBeLessThanOrEqual(ceiling!.views);
      expect(after.clicks, player.name).toBeLessThanOrEqual(ceiling!.clicks);
    }
  });

  // Proves FRAUD-01
  it('that are honest are billed for nearly all of their views, and nothing of these is withdrawn', () => {
    const honest = of('honest');
    expect(honest).toHaveLength(8);
    const sum = (count: (result: Result) => number) =>
      honest.reduce((total, result) => total + count(result), 0);
    expect(sum(({ withdrawn }) => withdrawn.views) / sum(({ wayIn }) => wayIn.views)).toBeLessThanOrEqual(
      0.02,
    );
    for (const { player, reported, wayIn } of honest) {
      expect(wayIn.views / reported.views, player.name).toBeGreaterThan(0.8);
    }
  });
});

// Proves SIVT-06
it('no address and no User-Agent reaches the rows of the comparison', async () => {
  const rows = await server.ctx.db.selectFrom('trafficTraits').selectAll().execute();
  const traits = Map.groupBy(rows, ({ trait }) => trait);
  expect([...traits.keys()].toSorted()).toEqual(['browser', 'delay', 'network', 'tag']);
  for (const row of rows)
    expect(Object.keys(row).toSorted()).toEqual(['bucket', 'hour', 'n', 'trait', 'zoneId']);
  const bucketsOf = (trait: 'network' | 'browser') => new Set(traits.get(trait)?.map(({ bucket }) => bucket));
  expect(bucketsOf('network').size).toBeGreaterThan(500);
  expect(bucketsOf('browser').size).toBeGreaterThan(20);
  expect(Math.max(...bucketsOf('network'))).toBeLessThan(65_536);
});
