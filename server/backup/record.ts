/** What this installation knows of its backups, for the console, the doctor and the metrics. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { RELEASE } from '../release.ts';
import { type Backup, LOCK } from './make.ts';
import type { Verification } from './verify.ts';

export async function noteBackup(
  tx: Tx,
  place: string,
  { backup, at, release, bytes, seconds }: Backup,
): Promise<void> {
  const startedAt = new Date(at);
  await tx
    .insertInto('backups')
    .values({ place, backup, startedAt, release, bytes, seconds })
    .onConflict((conflict) =>
      conflict.column('backup').doUpdateSet({ startedAt, release, bytes, seconds, verifiedAt: null, verifyError: null }),
    )
    .execute();
}

export async function noteFailure(tx: Tx, place: string, startedAt: Date, error: string): Promise<void> {
  await tx.insertInto('backups').values({ place, startedAt, release: RELEASE, error }).execute();
}

/** A backup of another installation has no row here. */
export async function noteVerification(
  tx: Tx,
  backup: string,
  { holds, problems }: Verification,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('backups')
    .set(holds ? { verifiedAt: at, verifyError: null } : { verifyError: problems.join(' ') })
    .where('backup', '=', backup)
    .execute();
}

export async function hasBackupSince(tx: Tx, place: string, since: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('backups')
    .select('id')
    .where('place', '=', place)
    .where('startedAt', '>=', since)
    .where('backup', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function lastFailure(tx: Tx, place: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('backups')
    .select('startedAt')
    .where('place', '=', place)
    .where('error', 'is not', null)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.startedAt ?? null;
}

/** Whether any process makes a backup of this database now. */
export async function isBackupRunning(tx: Tx): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.objid = ${LOCK} and l.classid = 0 and d.datname = current_database()`.execute(tx);
  return rows.length > 0;
}
