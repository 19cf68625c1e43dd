/** Events that servers hand to each other through PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { adRow, figures, makeRunningAd, makeSiteWithZone } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { expectNothingLost, newEvent } from '#server/testing/delivery/events.ts';
import { createCounter } from '../counter.ts';
import type { Uncounted } from '../event-log.ts';
import { postgresEventLog } from '../postgres-event-log.ts';
import { createCountingConnection } from './connection.ts';
import { countHanded } from './count-handed.ts';
import { FIND_HANDED, firstHanded } from './handed-over.ts';
import { encode } from './message.ts';
import { createPartitionOf } from './ownership.ts';

const PARTITIONS = 16;

const server = useOwnAdServer();

async function running(fields: Parameters<typeof makeRunningAd>[2] = {}) {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId, fields);
  return { adId, zoneId, event: () => newEvent(server, { adId, zoneId }) };
}

const handedRows = async () => await server.ctx.db.selectFrom('handedEvents').selectAll().execute();

/** The event log of another server, which owns no partition. `server` owns all of them. */
function logOfAnother(onUncounted: (ads: readonly Uncounted[]) => void = () => {}) {
  const connection = createCountingConnection(server.databaseUrl);
  const log = postgresEventLog({
    db: server.ctx.db,
    connection,
    ownership: { ownedOn: async () => new Set() },
    counter: createCounter(),
    partitionOf: createPartitionOf(PARTITIONS, () => undefined),
    now: server.clock.now,
    clockAheadMs: () => 0,
    listener: { onCounted: () => {}, onUncounted },
  });
  const stop = async () => {
    await log.stop();
    await connection.close();
  };
  return { ...log, stop };
}

it('sorts events by the publisher of their zone, and by the zone if it is not known', () => {
  const publishers = new Map([
    [1, 35],
    [2, 35],
    [3, 36],
  ]);
  const partitionOf = createPartitionOf(PARTITIONS, (zoneId) => publishers.get(zoneId));
  expect([1, 2, 3, 20].map((zoneId) => partitionOf({ zoneId }))).toEqual([3, 3, 4, 4]);
});

// Proves RUN-04
it('a server hands events to their owner, who counts each once; until then they count towards the goal', async () => {
  const changes: Uncounted[] = [];
  const log = logOfAnother((ads) => void changes.push(...ads));
  await log.start();
  const ads = [await running({ pricingModel: 'per_impression', amount: 30 }), await running()];
  const events = ads.flatMap(({ event }) => Array.from({ length: 40 }, event));
  await Promise.all(events.map(async (event) => await log.append([event])));
  expect(changes).toContainEqual({ adId: ads[0]!.adId, views: 40, clicks: 0 });
  // A visitor reports some of them again, to either server.
  await Promise.all(events.slice(0, 5).map(async (event) => await log.append([event])));
  while ((await handedRows()).length > 0) await pause(10);
  expect(await adRow(server.ctx, ads[0]!.adId)).toMatchObject({ status: 'completed', totalImpressions: 30 });
  expect(await figures(server.ctx, ads[0]!.adId)).toEqual({
    view: 30,
    'view over_goal': 10,
    'view duplicate': 5,
  });
  await expectNothingLost(server, ads[1]!.adId);
  while (log.backlog().uncountedMs > 0) await pause(10);
  expect(changes.at(-1)).toMatchObject({ views: 0, clicks: 0 });
  await log.stop();
});

// Proves RUN-04
it('two servers that take the same partitions for theirs count each event once', async () => {
  const { adId, event } = await running();
  const others = [1, 2].map(() => {
    const connection = createCountingConnection(server.databaseUrl);
    const counting = countHanded({
      connection,
      ownership: {
        start: async () => {},
        owned: () => new Set(),
        ownedOn: async () => new Set(Array.from({ length: PARTITIONS }, (_, partition) => partition)),
        onChange: () => {},
        servers: () => 3,
        stop: async () => {},
      },
      counter: createCounter(),
      listener: { onCounted: () => {} },
      log: server.ctx.log,
    });
    return { connection, counting };
  });
  const log = logOfAnother();
  const events = Array.from({ length: 300 }, event);
  for (let at = 0; at < events.length; at += 10) await log.append(events.slice(at, at + 10));
  while ((await handedRows()).length > 0) await pause(10);
  expect((await expectNothingLost(server, adId)).row.totalImpressions).toBe(events.length);
  for (const { connection, counting } of others) {
    await counting.stop();
    await connection.close();
  }
  await log.stop();
});

// Proves RUN-04
it('keeps messages that cannot be counted with the reason, and counts the others', async () => {
  const good = await running();
  const overflowing = await running();
  await sql`update ads set total_impressions = 2147483647 where id = ${overflowing.adId}`.execute(
    server.owner,
  );
  const receivedAtMs = server.clock.now().getTime();
  const contents = [
    'no event',
    encode({ receivedAtMs, events: [overflowing.event()] }),
    encode({ receivedAtMs, events: [good.event()] }),
  ];
  await server.ctx.db
    .insertInto('handedEvents')
    .values(contents.map((content) => ({ partition: 7, content })))
    .execute();
  while ((await adRow(server.ctx, good.adId)).totalImpressions === 0) await pause(10);
  while ((await handedRows()).some(({ refused }) => refused === null)) await pause(10);
  const rows = await handedRows();
  expect(rows.map(({ content }) => content)).toEqual(contents.slice(0, 2));
  expect(rows[0]!.refused).toBe('the message is not JSON');
  expect(rows[1]!.refused).toContain('integer out of range');
  await server.ctx.db.deleteFrom('handedEvents').execute();
});

it('finds the oldest messages of its partitions by the index, whatever waits', async () => {
  // No server counts the partitions from 16 on.
  await sql`insert into handed_events (partition, content)
    select 16 + n % 40, 'waits' from generate_series(1, 20000) n`.execute(server.owner);
  await sql`vacuum analyze handed_events`.execute(server.owner);
  const { rows } = await server.app.pool.query<{ 'QUERY PLAN': unknown }>(
    `explain (analyze, format json) ${FIND_HANDED}`,
    [[17, 18, 55], 4],
  );
  const plan = JSON.stringify(rows[0]!['QUERY PLAN']);
  expect(plan).toContain('handed_events_pkey');
  expect(plan).not.toContain('Seq Scan');
  expect(await firstHanded(server.ctx.db, [17, 18, 300])).toEqual(
    new Map([
      [17, expect.any(Number)],
      [18, expect.any(Number)],
    ]),
  );
  await sql`truncate handed_events`.execute(server.owner);
});
