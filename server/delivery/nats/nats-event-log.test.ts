import { setTimeout as pause } from 'node:timers/promises';
import { StorageType } from '@nats-io/jetstream';
import { nanos, TimeoutError } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeDueAds } from '#server/ads/complete.ts';
import {
  adRow,
  type AdServerTest,
  figures,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '#server/testing/delivery.ts';
import { expectExactCounting, expectWhole, newEvent } from '#server/testing/events.ts';
import { natsIsHere, type NatsServer, startNats } from '#server/testing/nats.ts';
import { createCounter } from '../counter.ts';
import { type AdEvent, type EventLog, EventLogUnusable, type Uncounted } from '../event-log.ts';
import { findCounters } from '../store.ts';
import { encode } from './message.ts';
import { natsEventLog } from './nats-event-log.ts';
import { ASIDE_STREAM, CONSUMER, openStream, STREAM, SUBJECT } from './stream.ts';

const { here, note } = await natsIsHere();

let server: AdServerTest;
let nats: NatsServer;
let stream: Awaited<ReturnType<typeof openStream>>;
let open: EventLog[] = [];

beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => await server.close());

describe.skipIf(!here)(`events through NATS${note}`, () => {
  beforeEach(async () => {
    nats = await startNats();
    stream = await openStream(nats.url);
    // As an operator might: what was not acknowledged comes again sooner than after half a minute.
    await stream.jsm.consumers.update(STREAM, CONSUMER, { ack_wait: nanos(3000) });
  });
  afterEach(async () => {
    for (const log of open) await log.stop();
    open = [];
    await stream.connection.close();
    await nats.close();
  });

  async function newLog(
    options: { mostWaiting?: number; onUncounted?: (ads: readonly Uncounted[]) => void } = {},
  ): Promise<EventLog> {
    const log = natsEventLog({
      url: nats.url,
      databaseUrl: server.databaseUrl,
      now: server.clock.now,
      listener: { onCounted: () => {}, onUncounted: options.onUncounted ?? (() => {}) },
      readCounters: async (ids) => await findCounters(server.ctx.db, ids),
      log: server.ctx.log,
      mostWaiting: options.mostWaiting,
    });
    await log.start();
    open.push(log);
    return log;
  }

  /** Until every copy has counted what the stream holds, however long a stream that just began takes to say so. */
  async function caughtUp(): Promise<void> {
    for (;;) {
      const info = await stream.jsm.consumers.info(STREAM, CONSUMER).catch((error: unknown) => {
        if (error instanceof TimeoutError) return null;
        throw error;
      });
      if (info !== null && info.num_pending === 0 && info.num_ack_pending === 0) return;
      await pause(10);
    }
  }

  async function running(fields: Parameters<typeof makeRunningAd>[2] = {}) {
    const { zoneId } = await makePlace(server.ctx);
    const { id: adId } = await makeRunningAd(server.ctx, zoneId, fields);
    return { adId, event: (more: Partial<AdEvent> = {}) => newEvent(server, { adId, zoneId, ...more }) };
  }

  const put = async (content: string | Parameters<typeof encode>[0]) =>
    await stream.jsm.jetstream().publish(SUBJECT, typeof content === 'string' ? content : encode(content));
  const received = (events: AdEvent[], at = server.clock.now()) => ({ receivedAtMs: at.getTime(), events });
  const keptAside = async () => (await stream.jsm.streams.info(ASIDE_STREAM)).state.messages;

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

  it('DEL-03 DEL-05 ENT-32 STATE-06 whatever is reported in whatever order to three copies: never twice, never beyond the goal', async () => {
    const logs: [EventLog, EventLog, EventLog] = [await newLog(), await newLog(), await newLog()];
    const events = await expectExactCounting(server, logs, { numRuns: 25, caughtUp });
    expect(events).toBeGreaterThan(0);
  });

  it('DEL-05 STATE-06 three copies at once reach a goal exactly, whoever comes first', async () => {
    const logs = [await newLog(), await newLog(), await newLog()];
    for (let round = 0; round < 5; round++) {
      const { adId, event } = await running({ pricingModel: 'per_impression', amount: 100 });
      // Each alone stays below the goal, two together do not.
      await Promise.all(logs.map(async (log) => await log.append(Array.from({ length: 60 }, () => event()))));
      await caughtUp();
      expect(await adRow(server.ctx, adId)).toMatchObject({ status: 'completed', totalImpressions: 100 });
    }
  });

  it('DEL-03 ENT-32 what was counted and is delivered again counts nothing, and is no duplicate of a visitor’s', async () => {
    const { adId, event } = await running();
    await put(received([event(), event()]));
    // A copy that is killed between its commit and its acknowledgement.
    const consumer = await stream.jsm.jetstream().consumers.get(STREAM, CONSUMER);
    const message = await consumer.next();
    const { events } = message!.json<{ events: AdEvent[] }>();
    const counter = createCounter(server.databaseUrl, 1);
    await counter.count(events, server.clock.now());
    await counter.close();
    message!.nak();

    await newLog();
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2 });
    expect(await figures(server.ctx, adId)).toEqual({ view: 2 });
  });

  it('DEL-04 ENT-32 what is acknowledged while the database cannot count is counted later', async () => {
    const { adId, event } = await running();
    const changes: Uncounted[] = [];
    const log = await newLog({ onUncounted: (ads) => void changes.push(...ads) });
    await whileHeld(adId, async () => {
      for (let each = 0; each < 5; each++) await log.append([event()]);
      expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 0 });
      // Until then they are known as uncounted, so that the ad is not shown in their place.
      expect(changes.at(-1)).toEqual({ adId, views: 5, clicks: 0 });
      // Counting has begun and is cut off: what was taken from the stream goes back to it.
      let cut = 0;
      while (cut === 0) {
        const { rowCount } = await server.app.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'openslot events' and wait_event_type = 'Lock' and datname = current_database()`,
        );
        cut = rowCount ?? 0;
      }
    });
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 5 });
    while (changes.at(-1)?.views !== 0) await pause(10);
  });

  it('DEL-04 RUN-04 kill -9 of the stream in the middle of load loses nothing that was acknowledged', async () => {
    const { adId, event } = await running();
    const logs = [await newLog(), await newLog()];
    const acknowledged = new Set<string>();
    const all = Array.from({ length: 3000 }, () => event());
    const send = async (which: number, given: AdEvent) =>
      await logs[which]!.append([given]).then(
        () => void acknowledged.add(given.decisionId),
        () => {},
      );
    const load = (async () => {
      for (let at = 0; at < all.length; at += 20) {
        await Promise.all(all.slice(at, at + 20).map(async (each, index) => await send(index % 2, each)));
        await pause(2);
      }
    })();
    while (acknowledged.size < 200) await pause(1);
    await nats.signal('SIGKILL');
    await load;
    const before = acknowledged.size;
    expect(before).toBeLessThan(all.length);

    await nats.start();
    // What was refused may be sent again, and so may what was not.
    while (acknowledged.size < all.length) {
      await Promise.all(all.map(async (each, index) => await send(index % 2, each)));
      await pause(100);
    }
    await caughtUp();
    const { row, events } = await expectWhole(server, adId);
    expect(row.totalImpressions).toBe(all.length);
    expect(new Set(events.map((each) => each.decisionId.toString('hex')))).toEqual(acknowledged);
  });

  it('DEL-04 DEL-06 ENT-32 an event counts as of when it was received, on that day, however late it is counted', async () => {
    const { adId, event } = await running({ pricingModel: 'per_day', amount: 1 });
    const end = (await adRow(server.ctx, adId)).endDate!;
    const before = new Date(end.getTime() - 60_000);
    const after = new Date(end.getTime() + 60_000);
    await put(received([event({ issuedAtMs: before.getTime() - 5000 })], before));
    await put(received([event({ issuedAtMs: before.getTime() - 5000 })], after));
    const real = server.clock.now();
    server.clock.advance(3 * 86_400_000);
    await completeDueAds(server.ctx);
    expect(await adRow(server.ctx, adId)).toMatchObject({ status: 'completed' });

    await newLog();
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({
      status: 'completed',
      totalImpressions: 1,
      endDate: end,
    });
    expect(await figures(server.ctx, adId)).toEqual({ view: 1, 'view not_live': 1 });
    const { date } = await server.ctx.db
      .selectFrom('adPerformance')
      .select('date')
      .where('adId', '=', adId)
      .executeTakeFirstOrThrow();
    expect(date).toBe(before.toISOString().slice(0, 10));
    server.clock.set(real);
  });

  it('DEL-04 ENT-32 messages that are no events of ours are kept aside and hold up nothing', async () => {
    const { adId, event } = await running();
    const overflowing = await running();
    await server.app.pool.query('update ads set total_impressions = 2147483647 where id = $1', [
      overflowing.adId,
    ]);
    const sql = event({ decisionId: '00"},{"x\\' });
    const ancient = event({ issuedAtMs: server.clock.now().getTime() - 40 * 86_400_000 });
    for (const poison of ['', 'no json', '{}', '{"receivedAtMs":1,"events":[]}', '\ufffd\u0000'])
      await put(poison);
    // Half a decision's id would do for the database, and stand for another event.
    const short = event({ decisionId: 'ab' });
    for (const poison of [sql, short, ancient]) await put(received([poison]));
    await put(received([event()]));
    // Well formed, but nothing the database can take: the counter would not fit.
    await put(received([overflowing.event()]));
    await put(received([event()]));

    await newLog();
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2 });
    expect(await adRow(server.ctx, overflowing.adId)).toMatchObject({ totalImpressions: 2_147_483_647 });
    expect(await keptAside()).toBe(9);
  });

  it('GEN-19 a stream that is full refuses, keeps what it has, and takes more when there is room', async () => {
    // An operator's own stream is taken as it is.
    const { config } = await stream.jsm.streams.info(STREAM);
    await stream.jsm.streams.update(STREAM, { ...config, max_bytes: 4000 });
    const { adId, event } = await running();
    const log = await newLog();
    let accepted = 0;
    await whileHeld(adId, async () => {
      for (let refused = 0; refused < 3;) {
        await log.append([event()]).then(
          () => (accepted += 1),
          () => (refused += 1),
        );
      }
    });
    expect(accepted).toBeGreaterThan(3);
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: accepted });
    await log.append([event()]);
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: accepted + 1 });
  });

  it('GEN-19 behind a stream that hangs only so many events wait, for so long; the rest is refused at once', async () => {
    const { adId, event } = await running();
    const log = await newLog({ mostWaiting: 500 });
    await nats.signal('SIGSTOP');
    let unsettled = 0;
    let most = 0;
    let accepted = 0;
    const all: Promise<void>[] = [];
    for (let round = 0; round < 200; round++) {
      for (let each = 0; each < 100; each++) {
        unsettled += 1;
        const settled = log.append([event()]).then(
          () => void (accepted += 1),
          () => {},
        );
        all.push(settled.finally(() => void (unsettled -= 1)));
      }
      await pause(1);
      most = Math.max(most, unsettled);
    }
    // The queue, and eight messages of at most 250 events on their way.
    expect(most).toBeLessThanOrEqual(500 + 8 * 250);
    await Promise.all(all);
    expect(accepted).toBe(0);
    await nats.signal('SIGCONT');
    // As soon as it breathes again.
    while (
      !(await log.append([event()]).then(
        () => true,
        () => false,
      ))
    )
      await pause(50);
    await caughtUp();
    expect((await expectWhole(server, adId)).row.totalImpressions).toBeGreaterThanOrEqual(1);
  });

  it('GEN-19 while the stream is away events are refused at once, and none is kept for later', async () => {
    const { adId, event } = await running();
    const log = await newLog();
    await nats.signal('SIGKILL');
    await expect(log.append([event()])).rejects.toBeInstanceOf(Error);
    const refused: AdEvent[] = [];
    for (let each = 0; each < 1000; each++) {
      const given = event();
      log.append([given]).catch(() => void refused.push(given));
    }
    // Far sooner than the deadline of a message that is on its way.
    await pause(200);
    expect(refused).toHaveLength(1000);
    await nats.start();
    const last = event();
    while (
      !(await log.append([last]).then(
        () => true,
        () => false,
      ))
    )
      await pause(50);
    await caughtUp();
    expect((await expectWhole(server, adId)).row.totalImpressions).toBe(1);
  });

  it('GEN-19 a stream that somebody removed is made again', async () => {
    const { adId, event } = await running();
    const log = await newLog();
    await stream.jsm.streams.delete(STREAM);
    while (
      !(await log.append([event()]).then(
        () => true,
        () => false,
      ))
    )
      await pause(50);
    while ((await adRow(server.ctx, adId)).totalImpressions === 0) await pause(10);
    expect((await expectWhole(server, adId)).row.totalImpressions).toBe(1);
  });

  async function refusal(url: string): Promise<string> {
    const error: unknown = await openStream(url).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EventLogUnusable);
    return (error as Error).message;
  }

  it('RUN-05 a stream that could lose an acknowledged event is refused, with the rule that would', async () => {
    const { config } = await stream.jsm.streams.info(STREAM);
    await stream.jsm.streams.delete(STREAM);
    await stream.jsm.streams.add({ name: STREAM, subjects: [SUBJECT], storage: StorageType.Memory });
    expect(await refusal(nats.url)).toMatch(/^EVENT_LOG_URL cannot be used: .*in memory, not in files\.$/);
    await stream.jsm.streams.delete(STREAM);
    await stream.jsm.streams.add({ name: STREAM, subjects: [SUBJECT] });
    expect(await refusal(nats.url)).toContain('another retention than workqueue');
    await stream.jsm.streams.delete(STREAM);
    await stream.jsm.streams.add({ ...config, max_age: 3_600_000_000_000 });
    expect(await refusal(nats.url)).toContain('drops events by age');
  });

  it('RUN-05 an address where nothing answers, a wrong password and a server without JetStream each stop the start, and no secret is printed', async () => {
    expect(await refusal('nats://ann:hush@127.0.0.1:1')).toMatch(/^EVENT_LOG_URL cannot be used: \S.*\.$/);
    const guarded = await startNats(['-js', '--user', 'ann', '--pass', 'hush']);
    const plain = await startNats([]);
    try {
      const wrong = await refusal(`nats://eve:secret@127.0.0.1:${guarded.port}`);
      expect(wrong).toMatch(/authori[sz]ation/i);
      expect(wrong).not.toMatch(/eve|secret/);
      const right = await openStream(`nats://ann:hush@127.0.0.1:${guarded.port}`);
      await right.connection.close();
      expect(await refusal(plain.url)).toContain('the server has no JetStream');
    } finally {
      await guarded.close();
      await plain.close();
    }
  });
});
