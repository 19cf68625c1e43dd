import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool } from '../../database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createLimits, removeExpiredCounters } from './limits.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const refused = { status: 429, message: expect.stringContaining('Too many requests') };

// Proves OP-031
it('takes a point for each call, refuses when none is left, and says when to retry', async () => {
  const limit = createLimits(pool, 1)('three', { points: 3, seconds: 60 });
  for (let n = 0; n < 3; n++) await limit('somebody');
  await expect(limit('somebody')).rejects.toMatchObject(refused);
  const refusal: unknown = await limit('somebody').catch((error: unknown) => error);
  const { headers } = refusal as { headers: Record<string, string> };
  expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
  expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(60);
  await limit('somebody else');
});

// Proves OP-031
it('counts all instances of the server together, multiplied by RATE_LIMIT_FACTOR', async () => {
  const [one, other] = [createLimits(pool, 2), createLimits(pool, 2)];
  const rule = { points: 5, seconds: 60 };
  const calls = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other)('shared', rule)('key'));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

// Proves OP-031
it('gives the point back when a call turns out not to be a failure', async () => {
  const limit = createLimits(pool, 1)('failures', { points: 1, seconds: 60 });
  for (let n = 0; n < 5; n++) {
    await limit('key');
    await limit.returnPoint('key');
  }
  await limit('key');
  await expect(limit('key')).rejects.toMatchObject(refused);
});

// Proves OP-031
it('removes expired counters', async () => {
  const db = createDatabase(pool);
  await createLimits(pool, 1)('short', { points: 1, seconds: 60 })('key');
  expect(await removeExpiredCounters(db, new Date(Date.now() - 1000))).toBe(0);
  expect(await removeExpiredCounters(db, new Date(Date.now() + 120_000))).toBeGreaterThanOrEqual(1);
  expect(await db.selectFrom('rateLimits').selectAll().execute()).toEqual([]);
});
