/** A stream as the release before made it, while both releases run. */
import { setTimeout as pause } from 'node:timers/promises';
import { AckPolicy, DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { adRow, makeRunningAd, makeSiteWithZone, startAdServerTest } from '../../server/testing/delivery.ts';
import { untilTestEnds } from '../../server/testing/starts/use-server.ts';
import { newEvent } from '../../server/testing/delivery/events.ts';
import { natsIsHere, startNats } from './testing/nats-server.ts';
import { encode } from '../../server/delivery/event-log/sharing/message.ts';
import { connectionOptions, EARLIER_CONSUMER, EARLIER_SUBJECT, STREAM, subjectOf } from './stream.ts';

const { here, note } = await natsIsHere();

describe.skipIf(!here)(`servers of two releases on one stream${note}`, () => {
  // Proves SCALE-01, SCALE-12
  it('counts what the release before has sent, sorts its own events by publisher, and leaves the other its consumer', async () => {
    const nats = await startNats();
    const connection = await connect(connectionOptions(nats.url));
    const jsm = await jetstreamManager(connection);
    await jsm.streams.add({
      name: STREAM,
      subjects: [EARLIER_SUBJECT],
      storage: StorageType.File,
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.New,
      max_bytes: 1024 ** 3,
    });
    await jsm.consumers.add(STREAM, {
      durable_name: EARLIER_CONSUMER,
      ack_policy: AckPolicy.Explicit,
      max_deliver: -1,
    });
    const server = await untilTestEnds(startAdServerTest({ EVENT_LOG_URL: nats.url }));
    const { zoneId, zone } = await makeSiteWithZone(server.ctx);
    const { id: adId } = await makeRunningAd(server.ctx, zoneId);
    await server.app.refreshDelivery();
    const send = async () => {
      const events = [newEvent(server, { adId, zoneId })];
      await jsm
        .jetstream()
        .publish(EARLIER_SUBJECT, encode({ receivedAtMs: server.clock.now().getTime(), events }));
    };
    await send();
    while ((await adRow(server.ctx, adId)).totalImpressions < 1) await pause(10);

    // While the ad is locked, what the server sends itself stays in the stream.
    const { view } = await server.decide(zone);
    server.clock.advance(2000);
    const holder = await server.app.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from ads where id = $1 for update', [adId]);
    expect(await server.view(view)).toBe(204);
    const { userId } = await server.ctx.db
      .selectFrom('websites')
      .innerJoin('adZones', 'adZones.websiteId', 'websites.id')
      .select('userId')
      .where('adZones.id', '=', zoneId)
      .executeTakeFirstOrThrow();
    const { state } = await jsm.streams.info(STREAM, { subjects_filter: '>' });
    expect(state.subjects).toEqual({ [subjectOf(userId % 16)]: 1 });
    await holder.query('rollback');
    holder.release();
    while ((await adRow(server.ctx, adId)).totalImpressions < 2) await pause(10);

    await server.close();
    // Without a server of this release, the other one reads its own events from its own consumer.
    await send();
    const consumer = await jsm.jetstream().consumers.get(STREAM, EARLIER_CONSUMER);
    const message = await consumer.next();
    expect(message?.subject).toBe(EARLIER_SUBJECT);
    message?.ack();
    await connection.close();
    await nats.close();
  });
});
