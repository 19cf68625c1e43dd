import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StorageType } from '@nats-io/jetstream';
import { sql } from 'kysely';
import { TimeoutError } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, later, utcDay } from '../../domain/time.ts';
import { completeDueAds } from '../../server/ads/life/complete.ts';
import {
  adRow,
  type AdServerTest,
  figures,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
} from '../../server/testing/delivery/delivery.ts';
import { openCounter } from '../../server/testing/delivery/counting.ts';
import { directNatsLog, isCaughtUp } from './testing/direct-log.ts';
import { expectExactCounting, expectNothingLost, newEvent } from '../../server/testing/delivery/events.ts';
import { natsIsHere, type NatsServer, startNats } from './testing/nats-server.ts';
import { newTemporaryFolder, removeFolder } from '../../server/testing/temporary.ts';
import { packEvents } from '../../server/delivery/event-log/partitions/pack-events.ts';
import {
  type AdEvent,
  type EventLog,
  EventLogUnusable,
  type Uncounted,
} from '../../server/delivery/event-log/event-log.ts';
import { encode } from '../../server/delivery/event-log/sharing/message.ts';
import { ASIDE_STREAM, consumerOf, ensureConsumer, openStream, STREAM, subjectOf } from './stream.ts';

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
  });
  afterEach(async () => {
    for (const log of open) await log.stop();
    open = [];
    await stream.connection.close();
    await nats.close();
  });

  async function newLog(options: Parameters<typeof directNatsLog>[2] = {}): Promise<EventLog> {
    const log = await directNatsLog(server, nats.url, options);
    open.push(log);
    return log;
  }

  /**
   * Waits until the servers have counted all messages of the stream. A stream that has just started may answer late.
   */
  async function caughtUp(): Promise<void> {
    const isDone = async () =>
      await isCaughtUp(stream.jsm).catch((error: unknown) => {
        if (error instanceof TimeoutError) return false;
        throw error;
      });
    while (!(await isDone())) await pause(10);
  }

  async function running(fields: Parameters<typeof makeRunningAd>[2] = {}) {
    const { zoneId } = await makeSiteWithZone(server.ctx);
    const { id: adId } = await makeRunningAd(server.ctx, zoneId, fields);
    return { adId, event: (more: Partial<AdEvent> = {}) => newEvent(server, { adId, zoneId, ...more }) };
  }

  const isAccepted = async (log: EventLog, given: AdEvent) =>
    await log.append([given]).then(
      () => true,
      () => false,
    );
  const put = async (content: string | Parameters<typeof encode>[0]) =>
    await stream.jsm
      .jetstream()
      .publish(subjectOf(0), typeof content === 'string' ? content : encode(content));
  const received = (events: AdEvent[], at = server.clock.now()) => ({ receivedAtMs: at.getTime(), events });
  const countSetAside = async () => (await stream.jsm.streams.info(ASIDE_STREAM)).state.messages;

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

  // Proves DEL-03, DEL-05, ENT-32, STATE-06
  it('counts any events from three servers in any order once, and never beyond the goal', async () => {
    const logs: [EventLog, EventLog, EventLog] = [await newLog(), await newLog(), await newLog()];
    const events = await expectExactCounting(server, logs, { numRuns: 25, caughtUp });
    expect(events).toBeGreaterThan(0);
  });

  // Proves DEL-05, STATE-06
  it('reaches a goal exactly when three servers count at the same time', async () => {
    const logs = [await newLog(), await newLog(), await newLog()];
    for (let round = 0; round < 5; round++) {
      const { adId, event } = await running({ pricingModel: 'per_impression', amount: 100 });
      // The events of a single server stay below the goal. Those of two exceed it.
      await Promise.all(logs.map(async (log) => await log.append(Array.from({ length: 60 }, () => event()))));
      await caughtUp();
      expect(await adRow(server.ctx, adId)).toMatchObject({ status: 'completed', totalImpressions: 100 });
    }
  });

  // Proves DEL-03, ENT-32
  it('counts a message once when it is delivered again, and reports no duplicate', async () => {
    const { adId, event } = await running();
    await put(received([event(), event()]));
    // Act as a server that is killed between its commit and its acknowledgment.
    await ensureConsumer(stream.jsm, consumerOf(0), subjectOf(0));
    const consumer = await stream.jsm.jetstream().consumers.get(STREAM, consumerOf(0));
    const message = await consumer.next();
    const { events } = message!.json<{ events: AdEvent[] }>();
    const counter = openCounter(server.databaseUrl);
    await counter.count(events, server.clock.now());
    await counter.close();
    message!.nak();

    await newLog();
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2 });
    expect(await figures(server.ctx, adId)).toEqual({ view: 2 });
  });

  // Proves DEL-04, ENT-32
  it('counts acknowledged events later if the database cannot count them now', async () => {
    const { adId, event } = await running();
    const changes: Uncounted[] = [];
    const log = await newLog({ onUncounted: (ads) => void changes.push(...ads) });
    await whileHeld(adId, async () => {
      for (let each = 0; each < 5; each++) await log.append([event()]);
      expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 0 });
      // Until then the server knows them as uncounted, so that it does not serve the same impressions again.
      expect(changes.at(-1)).toEqual({ adId, views: 5, clicks: 0 });
      expect(log.backlog()).toEqual({ waiting: 0, waitingMs: 0, uncountedMs: expect.any(Number) as number });
      expect(log.backlog().uncountedMs).toBeGreaterThan(0);
      // Interrupt the counting. The fetched messages go back to the stream.
      let cut = 0;
      while (cut === 0) {
        const { rowCount } = await server.app.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'openslot counting' and wait_event_type = 'Lock' and datname = current_database()`,
        );
        cut = rowCount ?? 0;
      }
    });
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 5 });
    while (changes.at(-1)?.views !== 0) await pause(10);
    expect(log.backlog().uncountedMs).toBe(0);
  });

  // Proves DEL-04, RUN-04
  it('loses no acknowledged event when the stream is killed under load', async () => {
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
    // Clients may send rejected events again, and accepted ones too.
    while (acknowledged.size < all.length) {
      await Promise.all(all.map(async (each, index) => await send(index % 2, each)));
      await pause(100);
    }
    await caughtUp();
    const { row, events } = await expectNothingLost(server, adId);
    expect(row.totalImpressions).toBe(all.length);
    expect(new Set(events.map((each) => each.decisionId.toString('hex')))).toEqual(acknowledged);
  });

  // Proves DEL-04, DEL-06, ENT-32
  it('counts an event on the day it was received, even if it is counted days later', async () => {
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

  // Proves DEL-04, ENT-32
  it('sets invalid messages aside and keeps counting the others', async () => {
    const { adId, event } = await running();
    const overflowing = await running();
    await server.app.pool.query('update ads set total_impressions = 2147483647 where id = $1', [
      overflowing.adId,
    ]);
    const sql = event({ decisionId: '00"},{"x\\' });
    const ancient = event({ issuedAtMs: server.clock.now().getTime() - 40 * 86_400_000 });
    for (const poison of ['', 'no json', '{}', '{"receivedAtMs":1,"events":[]}', '\ufffd\u0000'])
      await put(poison);
    // The database would accept a shortened decision id, but it would name another event.
    const short = event({ decisionId: 'ab' });
    for (const poison of [sql, short, ancient]) await put(received([poison]));
    await put(received([event()]));
    // This event is valid, but the database rejects it because the counter would overflow.
    await put(received([overflowing.event()]));
    await put(received([event()]));

    await newLog();
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2 });
    expect(await adRow(server.ctx, overflowing.adId)).toMatchObject({ totalImpressions: 2_147_483_647 });
    expect(await countSetAside()).toBe(9);
  });

  // Proves GEN-19
  it('rejects events while the stream is full, keeps the stored ones, and accepts more when there is room', async () => {
    const { adId, event } = await running();
    const log = await newLog();
    let accepted = 0;
    await whileHeld(adId, async () => {
      await log.append([event()]);
      const { config, state } = await stream.jsm.streams.info(STREAM);
      // Openslot uses an operator's own stream with its limits. This one has room for ten messages of this size: NATS 2.9
      // compares the limit with the payload of a message and then drops old messages for the rest of it.
      await stream.jsm.streams.update(STREAM, { ...config, max_bytes: 10 * state.bytes + 1 });
      accepted = 1;
      for (let refused = 0; refused < 3;) {
        await log.append([event()]).then(
          () => (accepted += 1),
          () => (refused += 1),
        );
      }
    });
    expect(accepted).toBe(10);
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: accepted });
    // The log learns within half a second that there is room.
    while (!(await isAccepted(log, event()))) await pause(50);
    await caughtUp();
    expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: accepted + 1 });
  });

  it('rejects events before the stream is full, because NATS drops old messages for the last ones', async () => {
    const { adId, event } = await running();
    const log = await newLog();
    await whileHeld(adId, async () => {
      await log.append([event()]);
      const { config, state } = await stream.jsm.streams.info(STREAM);
      await stream.jsm.streams.update(STREAM, { ...config, max_bytes: 200 * state.bytes });
      let accepted = 1;
      while (await isAccepted(log, event())) {
        accepted += 1;
        // The server looks twice a second, so the last sixteenth takes longer than that.
        await pause(accepted < 180 ? 1 : 100);
      }
      // Nothing was dropped, and a sixteenth of the stream is free, or a little less by the time of the check.
      const { messages, bytes } = (await stream.jsm.streams.info(STREAM)).state;
      expect(messages).toBe(accepted);
      expect(bytes).toBeGreaterThan(150 * state.bytes);
      expect(bytes).toBeLessThan(200 * state.bytes);
    });
    await caughtUp();
    expect((await expectNothingLost(server, adId)).row.totalImpressions).toBeGreaterThan(150);
  });

  // Proves GEN-19
  it('queues a limited number of events for a limited time behind a hanging stream, and rejects the rest at once', async () => {
    const { adId, event } = await running();
    const log = await newLog({ maxWaiting: 500 });
    await nats.signal('SIGSTOP');
    let pending = 0;
    let peak = 0;
    let accepted = 0;
    const all: Promise<void>[] = [];
    for (let round = 0; round < 200; round++) {
      for (let each = 0; each < 100; each++) {
        pending += 1;
        const appended = log.append([event()]).then(
          () => void (accepted += 1),
          () => {},
        );
        all.push(appended.finally(() => void (pending -= 1)));
      }
      await pause(1);
      peak = Math.max(peak, pending);
    }
    // The queue, plus eight messages in flight with at most 250 events each.
    expect(peak).toBeLessThanOrEqual(500 + 8 * 250);
    await Promise.all(all);
    expect(accepted).toBe(0);
    await nats.signal('SIGCONT');
    // Append succeeds once the stream responds again.
    while (
      !(await log.append([event()]).then(
        () => true,
        () => false,
      ))
    )
      await pause(50);
    await caughtUp();
    expect((await expectNothingLost(server, adId)).row.totalImpressions).toBeGreaterThanOrEqual(1);
  });

  // Proves GEN-19
  it('rejects events at once while the stream is down, and keeps none of them for later', async () => {
    const { adId, event } = await running();
    const log = await newLog();
    await nats.signal('SIGKILL');
    await expect(log.append([event()])).rejects.toBeInstanceOf(Error);
    const refused: AdEvent[] = [];
    for (let each = 0; each < 1000; each++) {
      const given = event();
      log.append([given]).catch(() => void refused.push(given));
    }
    // This is much shorter than the deadline of a message in flight.
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
    expect((await expectNothingLost(server, adId)).row.totalImpressions).toBe(1);
  });

  // Proves GEN-19
  it('creates the stream again after it was removed', async () => {
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
    expect((await expectNothingLost(server, adId)).row.totalImpressions).toBe(1);
  });

  it('counts what NATS stores after it has lost its messages and their numbers, beside a server and before its start', async () => {
    const { adId, event } = await running();
    const store = newTemporaryFolder('nats');
    const own = await startNats(['-js', '-sd', store]);
    const start = async () => {
      const log = await directNatsLog(server, own.url);
      open.push(log);
      return log;
    };
    const stopAll = async () => {
      for (const log of open.splice(0)) await log.stop();
    };
    const counted = async (total: number) => {
      while ((await adRow(server.ctx, adId)).totalImpressions < total) await pause(10);
    };
    const accept = async (log: EventLog, count: number) => {
      for (let each = 0; each < count; each++) {
        const given = event();
        while (!(await isAccepted(log, given))) await pause(50);
      }
    };
    /** As a full disk does: the consumers stay, and the file of messages is empty. */
    const loseMessages = async () => {
      // NATS writes down a little later what a consumer has acknowledged.
      await pause(2000);
      await own.signal('SIGKILL');
      const messages = path.join(store, 'jetstream/$G/streams', STREAM, 'msgs');
      for (const file of readdirSync(messages)) rmSync(path.join(messages, file));
      await own.start();
    };
    try {
      const log = await start();
      await accept(log, 5);
      await counted(5);
      await loseMessages();
      await accept(log, 3);
      await counted(8);
      await stopAll();
      await loseMessages();
      const other = await openStream(own.url);
      // More than the consumer has delivered.
      for (let each = 0; each < 10; each++) {
        const given = event();
        // The partition of the others, by directNatsLog.
        const subject = subjectOf(given.zoneId % 3);
        await other.jsm.jetstream().publish(subject, encode(received([given])));
      }
      await other.connection.close();
      await start();
      await counted(18);
      expect((await expectNothingLost(server, adId)).row.totalImpressions).toBe(18);
    } finally {
      await stopAll();
      await own.close();
      removeFolder(store);
    }
  });

  async function refusal(url: string): Promise<string> {
    const error: unknown = await openStream(url).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EventLogUnusable);
    return (error as Error).message;
  }

  it('rejects a stream that could lose an acknowledged event, and names the setting to change', async () => {
    const { config } = await stream.jsm.streams.info(STREAM);
    await stream.jsm.streams.delete(STREAM);
    await stream.jsm.streams.add({
      name: STREAM,
      subjects: ['openslot.events.*'],
      storage: StorageType.Memory,
    });
    expect(await refusal(nats.url)).toMatch(/^EVENT_LOG_URL cannot be used: .*set its storage to file\.$/);
    await stream.jsm.streams.delete(STREAM);
    await stream.jsm.streams.add({ name: STREAM, subjects: ['openslot.events.*'] });
    expect(await refusal(nats.url)).toContain('set its retention to workqueue');
    await stream.jsm.streams.delete(STREAM);
    await stream.jsm.streams.add({ ...config, max_age: 3_600_000_000_000 });
    expect(await refusal(nats.url)).toContain('drops events by age');
  });

  // Proves SCALE-86
  it('keeps days of events as rows while a message is older than a day, or NATS is away', async () => {
    const pack = async (more: { url?: string; ahead?: number } = {}) =>
      await packEvents({
        ...server.ctx,
        config: { ...server.ctx.config, eventLogUrl: more.url ?? nats.url },
        realNow: () => later(new Date(), more.ahead ?? 0),
      });
    const day = utcDay(later(new Date(), -8 * DAY_MS));
    await sql`select ensure_event_partition(${day}::date)`.execute(server.owner);
    await sql`insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at)
      values (${day}::date, ${Buffer.alloc(12)}, 'view', 1, 1, ${day}::date, ${day}::date)`.execute(
      server.owner,
    );
    // Nobody counts, so the message stays.
    await stream.jsm.jetstream().publish(subjectOf(0), 'waits');
    expect(await pack({ ahead: DAY_MS + 60_000 })).toBe(0);
    expect(await pack({ url: 'nats://127.0.0.1:9' })).toBe(0);
    expect(await pack()).toBe(1);
  });

  it('refuses to start with an unreachable address, a wrong password or a server without JetStream, and prints no secret', async () => {
    expect(await refusal('nats://ann:hush@127.0.0.1:1')).toMatch(/^EVENT_LOG_URL cannot be used: \S.*\.$/);
    const guarded = await startNats(['-js', '--user', 'ann', '--pass', 'hush']);
    const plain = await startNats([]);
    try {
      const wrong = await refusal(`nats://eve:secret@127.0.0.1:${guarded.port}`);
      expect(wrong).toMatch(/authori[sz]ation/i);
      expect(wrong).not.toMatch(/eve|secret/);
      const right = await openStream(`nats://ann:hush@127.0.0.1:${guarded.port}`);
      await right.connection.close();
      expect(await refusal(plain.url)).toContain('JetStream is not enabled');
    } finally {
      await guarded.close();
      await plain.close();
    }
  });
});
