/** The ad server with EVENT_LOG_URL set: what a page and a person notice of the stream behind it. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adRow,
  type AdServerTest,
  BROWSER,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '#server/testing/delivery.ts';
import { expectWhole } from '#server/testing/events.ts';
import { natsIsHere, type NatsServer, startNats } from '#server/testing/nats.ts';

const { here, note } = await natsIsHere();

let server: AdServerTest;
let nats: NatsServer;

describe.skipIf(!here)(`an ad server over NATS${note}`, () => {
  beforeEach(async () => {
    nats = await startNats();
    server = await startAdServerTest({ EVENT_LOG_URL: nats.url });
  });
  afterEach(async () => {
    await server.close();
    await nats.close();
  });

  async function running(fields: Parameters<typeof makeRunningAd>[2]) {
    const { zone, zoneId } = await makePlace(server.ctx);
    const { id } = await makeRunningAd(server.ctx, zoneId, fields);
    await server.app.refreshDelivery();
    return { zone, id };
  }

  /** Runs while nothing of this ad can be counted. */
  async function whileHeld(adId: number, work: () => Promise<void>): Promise<void> {
    const holder = await server.app.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from ads where id = $1 for update', [adId]);
      await work();
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  }

  const counters = async (id: number) => {
    const { totalImpressions, totalClicks } = await adRow(server.ctx, id);
    return [totalImpressions, totalClicks];
  };

  it('DEL-02 DEL-04 ENT-32 a view and a click are acknowledged and counted, the click with the view it stands for', async () => {
    const { zone, id } = await running({});
    const first = await server.offer(zone);
    const second = await server.offer(zone);
    server.clock.advance(2000);
    expect(await server.view(first.view)).toBe(204);
    expect((await server.click(second.click)).status).toBe(302);
    while ((await counters(id)).join() !== '2,1') await pause(10);
    await expectWhole(server, id);
  });

  it('DEL-04 GEN-19 RUN-07 while the stream is away views are answered 503 and clicks lead on; ads and pages go on', async () => {
    const { zone, id } = await running({});
    const { view, click } = await server.offer(zone);
    server.clock.advance(2000);
    await nats.signal('SIGKILL');
    expect(await server.view(view)).toBe(503);
    expect(await server.click(click)).toEqual({ status: 307, location: 'https://coffee.example/start' });
    expect(await server.ask([zone])).toMatchObject([{ kind: 'text' }]);
    expect((await server.caller.get('/api/health')).status).toBe(200);

    await nats.start();
    while ((await server.view(view)) !== 204) await pause(50);
    while ((await server.click(click)).status !== 302) await pause(50);
    while ((await counters(id)).join() !== '1,1') await pause(10);
  });

  it('DEL-05 STATE-06 views that wait to be counted are not shown a second time, however long it takes', async () => {
    const { zone, id } = await running({ pricingModel: 'per_impression', amount: 3 });
    await whileHeld(id, async () => {
      for (let each = 0; each < 3; each++) {
        const { view } = await server.offer(zone);
        server.clock.advance(2000);
        expect(await server.view(view)).toBe(204);
      }
      // All promises have lapsed; what has been seen is no promise.
      server.clock.advance(120_000);
      expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
      expect(await counters(id)).toEqual([0, 0]);
    });
    while ((await adRow(server.ctx, id)).status !== 'completed') await pause(10);
    expect(await counters(id)).toEqual([3, 0]);
  });

  it('DEL-05 STATE-06 neither are clicks; what is counted is uncounted no more', async () => {
    const { zone, id } = await running({ pricingModel: 'per_click', amount: 2 });
    const visitor = (index: number) => ({ userAgent: `${BROWSER} visitor ${index}` });
    await whileHeld(id, async () => {
      const { click } = await server.offer(zone);
      server.clock.advance(2000);
      expect((await server.click(click, visitor(1))).status).toBe(302);
      expect(await server.ask([zone])).toMatchObject([{ kind: 'text' }]);
    });
    const other = await running({ pricingModel: 'per_click', amount: 2 });
    await whileHeld(other.id, async () => {
      for (const each of [1, 2]) {
        const { click } = await server.offer(other.zone);
        server.clock.advance(2000);
        expect((await server.click(click, visitor(each))).status).toBe(302);
      }
      expect(await server.ask([other.zone])).toMatchObject([{ kind: 'house' }]);
    });
    while ((await counters(id)).join() !== '1,1') await pause(10);
    // Half a second later the copy knows that nothing waits any more: one click is left, not none.
    let offered = await server.ask([zone]);
    while (offered[0]?.kind !== 'text') {
      await pause(50);
      offered = await server.ask([zone]);
    }
    server.clock.advance(2000);
    expect((await server.click(offered[0].click!, visitor(2))).status).toBe(302);
    while ((await adRow(server.ctx, id)).status !== 'completed') await pause(10);
    expect((await adRow(server.ctx, id)).totalClicks).toBe(2);
  });
});
