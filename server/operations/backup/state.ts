/** The state of the backups, for the console, `doctor` and the metrics. */
import { DAY_MS, HOUR_MS, SECOND_MS } from '#domain/time.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { spanText } from '#domain/format.ts';
import { type BackupRow, listBackups, newestBackup, newestProof } from './store.ts';

/** A day and two hours. deploy/alerts.yaml has the same limits. */
export const OLD_SECONDS = (26 * HOUR_MS) / SECOND_MS;
export const UNPROVEN_SECONDS = (3 * DAY_MS) / SECOND_MS;
const SHOWN = 10;

export type BackupAges = {
  /** Seconds since the newest backup was started. Null: none was made yet. */
  age: number | null;
  /** Seconds since one was last restored as a proof and held. Null: none was yet. */
  proofAge: number | null;
};

export type BackupReport = BackupAges & {
  /** A sentence for each thing that is wrong, with what to do. Commands are between backticks. */
  problems: string[];
  /** The last ten, newest first, with those that failed. */
  last: BackupRow[];
};

/** `now` is the marketplace's clock, as in the rows. */
export async function readBackupAges(tx: Tx, now: Date): Promise<BackupAges> {
  const since = (instant: Date | null = null) =>
    instant && Math.max(0, (now.getTime() - instant.getTime()) / SECOND_MS);
  return {
    age: since((await newestBackup(tx))?.startedAt),
    proofAge: since((await newestProof(tx))?.verifiedAt),
  };
}

export async function reportBackups(tx: Tx, now: Date, schedule: Config['backup']): Promise<BackupReport> {
  const ages = await readBackupAges(tx, now);
  const last = await listBackups(tx, SHOWN);
  return { ...ages, problems: problemsOf(ages, last[0], schedule), last };
}

/** 'The newest backup is 3 hours old. One was last restored as a proof 5 hours ago.' */
export function agesText({ age, proofAge }: BackupAges): string {
  return [
    age === null ? 'No backup was made yet.' : `The newest backup is ${spanText(age)} old.`,
    proofAge === null
      ? 'None was restored as a proof yet.'
      : `One was last restored as a proof ${spanText(proofAge)} ago.`,
  ].join(' ');
}

function problemsOf(
  { age, proofAge }: BackupAges,
  last: BackupRow | undefined,
  schedule: Config['backup'],
): string[] {
  const problems: string[] = [];
  if (last?.error) problems.push(`The last backup failed: ${sentence(last.error)}`);
  if (last?.verifyError)
    problems.push(`The last backup did not hold as a proof: ${sentence(last.verifyError)}`);
  if (age === null) {
    const next = schedule
      ? `The server makes one each day at ${schedule.at} UTC. To make one now, run \`openslot backup --to ${schedule.to}\`.`
      : 'Set `BACKUP_TO` to make one each day, or run `openslot backup --to DIR` now.';
    return [...problems, `No backup was made yet. ${next}`];
  }
  if (schedule && age > OLD_SECONDS)
    problems.push(
      `The newest backup is ${spanText(age)} old. Look for \`backup\` in the log of all instances, and check that ${schedule.to} can be written and has room.`,
    );
  if (proofAge === null || proofAge > UNPROVEN_SECONDS) {
    const time = proofAge === null ? 'yet' : `for ${spanText(proofAge)}`;
    problems.push(`No backup was restored as a proof ${time}. Run \`openslot backup verify --from BACKUP\`.`);
  }
  return problems;
}

const sentence = (text: string) => `${text.replace(/\.$/, '')}.`;
