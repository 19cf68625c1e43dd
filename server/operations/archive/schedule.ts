/** Archives what is due, in a process of its own, so that it takes no time and memory from the ad server. */
import { openslot } from '#server/platform/jobs/own-command.ts';
import { regularly } from '#server/platform/jobs/regularly.ts';
import type { Context } from '#server/platform/context.ts';
import type { ArchiveRun } from './archive.ts';
import { ANOTHER_RUNS, dueDays } from './state.ts';
import { listTriedSince } from './store.ts';

/** A day that could not be archived, or differs, is tried again after this many minutes. */
const TRY_AGAIN_MINUTES = 60;

/** Looks every few seconds whether a day is due. Any of several servers archives it. `stop` ends a run. [SCALE-20] */
export function startArchive(ctx: Context): { stop: () => Promise<void> } {
  return regularly(
    ctx,
    'the archive could not be written; trying again',
    async (signal) => await archiveIfDue(ctx, signal),
  );
}

async function archiveIfDue(ctx: Context, signal: AbortSignal): Promise<void> {
  if (ctx.config.archiveTo === undefined) return;
  const tried = await listTriedSince(ctx.db, TRY_AGAIN_MINUTES);
  const due = (await dueDays(ctx)).filter((day) => !tried.includes(day));
  if (due.length === 0) return;
  const { code, json } = await openslot<ArchiveRun>(['archive', 'run'], signal);
  if (signal.aborted || json.error === ANOTHER_RUNS) return;
  if (json.error !== undefined) throw new Error(json.error);
  for (const { day, problems } of json.kept ?? [])
    ctx.log.error(
      { day, problems: problems.slice(0, 5) },
      'a day of events is kept, because it is not in the archive as it was counted',
    );
  ctx.log.info({ code, archived: json.archived, dropped: json.dropped }, 'old events were archived');
}
