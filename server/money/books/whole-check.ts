/** The check of everything in the books. A server starts it once a week (server/operations/weekly-check), and operators by hand. */
import { counted } from '#domain/format.ts';
import { decimalOf } from '#domain/money.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { dayText, instantText } from '#server/platform/http/dates.ts';
import { type Check, checkMoney } from './check.ts';
import { findWholeCheck, noteWholeCheck, type WholeCheck } from './store-whole-check.ts';

export { findWholeCheck, isWholeCheckDue, noteFailedCheck, type WholeCheck } from './store-whole-check.ts';

/** A check that is overdue by more than this has a cause that somebody has to look for. */
const LATE_MS = DAY_MS;

/** Checks everything, and notes the result for the alarms, the metrics and `openslot doctor`. [SCALE-93] */
export async function checkAllMoney(ctx: Parameters<typeof checkMoney>[0]): Promise<Check> {
  const fromMs = performance.now();
  const check = await checkMoney(ctx, { all: true });
  const [first] = check.differences;
  await noteWholeCheck(ctx.db, {
    seconds: Math.round((performance.now() - fromMs) / 1000),
    postings: check.postings,
    differences: check.differences.length,
    firstDifference: first
      ? `${first.kind} ${first.ref}: ${decimalOf(first.amountCents)} ${first.currency}`
      : null,
  });
  return check;
}

/** The sentences of `openslot doctor` and the page Money about it. An alarm names the differences. */
export async function reportWholeCheck(tx: Tx, now: Date): Promise<{ text: string; problem: string | null }> {
  const check = await findWholeCheck(tx);
  return { text: textOf(check), problem: problemOf(check, now) };
}

function textOf({ checkedAt, seconds, postings, dueAt }: WholeCheck): string {
  if (checkedAt === null) return `Everything is checked for the first time on ${dayText(dueAt)}.`;
  const read = `${counted(postings ?? 0, 'posting')} in ${seconds} s`;
  return `Everything was last checked on ${instantText(checkedAt)}: ${read}. The next check is on ${dayText(dueAt)}.`;
}

function problemOf({ error, dueAt }: WholeCheck, now: Date): string | null {
  if (error !== null)
    return `The weekly check of everything failed: ${error} It is tried again every hour. To see why: openslot money check --all`;
  return later(dueAt, LATE_MS) < now
    ? `The weekly check of everything has been due since ${instantText(dueAt)}. Check that a server is running.`
    : null;
}
