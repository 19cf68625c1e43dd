/** A standby that lagged becomes the primary: it lacks the last transactions, and gives their ids again. */
import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { type Embedded, startEmbedded } from '#server/platform/database/embedded/embedded.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { Client } from '#server/testing/client.ts';
import { freezable } from '#server/testing/database/freezable.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '#server/testing/delivery/delivery.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

const startIn = async (dataDir: string) =>
  await startEmbedded({ dataDir, log: () => {}, flags: ['-c', 'fsync=off'] });

const nextXid = async (db: Database) => {
  const { rows } = await sql<{
    xid: number;
  }>`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xid`.execute(db);
  return rows[0]!.xid;
};

it('takes an ad down, and drops what was lost, after a standby with lower transaction ids took over', async () => {
  const folders = [newTemporaryFolder('primary'), newTemporaryFolder('standby')] as const;
  const running: { stop: () => Promise<unknown> }[] = [];
  const run = async (folder: string): Promise<{ embedded: Embedded; db: Database }> => {
    const embedded = await startIn(folder);
    const db = createDatabase(createPool(embedded.ownerUrl('openslot'), 2));
    running.push({ stop: async () => await db.destroy().then(async () => await embedded.stop()) });
    return { embedded, db };
  };
  const now = () => new Date();
  try {
    const first = await run(folders[0]);
    await migrate(first.embedded.ownerUrl('openslot'), first.embedded.url('openslot'));
    const kept = await makeSiteWithZone({ db: first.db, now });
    const { id: keptAd } = await makeRunningAd({ db: first.db, now }, kept.zoneId);
    const gained = await makeSiteWithZone({ db: first.db, now });
    await running.pop()!.stop();
    execFileSync('cp', ['-a', `${folders[0]}/.`, folders[1]]);
    const primary = await run(folders[0]);

    const proxy = await freezable(primary.embedded.url('openslot'));
    running.push({ stop: async () => await Promise.resolve(proxy.close()) });
    const url = `http://127.0.0.1:${await freePort()}`;
    const { port } = new URL(url);
    const app = await buildApp({
      config: readConfig({ PORT: port, PUBLIC_URL: url, DATA_DIR: folders[0], SAMPLE_DATA: '0' }),
      databaseUrl: proxy.url,
      sessionSecrets: [SESSION_SECRET],
      logger: false,
    });
    running.push({ stop: app.close });
    await app.fastify.listen({ port: Number(port), host: '127.0.0.1' });
    const kindOf = async (zone: string) => {
      const { body } = await new Client(url).get(`/api/serve/ads?z=${zone}`, {
        origin: SITE,
        'user-agent': BROWSER,
      });
      return (body as { ads: { kind: string }[] }).ads[0]?.kind;
    };
    await app.refreshDelivery();
    expect([await kindOf(kept.zone), await kindOf(gained.zone)]).toEqual(['text', 'house']);

    // The standby does not have these transactions.
    const lost = await makeSiteWithZone({ db: primary.db, now });
    await makeRunningAd({ db: primary.db, now }, lost.zoneId);
    for (let each = 0; each < 200; each++) await sql`select pg_current_xact_id()`.execute(primary.db);
    await expect.poll(() => kindOf(lost.zone)).toBe('text');

    const standby = await run(folders[1]);
    await sql`update ads set status = 'completed' where id = ${keptAd}`.execute(standby.db);
    await makeRunningAd({ db: standby.db, now }, gained.zoneId);
    // It has already given more ids than the server remembers of the primary.
    const remembered = await nextXid(primary.db);
    while ((await nextXid(standby.db)) <= remembered)
      await sql`select pg_current_xact_id()`.execute(standby.db);
    proxy.failOver(standby.embedded.url('openslot'));
    await expect.poll(() => kindOf(kept.zone)).toBe('house');
    await expect.poll(() => kindOf(gained.zone)).toBe('text');
    await expect.poll(() => kindOf(lost.zone)).toBe('none');
  } finally {
    for (const each of running.toReversed()) await each.stop();
    for (const folder of folders) removeFolder(folder);
  }
});
