/** The table of backups. Every row is a backup that was made, or one that failed. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import { RELEASE } from '#server/platform/settings/release.ts';

export type BackupRow = {
  /** The folder or address below which it is, or should have been. */
  place: string;
  /** The address for `openslot restore --from`. Null: it failed. */
  backup: string | null;
  startedAt: Date;
  release: string;
  bytes: number | null;
  seconds: number | null;
  /** Why it failed. Null: it was made. */
  error: string | null;
  /** When it was last restored as a proof and held. */
  verifiedAt: Date | null;
  /** The problems that the last proof found. */
  verifyError: string | null;
};

/** The newest backup that was made. */
export async function newestBackup(tx: Tx): Promise<BackupRow | undefined> {
  return await select(tx).where('backup', 'is not', null).limit(1).executeTakeFirst();
}

/** The backup that held as the last proof, with the instant. */
export async function newestProof(tx: Tx): Promise<(BackupRow & { verifiedAt: Date }) | undefined> {
  return await select(tx)
    .where('verifyError', 'is', null)
    .where('verifiedAt', 'is not', null)
    .$narrowType<{ verifiedAt: Date }>()
    .clearOrderBy()
    .orderBy('verifiedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Newest first, with those that failed. */
export async function listBackups(tx: Tx, limit: number): Promise<BackupRow[]> {
  return await select(tx).limit(limit).execute();
}

function select(tx: Tx) {
  return tx
    .selectFrom('backups')
    .select(['place', 'backup', 'startedAt', 'release', 'bytes', 'error', 'verifiedAt', 'verifyError'])
    .select(sql<number | null>`seconds::float8`.as('seconds'))
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc');
}

export async function noteBackup(
  tx: Tx,
  place: string,
  {
    backup,
    at,
    release,
    bytes,
    seconds,
  }: { backup: string; at: string; release: string; bytes: number; seconds: number },
): Promise<void> {
  const startedAt = new Date(at);
  await tx
    .insertInto('backups')
    .values({ place, backup, startedAt, release, bytes, seconds })
    .onConflict((conflict) =>
      conflict
        .column('backup')
        .doUpdateSet({ startedAt, release, bytes, seconds, verifiedAt: null, verifyError: null }),
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
  { holds, problems }: { holds: boolean; problems: string[] },
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

/** A backup that was removed from its place. */
export async function forgetBackup(tx: Tx, backup: string): Promise<void> {
  await tx.deleteFrom('backups').where('backup', '=', backup).execute();
}
