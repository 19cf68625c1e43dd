import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  adRow,
  makeRunningAd,
  makeSiteWithZone,
  startAdServerTest,
} from '../../server/testing/delivery/delivery.ts';
import { untilTestEnds } from '../../server/testing/starts/use-server.ts';
import { openStream, STREAM, subjectOf } from './stream.ts';
import { natsIsHere, startNats } from './testing/nats-server.ts';

const { here, note } = await natsIsHere();

describe.skipIf(!here)(`a server with NATS${note}`, () => {
  it('sorts its events by publisher', async () => {
    const nats = await startNats();
    const server = await untilTestEnds(startAdServerTest({ EVENT_LOG_URL: nats.url }));
    const { zoneId, zone } = await makeSiteWithZone(server.ctx);
    const { id: adId } = await makeRunningAd(server.ctx, zoneId);
    await server.app.refreshDelivery();
    const { view } = await server.decide(zone);
    server.clock.advance(2000);

    // While the ad is locked, what the server sends stays in the stream.
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
    const { connection, jsm } = await openStream(nats.url);
    const { state } = await jsm.streams.info(STREAM, { subjects_filter: '>' });
    expect(state.subjects).toEqual({ [subjectOf(userId % 16)]: 1 });
    await holder.query('rollback');
    holder.release();
    while ((await adRow(server.ctx, adId)).totalImpressions < 1) await pause(10);

    await server.close();
    await connection.close();
    await nats.close();
  });
});
