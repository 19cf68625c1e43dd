import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  adRow,
  type AdServerTest,
  figures,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '#server/testing/delivery.ts';

let server: AdServerTest;
beforeEach(async () => {
  server = await startAdServerTest();
});
afterEach(async () => await server.close());

async function readyOffer() {
  const { zone, zoneId } = await makePlace(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  const offer = await server.offer(zone);
  server.clock.advance(2000);
  return { ad, offer };
}

const cutEventConnections = () =>
  server.app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'openslot events' and datname = current_database()`,
  );

/** Runs while another transaction holds the ad, so that counting has begun and cannot end. */
async function whileHeld(adId: number, run: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  const holder = await server.app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from ads where id = $1 for update', [adId]);
    await run(async () => void (await holder.query('rollback')));
  } finally {
    holder.release();
  }
}

async function countingWaits(): Promise<void> {
  for (;;) {
    const { rows } = await server.app.pool.query(
      `select 1 from pg_stat_activity where application_name = 'openslot events' and wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (rows.length > 0) return;
  }
}

// Proves DEL-04, GEN-19, ENT-32
it('a view is acknowledged only after its commit', async () => {
  const { ad, offer } = await readyOffer();
  await whileHeld(ad.id, async (release) => {
    let answered = false;
    const answer = server.view(offer.view).finally(() => {
      answered = true;
    });
    await countingWaits();
    expect(answered).toBe(false);
    await release();
    expect(await answer).toBe(204);
  });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
});

// Proves DEL-04, GEN-19, ENT-32
it('a view whose connection is lost before the commit is not acknowledged, and may be sent again', async () => {
  const { ad, offer } = await readyOffer();
  await whileHeld(ad.id, async (release) => {
    const answer = server.view(offer.view);
    await countingWaits();
    await cutEventConnections();
    expect(await answer).toBe(503);
    await release();
  });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 0 });
  expect(await server.view(offer.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
});

// Proves GEN-19
it('a click that cannot be recorded is redirected all the same, but not with the 302 of a recorded one', async () => {
  const { ad, offer } = await readyOffer();
  await whileHeld(ad.id, async (release) => {
    const answer = server.click(offer.click);
    await countingWaits();
    await cutEventConnections();
    expect(await answer).toEqual({ status: 307, location: 'https://coffee.example/start' });
    await release();
  });
  // The same person tries again: that is the same click, not a second one.
  expect((await server.click(offer.click)).status).toBe(302);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1 });
});
