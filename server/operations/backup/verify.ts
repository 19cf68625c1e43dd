import pg from 'pg';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import {
  clientTo,
  createDatabase,
  createPool,
  COMMAND_MS,
  type Tx,
} from '#server/platform/database/database.ts';
import { originalKey, renditionKey } from '#server/platform/media/keys.ts';
import { VIDEO_TYPE } from '#domain/media/limits.ts';
import { checkEverything } from '#server/money/books/check.ts';
import { headOf } from '#server/money/transparency-log/prove.ts';
import { loadDatabase, requireEmpty } from './load.ts';
import { countRows, UPLOADS } from './make.ts';
import { type Manifest, proofOf } from './manifest.ts';
import { type BackupPlace, openBackup } from './place.ts';
import { CommandImpossible, CommandRefused } from '#server/platform/jobs/alone.ts';
import { readerOf, readWhole } from './restore.ts';
import { noteVerification } from './store.ts';

/** Each problem is a sentence. */
export type Verification = { holds: boolean; problems: string[]; seconds: number };

/**
 * Proves a backup: restores its database into a scratch one, checks the books there, and compares counts, log and uploads
 * with the manifest. A proof that holds is written beside the backup. `scratch` is the address of an empty database, which
 * stays; without it, one is made and dropped. Throws CommandImpossible if the role of `ownerUrl` may not create databases.
 */
export async function verifyBackup(
  ctx: Pick<Context, 'config' | 'db' | 'now'>,
  address: string,
  where: { ownerUrl: string; scratch: string | undefined },
): Promise<Verification> {
  const began = performance.now();
  const { place, name } = openBackup(address, ctx.config);
  const problems = await problemsOf(ctx, place, name, where).catch((error: unknown) => {
    if (!(error instanceof CommandRefused) || error instanceof CommandImpossible) throw error;
    return [error.message];
  });
  const holds = problems.length === 0;
  const at = ctx.now();
  if (holds) await place.put(proofOf(name), Buffer.from(`${at.toISOString()}\n`));
  else await place.remove(proofOf(name));
  await noteVerification(ctx.db, place.addressOf(name), { holds, problems }, at);
  return { holds, problems, seconds: Math.round(performance.now() - began) / 1000 };
}

async function problemsOf(
  ctx: Pick<Context, 'config' | 'now'>,
  place: BackupPlace,
  name: string,
  { ownerUrl, scratch }: { ownerUrl: string; scratch: string | undefined },
): Promise<string[]> {
  const manifest = await readWhole(place, name);
  return await onScratch(ownerUrl, scratch, async (url) => {
    await loadDatabase(
      { ownerUrl: url, serverUrl: url },
      manifest.database,
      readerOf(place, name),
      ctx.now(),
    );
    const db = createDatabase(createPool(url, 4, 'openslot backup verify', COMMAND_MS));
    try {
      return [
        ...(await booksProblems(db)),
        ...(await differences(db, manifest)),
        ...(await missingUploads(db, manifest)),
      ];
    } finally {
      await db.destroy();
    }
  });
}

async function onScratch<T>(
  ownerUrl: string,
  scratch: string | undefined,
  act: (url: string) => Promise<T>,
): Promise<T> {
  if (scratch !== undefined) {
    await requireEmpty({ ownerUrl: scratch, serverUrl: scratch });
    return await act(scratch);
  }
  const client = clientTo(ownerUrl, 'openslot backup verify');
  await client.connect();
  try {
    await dropLeftovers(client);
    const name = `openslot_proof_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
    await client.query(`create database ${name}`).catch((error: unknown) => {
      // 42501 is insufficient_privilege.
      if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error;
      throw new CommandImpossible(
        `The role ${decodeURIComponent(new URL(ownerUrl).username)} may not create a scratch database. Allow it as a superuser of PostgreSQL: alter role ${client.escapeIdentifier(decodeURIComponent(new URL(ownerUrl).username))} createdb. Or name an empty database with --scratch DATABASE_URL.`,
        { cause: error },
      );
    });
    try {
      const url = new URL(ownerUrl);
      url.pathname = `/${name}`;
      return await act(url.href);
    } finally {
      await client.query(`drop database ${name} with (force)`);
    }
  } finally {
    await client.end();
  }
}

/** Drops the scratch databases of verifications that were killed. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d
       where datname like 'openslot\\_proof\\_%' and pg_has_role(d.datdba, 'member')
         and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
  );
  // One that another verification uses by now stays.
  for (const { name } of rows) await client.query(`drop database if exists ${name}`).catch(() => {});
}

/** A sentence for each difference in the books. */
export async function booksProblems(db: Tx): Promise<string[]> {
  const { differences: found } = await checkEverything(db);
  return found.map(
    ({ kind, ref, amountCents, currency }) =>
      `The books do not hold: ${kind} ${ref} of ${amountCents / 100} ${currency}.`,
  );
}

async function differences(db: Tx, manifest: Manifest): Promise<string[]> {
  const { book, ...log } = manifest.ledger;
  const { files: _files, ...counts } = manifest.counts;
  const found = { ...(await countRows(db)), ...(await headOf(db, book as PaymentBook)) };
  return Object.entries({ ...counts, ...log })
    .filter(([name, value]) => found[name as keyof typeof found] !== value)
    .map(
      ([name, value]) =>
        `The manifest says ${value} for ${name}, and the restored database has ${found[name as keyof typeof found]}.`,
    );
}

async function missingUploads(db: Tx, manifest: Manifest): Promise<string[]> {
  const files = new Set(manifest.files.map(({ path }) => path));
  const uploads = await db
    .selectFrom('uploads')
    .select(['name', 'rendition', 'contentType'])
    .where('storedAt', 'is not', null)
    .execute();
  return uploads
    .flatMap(({ name, rendition, contentType }) => [
      renditionKey(String(rendition)),
      ...(contentType === VIDEO_TYPE ? [] : [originalKey(name)]),
    ])
    .filter((key) => !files.has(UPLOADS + key))
    .map((key) => `The upload ${key} is not in the backup.`);
}
