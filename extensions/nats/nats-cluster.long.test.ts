/** Runs three NATS servers as a cluster, as an operator would, and kills one of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../server/platform/database/embedded/process.ts';
import {
  type AdServerTest,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
} from '../../server/testing/delivery/delivery.ts';
import { directNatsLog } from './testing/direct-log.ts';
import { expectNothingLost, newEvent } from '../../server/testing/delivery/events.ts';
import { natsIsHere, type NatsServer, startNats } from './testing/nats-server.ts';
import { type EventLog, findCounters } from '../../server/delivery/event-log/event-log.ts';
import { openStream, STREAM } from './stream.ts';

const { here, note } = await natsIsHere();
const NODES = 3;

describe.skipIf(!here)(`events through a cluster of NATS servers${note}`, () => {
  let server: AdServerTest;
  let nodes: NatsServer[];
  let stream: Awaited<ReturnType<typeof openStream>>;
  let log: EventLog;

  beforeAll(async () => {
    server = await startAdServerTest();
    const ports = await Promise.all(Array.from({ length: NODES }, async () => await freePort()));
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(',');
    nodes = await Promise.all(
      ports.map(async (port, index) => {
        const cluster = ['--cluster_name', 'openslot', '--cluster', `nats://127.0.0.1:${port}`];
        return await startNats(['-js', '-n', `node-${index}`, ...cluster, '--routes', routes]);
      }),
    );
    const url = nodes.map((node) => node.url).join(',');
    // Wait until the nodes have found each other and elected a leader.
    for (;;) {
      const opened = await openStream(url).catch(() => null);
      if (opened) {
        stream = opened;
        break;
      }
      await pause(100);
    }
    log = await directNatsLog(server, url);
  });
  afterAll(async () => {
    await log.stop();
    await stream.connection.close();
    for (const node of nodes) await node.close();
    await server.close();
  });

  // Proves DEL-05, DEL-04, RUN-04
  it('loses no acknowledged event and counts none twice when the leading node is killed under load', async () => {
    const before = await stream.jsm.streams.info(STREAM);
    expect(before.config.num_replicas).toBe(NODES);
    expect(before.cluster?.replicas).toHaveLength(NODES - 1);
    const { zoneId } = await makeSiteWithZone(server.ctx);
    const { id: adId } = await makeRunningAd(server.ctx, zoneId);
    const all = Array.from({ length: 3000 }, () => newEvent(server, { adId, zoneId }));
    const acknowledged = new Set<string>();
    const send = async (event: (typeof all)[number]) => {
      if (acknowledged.has(event.decisionId)) return;
      await log.append([event]).then(
        () => acknowledged.add(event.decisionId),
        () => {},
      );
    };

    const leader = nodes[Number(before.cluster?.leader?.replace('node-', ''))]!;
    let killed: Promise<void> | null = null;
    for (const [index, event] of all.entries()) {
      void send(event);
      if (index === 1000) killed = leader.signal('SIGKILL');
      if (index % 20 === 0) await pause(1);
    }
    await killed;
    // Send the rejected events again until the two remaining nodes have accepted them.
    while (acknowledged.size < all.length) {
      await Promise.all(all.map(send));
      await pause(100);
    }
    while ((await counted()) < all.length) await pause(50);
    const { row, events } = await expectNothingLost(server, adId);
    expect(row.totalImpressions).toBe(all.length);
    expect(new Set(events.map((each) => each.decisionId.toString('hex')))).toEqual(acknowledged);

    // After its restart the node catches up and rejoins the cluster.
    await leader.start();
    for (;;) {
      const info = await stream.jsm.streams.info(STREAM).catch(() => null);
      if (info?.cluster?.replicas?.every((replica) => replica.current && !replica.offline)) break;
      await pause(100);
    }
    await log.append([newEvent(server, { adId, zoneId })]);
    while ((await counted()) <= all.length) await pause(50);

    async function counted(): Promise<number> {
      const [ad] = await findCounters(server.ctx.db, [adId]);
      return ad?.totalImpressions ?? 0;
    }
  });
});
