import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import { inSnapshot, type Tx } from '#server/platform/database/database.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { headOf } from '#server/money/transparency-log/prove.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { alone } from '#server/platform/jobs/alone.ts';
import { dumpDatabase, type WriteFile } from './dump.ts';
import {
  isBackup,
  leftoversOf,
  nameOf,
  proofOf,
  unfinished,
  type Manifest,
  readManifest,
} from './manifest.ts';
import { type BackupPlace, MANIFEST, openPlace } from './place.ts';
import { forgetBackup, hasBackupSince, noteBackup } from './store.ts';

/** `bytes` are those of all files, compressed. `backup` is its address. */
export type Backup = Pick<Manifest, 'release' | 'at' | 'counts'> & {
  backup: string;
  bytes: number;
  seconds: number;
};

/** The folder of a backup that has the files of users, by their keys. */
export const UPLOADS = 'files/';
/** The files of uploads that travel at once. Each is in memory, and 50 MB long at most. */
const AT_ONCE = 4;
export const ANOTHER_RUNS = 'Another backup is being made. Wait until it has ended, and run this again.';

/**
 * Makes a backup below `address`, a folder or `s3://BUCKET/PREFIX`, while the installation is used. Then removes all but
 * the `keep` newest ones of this installation there, and the newest that was restored as a proof. Returns null, with nothing done, if one was begun there at
 * `unlessSince` or later. Throws CommandRefused if another one is being made, or if the place fails.
 */
export async function makeBackup(
  ctx: Context,
  databaseUrl: string,
  address: string,
  { keep, unlessSince }: { keep?: number | undefined; unlessSince?: Date | undefined },
): Promise<Backup | null> {
  const place = openPlace(address, ctx.config);
  return await alone(databaseUrl, 'backup', ANOTHER_RUNS, async () => {
    // Asked with the lock held, so that of several servers that want one, one makes it.
    if (unlessSince && (await hasBackupSince(ctx.db, address, unlessSince))) return null;
    const began = performance.now();
    // Before the copies, which may need their room.
    for (const leftover of leftoversOf(await place.names(), ctx.now())) await place.remove(leftover);
    const name = await freeName(ctx, place);
    const { manifest, bytes } = await write(ctx, databaseUrl, place, name).catch(async (error: unknown) => {
      // It would take the room of the next try. If the place does not answer, a backup of tomorrow removes it.
      await place.remove(unfinished(name)).catch(() => {});
      throw error;
    });
    const made: Backup = {
      backup: place.addressOf(name),
      release: RELEASE,
      at: manifest.at,
      bytes,
      seconds: Math.round(performance.now() - began) / 1000,
      counts: manifest.counts,
    };
    await noteBackup(ctx.db, address, made);
    await removeOld(ctx, place, manifest.installation, keep);
    return made;
  });
}

/** Writes all files of the backup, and then gives it its name. `bytes` are those of all files. */
async function write(
  ctx: Context,
  databaseUrl: string,
  place: BackupPlace,
  name: string,
): Promise<{ manifest: Manifest; bytes: number }> {
  const part = unfinished(name);
  const files: Manifest['files'] = [];
  const add: WriteFile = async (file, bytes) => {
    await place.put(`${part}/${file}`, bytes);
    files.push({
      path: file,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  };

  // Files come before the rows that name them, and some go with their rows. So those that are there now are copied before
  // the database is read, and those that came meanwhile after it.
  const copied = new Set<string>();
  await copyUploads(ctx, copied, add);
  const database = await readDatabase(ctx, databaseUrl, add);
  await copyUploads(ctx, copied, add);

  const manifest: Manifest = {
    format: 1,
    release: RELEASE,
    ...database,
    counts: { ...database.counts, files: copied.size },
    files,
  };
  const text = Buffer.from(JSON.stringify(manifest, null, 1));
  await place.put(`${part}/${MANIFEST}`, text);
  await place.rename(part, name);
  return { manifest, bytes: files.reduce((sum, { bytes }) => sum + bytes, text.length) };
}

/** Names have seconds, so a second backup within one waits for the next. */
async function freeName(ctx: Context, place: BackupPlace): Promise<string> {
  for (;;) {
    const name = nameOf(ctx.now());
    if (!(await place.names()).includes(name)) return name;
    await pause(200);
  }
}

async function copyUploads(ctx: Context, copied: Set<string>, add: WriteFile): Promise<void> {
  const files = ctx.blobs.list()[Symbol.asyncIterator]();
  let failed = false;
  async function copyNext(): Promise<void> {
    while (!failed) {
      const next = await files.next();
      if (next.done) return;
      const { key } = next.value;
      if (copied.has(key)) continue;
      const file = await ctx.blobs.read(key);
      // It was removed since it was listed.
      if (file === null) continue;
      await add(UPLOADS + key, await buffer(file.stream));
      copied.add(key);
    }
  }
  const copies = Array.from({ length: AT_ONCE }, async () => {
    try {
      await copyNext();
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  // Wait for all, so that none writes when this has failed.
  await Promise.allSettled(copies);
  await Promise.all(copies);
}

type DatabasePart = Pick<Manifest, 'at' | 'postgres' | 'installation' | 'ledger' | 'database'> & {
  counts: Omit<Manifest['counts'], 'files'>;
};

async function readDatabase(ctx: Context, databaseUrl: string, add: WriteFile): Promise<DatabasePart> {
  return await inSnapshot(ctx.db, async (tx) => {
    // The first statement, because a lock waits without a snapshot: no partition that the snapshot has is dropped meanwhile.
    await sql`lock table ad_events in access share mode`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    const { rows } = await sql<{ snapshot: string; postgres: string }>`
      select pg_export_snapshot() as snapshot, current_setting('server_version') as postgres`.execute(tx);
    const { snapshot, postgres } = rows[0]!;
    return {
      at: ctx.now().toISOString(),
      postgres,
      installation: await installationId(tx),
      ledger: { book: ctx.payments.book, ...(await headOf(tx, ctx.payments.book)) },
      counts: await countRows(tx),
      database: await dumpDatabase(databaseUrl, snapshot, { write: add, hasSignIns: false }),
    };
  });
}

export async function countRows(tx: Tx): Promise<Omit<Manifest['counts'], 'files'>> {
  const { rows } = await sql<Omit<Manifest['counts'], 'files'>>`
    select (select count(*) from users) as users, (select count(*) from ads) as ads,
      (select count(*) from ledger_postings) as postings, (select count(*) from kept_events) as events`.execute(
    tx,
  );
  return rows[0]!;
}

async function removeOld(
  ctx: Context,
  place: BackupPlace,
  installation: string,
  keep: number | undefined,
): Promise<void> {
  if (keep === undefined) return;
  const names = await place.names();
  const own: string[] = [];
  for (const name of names.filter(isBackup).toSorted().toReversed()) {
    // What cannot be read may be another's, and an operator has to look at it.
    const manifest = await readManifest(place, name).catch(() => null);
    if (manifest?.installation === installation) own.push(name);
  }
  // The newest one that was restored as a proof stays, however old it is: it is the only one that is known to hold.
  const proven = own.find((name) => names.includes(proofOf(name)));
  for (const name of own.slice(keep).filter((each) => each !== proven)) {
    await place.remove(proofOf(name));
    await place.remove(name);
    await forgetBackup(ctx.db, place.addressOf(name));
  }
}
