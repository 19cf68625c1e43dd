import type { Parsed, Reply } from '#domain/endpoint.ts';
import { decimalOf, moneyText } from '#domain/money.ts';
import type { requestPayout } from '#domain/payments/payout-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { type Client, logSecurity } from '#server/platform/http/security-log.ts';
import { accrueFor } from '../ledger/accrue.ts';
import { readPayee } from '../payees/read.ts';
import { beginPayout, type Begun } from './begin.ts';
import { hasRunningAds } from './store.ts';
import { tellRequested } from './tell.ts';

/** Pays out the available balance. Throws 409 with the reason if that is not possible now. [PAYO-03] */
export async function payOutNow(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof requestPayout>,
  client: Client,
): Promise<Reply<typeof requestPayout>> {
  const payee = await readPayee(ctx, who.id);
  await accrueFor(ctx, who.id);
  const begun = await ctx.db.transaction().execute(async (tx) => {
    const payout = await beginPayout(ctx, tx, {
      userId: who.id,
      payee,
      requestedBy: 'publisher',
      dueAt: ctx.now(),
      isFinal: body.final === true && !(await hasRunningAds(tx, who.id)),
    });
    if (!('refused' in payout)) {
      await logSecurity(ctx, tx, { userId: who.id, kind: 'payout-requested', client });
      await tellRequested(ctx, tx, who.id, payout.amountCents);
    }
    return payout;
  });
  if ('refused' in begun) throw refusal(ctx, begun);
  return { id: begun.id, amount: decimalOf(begun.amountCents), status: 'sent' };
}

function refusal(
  { config }: Context,
  { refused, until, ...cents }: Extract<Begun, { refused: unknown }>,
): HttpError {
  const text = (amount: number) => moneyText(decimalOf(amount), config.currency);
  const least = text(config.payouts.minimumCents);
  const available = text(cents.availableCents);
  const messages = {
    running: 'A payout is being sent. You can start another one when it has left.',
    not_onboarded:
      'Your payout account isn’t ready. Set it up, or add the missing details, and try again. Your earnings stay in your balance.',
    held: until
      ? `The details of your payout account were opened for changes, so we hold all payouts until ${instantText(until)}. Try again then. If it wasn’t you, change your password and tell the marketplace operator.`
      : `A payout needs ${least}, and ${available} is available. The rest is on hold. Each hold says what ends it.`,
    below_minimum: `A payout needs ${least}, and ${available} is available. Try again when another ${text(cents.missingCents)} is available.`,
  };
  return new HttpError(409, messages[refused], {
    details: { reason: refused, missing: decimalOf(cents.missingCents) },
  });
}
