/** A server answers before it has read all live ads. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { freePort } from '#server/db/free-port.ts';
import { Client } from '#server/testing/client.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '#server/testing/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer();

async function startOther() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const app = await buildApp({
    config: readConfig({
      PORT: String(port),
      DATA_DIR: server.ctx.config.dataDir,
      SAMPLE_DATA: '0',
      PUBLIC_URL: url,
    }),
    databaseUrl: server.databaseUrl,
    sessionSecrets: [SESSION_SECRET],
    now: server.clock.now,
    logger: false,
  });
  await app.fastify.listen({ port, host: '127.0.0.1' });
  return { app, caller: new Client(url) };
}

// Proves SCALE-41
it('listens before the live ads are read, and is ready when they are', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  let other: Awaited<ReturnType<typeof startOther>> | undefined;
  const statusOf = async (what: string) => (await other!.caller.get(`/api/health/${what}`)).status;
  const ask = async () =>
    (await other!.caller.get(`/api/serve/ads?z=${zone}`, { origin: SITE, 'user-agent': BROWSER })).body;
  try {
    await server.owner.transaction().execute(async (tx) => {
      await sql`lock table ads in access exclusive mode`.execute(tx);
      other = await startOther();
      expect([await statusOf('live'), await statusOf('ready'), await statusOf('delivery')]).toEqual([
        200, 503, 503,
      ]);
      expect((await other.caller.get('/api/health/delivery')).body).toMatchObject({
        reasons: ['The live ads have not been read yet.'],
      });
      expect(await ask()).toEqual({ ads: [{ zone, kind: 'none' }] });
    });
    await expect.poll(() => statusOf('delivery')).toBe(200);
    expect(await statusOf('ready')).toBe(200);
    expect(await ask()).toMatchObject({ ads: [{ zone, kind: 'text' }] });
  } finally {
    await other?.app.close();
  }
});

// Proves SCALE-41
it('stops while it reads the live ads', async () => {
  const { owner, ctx } = server;
  let closing: Promise<void> | undefined;
  await owner.transaction().execute(async (tx) => {
    await sql`lock table ads in access exclusive mode`.execute(tx);
    const { app } = await startOther();
    closing = app.close();
    await sql`select pg_sleep(0.2)`.execute(tx);
  });
  await closing;
  expect(await ctx.db.selectFrom('servers').select('server').execute()).toHaveLength(1);
});
