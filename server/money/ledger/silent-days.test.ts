/** The one rule of a silent day: the function that judges ended days, its pair for days that no job has judged, and no third. */
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { daysDelivered } from '#domain/ads/delivered.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { countedHours, pausesOfAds, requestedHours } from './store-earnings.ts';

const server = useServer();
const BEGAN = new Date('2027-06-01T00:00:00Z');
/** An ad zone that no other test has. */
let next = 1_900_000_000;

// Few hours, so that many of them begin or end at an end of the day.
const hour = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  kind: fc.constantFrom('view', 'decision', 'click'),
  reason: fc.constantFrom('', 'bot'),
  n: fc.integer({ min: 1, max: 3 }),
});

/** An ad that only this test has, with the pauses of its advertiser. The last one may last. */
async function insertAd(like: Ad, ends: readonly number[]): Promise<number> {
  const { db } = server.ctx;
  const { userId, adZoneId, productId, adType, title, description, targetUrl } = like;
  const { id } = await db
    .insertInto('ads')
    .values({
      userId,
      adZoneId,
      productId,
      adType,
      title,
      description,
      targetUrl,
      totalAmount: '100.00',
      commissionAmount: '15.00',
      pricingModel: 'per_day',
      duration: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const times = ends.toSorted((a, b) => a - b).map((quarter) => later(BEGAN, quarter * (HOUR_MS / 4)));
  const pauses = [];
  for (let each = 0; each < times.length; each += 2)
    pauses.push({ adId: id, beganAt: times[each] as Date, endedAt: times[each + 1] ?? null });
  if (pauses.length > 0) await db.insertInto('advertiserPauses').values(pauses).execute();
  return id;
}

// Proves DEL-45, DEL-71, PAUS-202
it('a day is judged alike by the database and by the earnings, wherever it begins and ends', async () => {
  const { db } = server.ctx;
  const live = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(hour, {
        selector: ({ at, kind, reason }) => `${at} ${kind} ${reason}`,
        minLength: 4,
        maxLength: 16,
      }),
      fc.option(fc.integer({ min: 1, max: 5 })),
      // The ends of a day lie between hours and on them.
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 1, max: 16 }),
      // Pauses of the advertiser, in quarters of an hour. The second one may last.
      fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { maxLength: 4 }),
      async (hours, minDayViews, fromQuarter, quarters, ends) => {
        const id = await insertAd(live.ad, ends);
        const zoneId = next++;
        const rows = hours.map(({ at, ...row }) => ({
          ...row,
          hour: later(BEGAN, at * HOUR_MS),
          adId: id,
          zoneId,
        }));
        if (rows.length > 0) await db.insertInto('deliveryHourly').values(rows).execute();
        const from = later(BEGAN, fromQuarter * (HOUR_MS / 4));
        const to = later(from, quarters * (HOUR_MS / 4));
        const of = { adId: id, zoneId, kind: 'view' as const, after: later(BEGAN, -HOUR_MS) };
        const facts = {
          counted: (await countedHours(db, [of])).get(id) ?? [],
          requested: (await requestedHours(db, [of])).get(id) ?? [],
          paused: (await pausesOfAds(db, [of])).get(id) ?? [],
        };
        const { rows: judged } = await sql<{ isSilent: boolean }>`
          select is_day_silent(${id}, ${zoneId}, ${minDayViews}::integer, ${from}, ${to}) as "isSilent"`.execute(
          db,
        );
        expect(judged[0]?.isSilent).toBe(!daysDelivered(minDayViews, facts)(from, to));
      },
    ),
    { numRuns: 300 },
  );
});

// Proves DEL-71
it('nobody else compares the views of a day with those that it needs', () => {
  const files = globSync('server/**/*.{ts,sql}').filter((file) => !/\.test\.ts$|migrations\//.test(file));
  const compares = /net_views\([^)]*(?:\([^)]*\)[^)]*)*\) *<|not was_requested/;
  expect(files.filter((file) => compares.test(readFileSync(file, 'utf8')))).toEqual([
    'server/platform/database/functions/ads/is_day_silent.sql',
  ]);
});
