import { endAllSignIns } from '../accounts/keys/end-sign-ins.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { endConversionKey } from '#server/delivery/clicks/conversion-keys.ts';
import { endMembers } from '../members/members.ts';
import { withdrawConsentsOf } from '#server/money/checkout/consent-rows.ts';
import { holdAfterChange } from '#server/money/payees/change-hold.ts';
import { forgetPayees } from '#server/money/payees/close.ts';
import { endLinks } from '#server/results/report-links/links.ts';
import { resetPassword, restoreEmail } from '#domain/accounts/contract.ts';
import { resetWith } from '../accounts/email/reset-password.ts';
import { restoreByLinkWith } from '../accounts/email/restore-email.ts';
import { type Route, route } from '#server/platform/http/route.ts';

/**
 * Ends every way into an account and to its money: all of them, or, besides the ways to sign in, those that were made since
 * then. The password is the caller's concern. The test beside this file fails if a table that gives access is not here.
 * Locks the account first, then in the order of docs/decisions/049-lock-order.md. [WARD-01, WARD-02]
 */
export async function endAccess(
  ctx: Context,
  tx: Tx,
  user: { id: number; email: string },
  since: Date | null,
): Promise<void> {
  await endAllSignIns(tx, user);
  await endMembers(tx, user.id, since);
  await endLinks(ctx, tx, user.id, since);
  await endConversionKey(tx, user.id, since);
  await withdrawConsentsOf(tx, user.id, since, ctx.now());
  await forgetPayees(ctx, tx, user.id, since);
}

/** The same for an account that goes on. Its payouts wait, because an older payout account may have another bank account. */
export async function takeBack(
  ctx: Context,
  tx: Tx,
  user: { id: number; email: string },
  since: Date | null,
): Promise<void> {
  await endAccess(ctx, tx, user, since);
  await holdAfterChange(ctx, tx, user.id);
}

/** The calls by which a person takes an account back. They end access of every domain, so this folder stands above them. */
export const routes: Route[] = [
  route(resetPassword, { access: 'anyone' }, resetWith(takeBack)),
  route(restoreEmail, { access: 'anyone' }, restoreByLinkWith(takeBack)),
];
