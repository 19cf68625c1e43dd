/** What a server holds while its database does not answer: so much, and no more. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  adRow,
  type AdServerTest,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '../testing/delivery.ts';
import { newEvent } from '../testing/events.ts';
import { postgresEventLog } from './postgres-event-log.ts';
import { createTally } from './tally.ts';

let server: AdServerTest;
beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => await server.close());

it('DEL-68 GEN-19 however many events come while the database is stuck, twenty thousand wait, a batch is under way, and the rest is refused at once', async () => {
  const { zoneId } = await makePlace(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId);
  const log = postgresEventLog({
    databaseUrl: server.databaseUrl,
    now: server.clock.now,
    listener: { onCounted: () => {} },
  });
  const holder = await server.app.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from ads where id = $1 for update', [adId]);

  let unsettled = 0;
  let most = 0;
  let refused = 0;
  let accepted = 0;
  for (let round = 0; round < 100; round++) {
    for (let each = 0; each < 1000; each++) {
      unsettled += 1;
      const appended = log.append([newEvent(server, { adId, zoneId })]).then(
        () => void (accepted += 1),
        () => void (refused += 1),
      );
      void appended.finally(() => void (unsettled -= 1));
    }
    await pause(0);
    most = Math.max(most, unsettled);
  }
  expect(most).toBeLessThanOrEqual(20_000 + 1000);
  expect(refused).toBeGreaterThanOrEqual(100_000 - 21_000);
  await holder.query('rollback');
  holder.release();
  while (unsettled > 0) await pause(10);
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: accepted });
  await log.stop();
});

it('DEL-68 GEN-19 figures that cannot be written are kept, for so many ads and reasons and no more', async () => {
  const tally = createTally(server.ctx.db);
  let letGo = 0;
  for (let zoneId = 1; zoneId <= 300_000; zoneId++) {
    const row = tally.add({ hourMs: 0, adId: null, zoneId, kind: 'view', reason: 'expired' });
    if (!row) letGo += 1;
  }
  expect(letGo).toBe(100_000);
  // What is known already is counted on.
  expect(tally.add({ hourMs: 0, adId: null, zoneId: 1, kind: 'view', reason: 'expired' })?.n).toBe(2);
});
