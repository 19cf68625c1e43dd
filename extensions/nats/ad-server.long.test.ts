/** The ad server with EVENT_LOG_URL set: the effects of the stream on pages and visitors. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adRow,
  type AdServerTest,
  BROWSER,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
} from '../../server/testing/delivery/delivery.ts';
import { expectNothingLost } from '../../server/testing/delivery/events.ts';
import { natsIsHere, type NatsServer, startNats } from './testing/nats-server.ts';

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
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    const { id } = await makeRunningAd(server.ctx, zoneId, fields);
    await server.app.refreshDelivery();
    return { zone, id };
  }

  /** Runs `work` while another transaction locks the ad, so that none of its events can be counted. */
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

  // Proves DEL-04, ENT-32
  it('acknowledges and counts a view and a click, and the view that the click implies', async () => {
    const { zone, id } = await running({});
    const first = await server.decide(zone);
    const second = await server.decide(zone);
    server.clock.advance(2000);
    expect(await server.view(first.view)).toBe(204);
    expect((await server.click(second.click)).status).toBe(302);
    while ((await counters(id)).join() !== '2,1') await pause(10);
    await expectNothingLost(server, id);
  });

  // Proves DEL-04, GEN-19
  it('answers views with 503, redirects clicks, and keeps serving ads and pages while the stream is down', async () => {
    const { zone, id } = await running({});
    const { view, click } = await server.decide(zone);
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

  // Proves EVID-05
  it('counts a landing once, also if it overtakes its click', async () => {
    const { zone, id } = await running({});
    await server.ctx.db.updateTable('ads').set({ measuresLandings: true }).where('id', '=', id).execute();
    await server.app.refreshDelivery();
    const { click } = await server.decide(zone);
    server.clock.advance(2000);
    let osid: string | null = null;
    await whileHeld(id, async () => {
      osid = new URL((await server.click(click)).location!).searchParams.get('osid');
      expect((await server.caller.post('/api/serve/landings', { osid })).status).toBe(200);
    });
    while ((await counters(id)).join() !== '1,1') await pause(10);
    expect((await server.caller.send('POST', `/api/serve/landings/${osid!}`)).status).toBe(204);
    expect((await server.caller.post('/api/serve/landings', { osid })).status).toBe(409);
    const hours = await server.ctx.db.selectFrom('landingHours').selectAll().where('adId', '=', id).execute();
    expect(hours).toMatchObject([{ clicks: 1, landings: 1 }]);
  });

  // Proves DEL-05, STATE-06
  it('does not serve an impression again while its view is waiting to be counted', async () => {
    const { zone, id } = await running({ pricingModel: 'per_impression', amount: 3 });
    await whileHeld(id, async () => {
      for (let each = 0; each < 3; each++) {
        const { view } = await server.decide(zone);
        server.clock.advance(2000);
        expect(await server.view(view)).toBe(204);
      }
      // All reservations have expired, but acknowledged views still count towards the goal.
      server.clock.advance(120_000);
      expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
      expect(await counters(id)).toEqual([0, 0]);
    });
    while ((await adRow(server.ctx, id)).status !== 'completed') await pause(10);
    expect(await counters(id)).toEqual([3, 0]);
  });

  // Proves DEL-05, STATE-06
  it('counts acknowledged clicks towards the goal, each only once after the counting', async () => {
    const { zone, id } = await running({ pricingModel: 'per_click', amount: 2 });
    const visitor = (index: number) => ({ userAgent: `${BROWSER} visitor ${index}` });
    await whileHeld(id, async () => {
      const { click } = await server.decide(zone);
      server.clock.advance(2000);
      expect((await server.click(click, visitor(1))).status).toBe(302);
      expect(await server.ask([zone])).toMatchObject([{ kind: 'text' }]);
    });
    const other = await running({ pricingModel: 'per_click', amount: 2 });
    await whileHeld(other.id, async () => {
      for (const each of [1, 2]) {
        const { click } = await server.decide(other.zone);
        server.clock.advance(2000);
        expect((await server.click(click, visitor(each))).status).toBe(302);
      }
      expect(await server.ask([other.zone])).toMatchObject([{ kind: 'house' }]);
    });
    while ((await counters(id)).join() !== '1,1') await pause(10);
    // Within half a second the server learns that nothing is waiting any more: one click is left, not zero.
    let served = await server.ask([zone]);
    while (served[0]?.kind !== 'text') {
      await pause(50);
      served = await server.ask([zone]);
    }
    server.clock.advance(2000);
    expect((await server.click(served[0].click!, visitor(2))).status).toBe(302);
    while ((await adRow(server.ctx, id)).status !== 'completed') await pause(10);
    expect((await adRow(server.ctx, id)).totalClicks).toBe(2);
  });
});
