import type { FastifyRequest } from 'fastify';
import { endAccess } from '../access/end-access.ts';
import type { deleteAccount } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { centsOf, decimalOf, moneyText } from '#domain/money.ts';
import { forgetEntries } from '#server/ads/booking/waiting-list.ts';
import { forgetPerson, lockAccount, isOperatorAccount } from '../accounts/forget-person.ts';
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts';
import {
  type AdOfAccount,
  closeUnpaidAds,
  lockAdsOf,
  isLive,
  isUnpaid,
} from '#server/ads/life/close-account.ts';
import type { LeftBehind, LeftKind } from '#domain/payments/left-behind.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { endSession } from '#server/platform/http/sessions.ts';
import {
  closeInventoryOf,
  removeUnusedInventoryOf,
} from '#server/market/inventory/websites/close-account.ts';
import { removeMediaOf } from '#server/platform/media/close-account.ts';
import { leftBehindBy } from '#server/money/closing/left-behind.ts';
import { closeOpenPayments } from '#server/money/checkout/close.ts';
import { forgetCustomers } from '#server/money/checkout/customers.ts';
import { adsWithPayments } from '#server/money/checkout/payment.ts';
import { forgetCards } from '#server/money/payees/same-person.ts';
import { mailDebtLeft } from '#server/notify/mails/operator-mail.ts';
import { keepClosingParty } from '#server/money/documents/closing-party.ts';
import { waiveEarnings } from '#server/money/closing/waive.ts';
import { forgetTaxIds } from '#server/money/tax-ids/list.ts';
import { forgetMembers } from '../members/members.ts';
import { forgetPlans } from '#server/market/plans/create.ts';
import { forgetLinks } from '#server/results/report-links/links.ts';
import type { OperatorData } from './export-data.ts';

/** The sentence for the user about each kind of money that is left. */
const LEFT: Record<LeftKind, string> = {
  campaign: 'You have active campaigns, or campaigns are running on your ad zones.',
  earnings: 'You have earnings that are not paid out. Have them paid out, or give them up.',
  dispute: 'A payment is disputed, and the bank has not decided.',
  refund: 'A refund has not reached your card.',
  debt: 'You owe money that was paid out to you and that a bank has taken back since. Pay it, or confirm that you keep owing it.',
};

const ONCE_SETTLED = 'You can delete your account once this is settled.';

const IS_OPERATOR =
  'You’re an operator of this marketplace. Ask another operator to remove your operator rights, then delete your account.';

/**
 * Deletes the caller's account in one transaction, or answers 409 while money is left on either side. Earnings can be given
 * up with it, and a debt be kept: `waive` and `owing` are their amounts. Ads that were paid for stay for the other party,
 * and the ledger stays whole, without the caller's personal data; that of a debtor is kept with the debt. [OP-037, GONE-02]
 */
export async function deleteOwnAccount(
  ctx: Context,
  who: Caller,
  { query: { waive, owing } }: Parsed<typeof deleteAccount>,
  request: FastifyRequest,
  operators: OperatorData,
): Promise<Reply<typeof deleteAccount>> {
  await requireRecentSignIn(ctx, request);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockAccount(tx, who.id);
    if (await isOperatorAccount(tx, user.id)) throw conflict(IS_OPERATOR);
    await closeInventoryOf(ctx, tx, user.id);
    const ads = await lockAdsOf(tx, user.id);
    const left = await leftBehindBy(ctx, tx, { userId: user.id, adIds: ads.map(({ id }) => id) });
    const isConfirmed: Partial<Record<LeftKind, boolean>> = {
      earnings: waive !== undefined,
      debt: owing !== undefined,
    };
    if (!left.every(({ kind }) => isConfirmed[kind])) refuseWithMoneyLeft(left);
    if (waive !== undefined)
      await waiveEarnings(ctx, tx, { userId: user.id, waivedCents: centsOf(waive), left });
    if (owing !== undefined) requireDebt(ctx, left, owing);
    if (ads.some(isLive)) throw conflict(`${LEFT.campaign} ${ONCE_SETTLED}`);
    await closeUnpaidAdsOf(ctx, tx, user.id, ads);
    await endAccess(ctx, tx, user, null);
    await forgetLinks(tx, user.id);
    await forgetPlans(tx, user.id);
    await forgetEntries(tx, user.id);
    await removeMediaOf(tx, user.id);
    await removeUnusedInventoryOf(tx, user.id);
    await forgetCustomers(tx, user.id);
    await forgetCards(tx, user.id);
    const { name } = await keepClosingParty(ctx, tx, user);
    if (owing !== undefined) await mailDebtLeft(ctx, tx, { name, email: user.email, owed: owing });
    await forgetTaxIds(tx, user.id);
    await operators.forgetInvitations(tx, user.email);
    await forgetMembers(tx, user);
    await forgetPerson(ctx, tx, user);
  });
  await endSession(ctx, request);
  return { success: true };
}

/** Throws 409 with each kind of money that is left, if any is. [GONE-01] */
function refuseWithMoneyLeft(left: LeftBehind): void {
  if (left.length === 0) return;
  const reasons = [...new Set(left.map(({ kind }) => LEFT[kind]))];
  throw conflict(`${reasons.join(' ')} ${ONCE_SETTLED}`, { left });
}

/** Throws 409 unless this is the amount that the person owes. [GONE-07] */
function requireDebt({ config: { currency } }: Context, left: LeftBehind, owing: string): void {
  const owedCents = left
    .filter(({ kind }) => kind === 'debt')
    .reduce((sum, { amount }) => sum + centsOf(amount), 0);
  if (owedCents === centsOf(owing)) return;
  throw conflict(`You owe ${moneyText(decimalOf(owedCents), currency)} now. Confirm this amount.`, { left });
}

/** Closes the unpaid ads among `ads`, and the payments that were started for them. */
export async function closeUnpaidAdsOf(
  ctx: Context,
  tx: Tx,
  userId: number,
  ads: readonly AdOfAccount[],
): Promise<void> {
  const unpaid = ads.filter(isUnpaid);
  const ids = unpaid.map(({ id }) => id);
  await closeOpenPayments(ctx, tx, ids);
  await closeUnpaidAds(ctx, tx, userId, unpaid, await adsWithPayments(tx, ids));
}
