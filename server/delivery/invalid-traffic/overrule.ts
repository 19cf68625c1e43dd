/** The operator lists and overrules withdrawals. The console and the command line call these functions. */
import { isMonthFinished, openMonthsFrom } from '#domain/invalid-traffic/months.ts';
import { isCleared } from '#domain/invalid-traffic/signals.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { tellGivenBack } from './tell.ts';
import { countOpen, listRows, lockWithdrawal, openOfWebsite, overrule, type WithdrawalRow } from './store.ts';

/** A withdrawal, for the operator. */
export type Withdrawal = WithdrawalRow;

const MAX_REASON = 500;
const DEFAULT_LIMIT = 50;

/** Withdrawals, newest first. `open` leaves out those that were overruled and those of finished months. */
export async function listWithdrawals(
  ctx: Context,
  {
    open = false,
    cursor,
    limit = DEFAULT_LIMIT,
  }: { open?: boolean; cursor?: string | undefined; limit?: number } = {},
): Promise<Page<Withdrawal>> {
  const openFrom = open ? openMonthsFrom(ctx.now()) : null;
  return pageOf(await listRows(ctx.db, { openFrom, before: decodeCursor(cursor), limit: limit + 1 }), limit);
}

/** The number of withdrawals that can be overruled now. */
export async function countOpenWithdrawals(ctx: Context): Promise<number> {
  return await countOpen(ctx.db, openMonthsFrom(ctx.now()));
}

/**
 * Restores the views and clicks of a withdrawal, with a reason that both sides can read. `by` names the operator.
 * Deliveries since the withdrawal count first, and no ad goes beyond its goal. It also clears the signals of the withdrawal
 * for the website (CLEARED_DAYS), and restores the website's other open withdrawals that have no other signals: the
 * job makes one for each hour and ad zone, and the operator decides about the audience once. Throws 409 for an overruled withdrawal and for a finished month. [SIVT-04, SIVT-05]
 */
export async function overruleWithdrawal(
  ctx: Context,
  tx: Tx,
  { id, by, reason }: { id: number; by: string; reason: string },
): Promise<Withdrawal> {
  const because = reason.trim();
  if (because === '')
    throw invalid('Please enter a reason. The publisher and the advertisers can read it.', 'reason');
  if (because.length > MAX_REASON) throw invalid(`Please use at most ${MAX_REASON} characters.`, 'reason');
  const found = await lockWithdrawal(tx, id);
  if (!found) throw notFound('Withdrawal not found. Please reload the list.');
  if (found.overruled) throw conflict('This withdrawal was already overruled. Please reload the list.');
  const now = ctx.now();
  if (isMonthFinished(found.fromHour, now)) {
    throw conflict('The month of these hours is finished, so its figures can’t change any more.');
  }
  const cleared = found.signals.map(({ signal }) => signal);
  const open = await openOfWebsite(tx, found.websiteId, openMonthsFrom(now));
  const alike = open.filter(({ signals }) => signals.every(({ signal }) => isCleared({ cleared }, signal)));
  const ids = alike.map((each) => each.id);
  await overrule(tx, now, { ids, by, reason: because });
  await tellGivenBack(ctx, tx, { ids, reason: because });
  return (await listRows(tx, { openFrom: null, before: null, limit: 1, id }))[0] as Withdrawal;
}
