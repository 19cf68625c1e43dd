/** Reads the table of backups. Every row is a backup that was made, or one that failed. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

export type BackupRow = {
  /** The folder or address below which it is, or should have been. */
  place: string;
  /** What `openslot restore --from` takes. Null: it failed. */
  backup: string | null;
  startedAt: Date;
  release: string;
  bytes: number | null;
  seconds: number | null;
  /** Why it failed. Null: it was made. */
  error: string | null;
  /** When it was last restored as a proof and held. */
  verifiedAt: Date | null;
  /** What was wrong when it was last restored as a proof. */
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
