/** While the database does not answer, a server holds a fixed number of events and figures in memory. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { adRow, makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { directLog } from '#server/testing/delivery/counting.ts';
import { createHourlyCounts } from './hourly-counts.ts';

const server = useOwnAdServer();

// Proves GEN-19
it('queues at most 20,000 events behind one batch while the database is stuck, and rejects the rest at once', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId);
  const log = directLog(server);
  const holder = await server.app.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from ads where id = $1 for update', [adId]);

  let pending = 0;
  let peak = 0;
  let refused = 0;
  let accepted = 0;
  for (let round = 0; round < 40; round++) {
    for (let each = 0; each < 1000; each++) {
      pending += 1;
      const appended = log.append([newEvent(server, { adId, zoneId })]).then(
        () => void (accepted += 1),
        () => void (refused += 1),
      );
      void appended.finally(() => void (pending -= 1));
    }
    await pause(0);
    peak = Math.max(peak, pending);
  }
  expect(peak).toBeLessThanOrEqual(20_000 + 1000);
  expect(refused).toBeGreaterThanOrEqual(40_000 - 21_000);
  await holder.query('rollback');
  holder.release();
  while (pending > 0) await pause(10);
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: accepted });
  await log.stop();
});

// Proves GEN-19
it('keeps at most 200,000 unwritten rows of figures, and drops new ones beyond that', async () => {
  const hourlyCounts = createHourlyCounts(server.ctx.db);
  let dropped = 0;
  for (let zoneId = 1; zoneId <= 300_000; zoneId++) {
    const row = hourlyCounts.add({ hourMs: 0, adId: null, zoneId, kind: 'view', reason: 'expired' });
    if (!row) dropped += 1;
  }
  expect(dropped).toBe(100_000);
  // A row that exists is still counted.
  expect(hourlyCounts.add({ hourMs: 0, adId: null, zoneId: 1, kind: 'view', reason: 'expired' })?.n).toBe(2);
});
