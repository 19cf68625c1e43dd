/** The daily backup of BACKUP_TO, in a process of its own, so that it takes no time and memory from the ad server. */
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { isDoneNow } from '#server/platform/jobs/alone.ts';
import { ANOTHER_RUNS } from './make.ts';
import { openslot } from '#server/platform/jobs/own-command.ts';
import { regularly } from '#server/platform/jobs/regularly.ts';
import { hasBackupSince, lastFailure, noteFailure } from './store.ts';

/** After a backup that failed. */
const TRY_AGAIN_MS = HOUR_MS;

type Made = { backup?: string | null };
type Proof = { problems?: string[] };

/** Looks every few seconds whether a backup is due. Any of several servers makes it. `stop` ends a running one. */
export function startBackups(ctx: Context): { stop: () => Promise<void> } {
  return regularly(
    ctx,
    'the backup could not be made; trying again',
    async (signal) => await backUpIfDue(ctx, signal),
  );
}

async function backUpIfDue(ctx: Context, signal: AbortSignal): Promise<void> {
  const { backup } = ctx.config;
  if (!backup) return;
  const now = ctx.now();
  const since = lastInstantOf(backup.at, now);
  if (!(await isDue(ctx, backup.to, since, now))) return;
  const made = await openslot<Made>(
    ['backup', '--to', backup.to, '--keep', String(backup.keep), '--unless-since', since.toISOString()],
    signal,
  );
  // Another server was faster.
  if (signal.aborted || made.json.backup === null || made.json.error === ANOTHER_RUNS) return;
  if (made.code !== 0 || made.json.backup === undefined) {
    await reportFailure(ctx, backup.to, now, made.json.error ?? `The process ended with ${made.code}.`);
    return;
  }
  ctx.log.info({ backup: made.json.backup }, 'a backup was made');
  await prove(ctx, made.json.backup, signal);
}

/** The last time that a clock in UTC showed `at`, such as 03:00. */
function lastInstantOf(at: string, now: Date): Date {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return today <= now ? today : later(today, -DAY_MS);
}

/** Unless there is a backup since then, one is being made, or one has just failed. */
async function isDue(ctx: Context, place: string, since: Date, now: Date): Promise<boolean> {
  if (await hasBackupSince(ctx.db, place, since)) return false;
  const failedAt = await lastFailure(ctx.db, place);
  if (failedAt !== null && failedAt > later(now, -TRY_AGAIN_MS)) return false;
  return !(await isDoneNow(ctx.db, 'backup'));
}

async function prove(ctx: Context, backup: string, signal: AbortSignal): Promise<void> {
  const { code, json } = await openslot<Proof>(['backup', 'verify', '--from', backup], signal);
  if (signal.aborted || code === 0) return;
  const problems = json.problems?.join(' ') ?? json.error ?? `The process ended with ${code}.`;
  // 2: the proof could not even begin, because the role may not make the scratch database.
  if (code === 2) {
    ctx.log.error({ backup, reason: problems }, 'the backup was not proven');
    await mailFailure(
      ctx,
      'A backup was not proven',
      `${backup} was made, but not restored as a proof: ${problems}`,
    );
  } else await mailFailure(ctx, 'A backup does not hold', `${backup} was restored as a proof: ${problems}`);
}

async function reportFailure(ctx: Context, place: string, startedAt: Date, error: string): Promise<void> {
  ctx.log.error({ place, reason: error }, 'the backup could not be made; the next try is in an hour');
  await noteFailure(ctx.db, place, startedAt, error);
  await mailFailure(ctx, 'The backup failed', `No backup could be made in ${place}: ${error}`);
}

async function mailFailure(ctx: Context, title: string, what: string): Promise<void> {
  await ctx.db.transaction().execute(
    async (tx) =>
      await mailOperator(ctx, tx, {
        kind: 'backup-failed',
        title,
        paragraphs: [
          what,
          'Mend the cause, then make and prove a backup: openslot backup, openslot backup verify.',
        ],
        action: { label: 'Open the system page', path: '/operator/system' },
      }),
  );
}
