/** The weekly check of everything in the books, in a process of its own, so that it takes no time from the ad server. */
import { alone, CommandRefused } from '#server/platform/jobs/alone.ts';
import { openslot } from '#server/platform/jobs/own-command.ts';
import { regularly } from '#server/platform/jobs/regularly.ts';
import type { Context } from '#server/platform/context.ts';
import { isWholeCheckDue, noteFailedCheck } from '#server/money/books/whole-check.ts';

type Checked = { holds: boolean; postings: number; differences: unknown[] };

/**
 * Looks every few seconds whether the check is due. Any of several servers makes it. `stop` ends it, and so does the end of
 * the server: it is then due as before, and begins again. [SCALE-93]
 */
export function startWeeklyCheck(ctx: Context, databaseUrl: string): { stop: () => Promise<void> } {
  return regularly(ctx, 'the books could not be checked; trying again', async (signal) => {
    if (!(await isWholeCheckDue(ctx.db))) return;
    await alone(databaseUrl, 'books', 'Another server checks the books.', async () => {
      // Another server may have ended its check since.
      if (await isWholeCheckDue(ctx.db)) await check(ctx, signal);
    }).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) throw error;
    });
  });
}

async function check(ctx: Context, signal: AbortSignal): Promise<void> {
  const { code, json } = await openslot<Checked>(['money', 'check', '--all'], signal);
  if (signal.aborted) return;
  const { holds, postings, differences = [] } = json;
  if (holds === undefined) {
    const error = json.error || `The process ended with ${code}.`;
    await noteFailedCheck(ctx.db, error);
    ctx.log.error({ reason: error }, 'the books could not be checked; the next try is in an hour');
  } else if (holds) ctx.log.info({ postings }, 'all books were checked, and hold');
  else ctx.log.error({ postings, differences: differences.slice(0, 5) }, 'the books disagree');
}
