/** A server answers before it has read all live ads. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { Client } from '#server/testing/client.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '#server/testing/delivery/delivery.ts';
import { anotherInstance, type Instance } from '#server/testing/starts/another-instance.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer();

it('listens before the live ads are read, and is ready when they are', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  let other: Instance | undefined;
  const caller = () => new Client(other!.url);
  const statusOf = async (what: string) => (await caller().get(`/api/health/${what}`)).status;
  const ask = async () =>
    (await caller().get(`/api/serve/ads?z=${zone}`, { origin: SITE, 'user-agent': BROWSER })).body;
  try {
    await server.owner.transaction().execute(async (tx) => {
      await sql`lock table ads in access exclusive mode`.execute(tx);
      other = await anotherInstance(server);
      expect([await statusOf('live'), await statusOf('ready'), await statusOf('delivery')]).toEqual([
        200, 503, 503,
      ]);
      expect((await caller().get('/api/health/delivery')).body).toMatchObject({
        reasons: ['The live ads have not been read yet.'],
      });
      expect(await ask()).toEqual({ ads: [{ zone, kind: 'none' }] });
    });
    await expect.poll(() => statusOf('delivery')).toBe(200);
    expect(await statusOf('ready')).toBe(200);
    expect(await ask()).toMatchObject({ ads: [{ zone, kind: 'text' }] });
  } finally {
    await other?.close();
  }
});

it('stops while it reads the live ads', async () => {
  const { owner, ctx } = server;
  let closing: Promise<void> | undefined;
  await owner.transaction().execute(async (tx) => {
    await sql`lock table ads in access exclusive mode`.execute(tx);
    const { close } = await anotherInstance(server);
    closing = close();
    await sql`select pg_sleep(0.2)`.execute(tx);
  });
  await closing;
  expect(await ctx.db.selectFrom('servers').select('server').execute()).toHaveLength(1);
});
