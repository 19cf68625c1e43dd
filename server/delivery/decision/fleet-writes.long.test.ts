/** Six servers write hardly more rows than one, however many of them are asked for the same ads. */
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, buildApp } from '#server/app/app.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { Client } from '#server/testing/client.ts';
import { countWrites } from '#server/testing/database/writes.ts';
import {
  addZone,
  type AdServerTest,
  BROWSER,
  makeRunningAd,
  makeSiteWithZone,
  SITE,
  startAdServerTest,
} from '#server/testing/delivery/delivery.ts';

const SERVERS = 6;
const ZONES = 5;
const SECONDS = 12;

let server: AdServerTest;
const others: App[] = [];
beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => {
  for (const app of others) await app.close();
  await server.close();
});

it('figures of decisions and seen tags are written as often by six servers, each every sixth second, as by one', async () => {
  const { ctx } = server;
  const { websiteId, zone, zoneId } = await makeSiteWithZone(ctx);
  const zones = [{ zone, zoneId }];
  while (zones.length < ZONES) zones.push(await addZone(ctx, websiteId));
  for (const each of zones) await makeRunningAd(ctx, each.zoneId);
  while (others.length < SERVERS - 1) {
    const app = await buildApp({
      config: ctx.config,
      databaseUrl: server.databaseUrl,
      sessionSecrets: [SESSION_SECRET],
      now: server.clock.now,
      logger: false,
    });
    others.push(app);
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  }
  const apps = [server.app, ...others];
  for (const app of apps) await app.refreshDelivery();
  // They know each other as soon as they have shared the partitions of events.
  const owned = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from pg_locks
        where locktype = 'advisory' and classid = 7305116 and granted
          and database = (select oid from pg_database where datname = current_database())
        group by pid order by 1`.execute(server.owner);
    return rows.map(({ n }) => n);
  };
  await expect.poll(owned).toEqual([2, 2, 3, 3, 3, 3]);

  const names = zones.map((each) => each.zone).join(',');
  const clients = apps.map(
    (app) => new Client(`http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`),
  );
  const askAll = async () => {
    for (const client of clients) {
      const { status } = await client.get(`/api/serve/ads?z=${names}`, {
        origin: SITE,
        'user-agent': BROWSER,
      });
      expect(status).toBe(200);
    }
  };
  const writes = await countWrites(server.owner);
  const from = performance.now();
  while (performance.now() - from < SECONDS * 1000) {
    await askAll();
    await pause(100);
  }
  const seconds = (performance.now() - from) / 1000;
  const { delivery_hourly: figures = 0, ad_zones: seen = 0 } = await writes();
  // One server writes its ads once a second. Each of six may have begun before.
  expect(figures).toBeGreaterThan(0);
  expect(figures).toBeLessThanOrEqual(ZONES * (seconds + SERVERS));
  expect(seen).toBe(ZONES);
});
