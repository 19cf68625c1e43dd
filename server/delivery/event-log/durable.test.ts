import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import {
  adRow,
  type AdServerTest,
  figures,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
} from '#server/testing/delivery/delivery.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';

let server: AdServerTest;
beforeEach(async () => {
  server = await untilTestEnds(startAdServerTest());
});

async function serveAd() {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  const served = await server.decide(zone);
  server.clock.advance(2000);
  return { ad, served };
}

const cutEventConnections = () =>
  server.app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'openslot counting' and datname = current_database()`,
  );

/** Runs `run` while another transaction locks the ad's row, so that counting starts but cannot finish. */
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
      `select 1 from pg_stat_activity where application_name = 'openslot counting' and wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (rows.length > 0) return;
  }
}

// Proves DEL-04, GEN-19, ENT-32
it('acknowledges a view only after its commit', async () => {
  const { ad, served } = await serveAd();
  await whileHeld(ad.id, async (release) => {
    let answered = false;
    const answer = server.view(served.view).finally(() => {
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
it('does not acknowledge a view whose connection is lost before the commit, and counts it when it is sent again', async () => {
  const { ad, served } = await serveAd();
  await whileHeld(ad.id, async (release) => {
    const answer = server.view(served.view);
    await countingWaits();
    await cutEventConnections();
    expect(await answer).toBe(503);
    await release();
  });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 0 });
  expect(await server.view(served.view)).toBe(204);
  // The lost connection may hold its partitions for a moment longer. The view then waits for their next owner.
  while ((await adRow(server.ctx, ad.id)).totalImpressions === 0) await pause(10);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1 });
});

// Proves GEN-19
it('redirects a click that cannot be recorded with 307 instead of 302', async () => {
  const { ad, served } = await serveAd();
  await whileHeld(ad.id, async (release) => {
    const answer = server.click(served.click);
    await countingWaits();
    await cutEventConnections();
    expect(await answer).toEqual({ status: 307, location: 'https://coffee.example/start' });
    await release();
  });
  // When the visitor tries again, it is the same click, not a second one.
  expect((await server.click(served.click)).status).toBe(302);
  while ((await adRow(server.ctx, ad.id)).totalClicks === 0) await pause(10);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1 });
});
