import type { Parsed, Reply } from '#domain/endpoint.ts';
import { countryOfIban } from '#domain/payments/bank-account.ts';
import type { saveBankAccount } from '#domain/payments/payout-contract.ts';
import { mailHeld } from '#server/notify/mails/operator-mail.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { conflict, unauthorized } from '#server/platform/http/errors.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Client } from '#server/platform/http/security-log.ts';
import { seal } from '#server/platform/seal.ts';
import { hashesOf } from '../provider-requests/hashes.ts';
import { BANK_KEY } from './bank-seals.ts';
import { readBankAccount, readBankPayee } from './read.ts';
import { holdIfPaidTogether } from './same-person.ts';
import { hasDestination, keepBankAccount, lockPayeeOwner, restrictBankAccount } from './store.ts';
import { tellOfAccount } from './tell.ts';

/**
 * Saves the bank account that receives a publisher's payouts from now on. Payouts that have begun keep the account that
 * they began with. The publisher is mailed, and a change holds their payouts. Throws 409 unless PAYOUTS is bank.
 * [PAYO-200, PAYO-09]
 */
export async function saveBank(
  ctx: Context,
  who: Caller,
  { body: { holder, iban } }: Parsed<typeof saveBankAccount>,
  client: Client,
): Promise<Reply<typeof saveBankAccount>> {
  if (ctx.config.payoutMethod !== 'bank')
    throw conflict('This marketplace pays through the card provider. Set up payouts under Payout Settings.');
  await ctx.limits('payout-account', { points: 60, seconds: 3600 })(String(personOf(who)));
  const now = ctx.now();
  const last4 = iban.slice(-4);
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPayeeOwner(tx, who.id))) throw unauthorized();
    const bank = {
      userId: who.id,
      book: ctx.payments.book,
      country: countryOfIban(iban),
      holder,
      iban: seal(ctx.keyFor(BANK_KEY), who.id, Buffer.from(iban)),
      last4,
      destinations: hashesOf(ctx, 'card', iban),
    };
    const isChange = await hasDestination(tx, who.id, bank.book);
    await keepBankAccount(tx, bank, now);
    await mailHeld(ctx, tx, await holdIfPaidTogether(tx, who.id, now), 'same_person');
    await tellOfAccount(ctx, tx, { userId: who.id, client, last4, isChange });
    const { state, country, requirements } = await readBankPayee(ctx, tx, who.id);
    return {
      account: { state, country, requirements },
      bankAccount: await readBankAccount(ctx, tx, who.id),
    };
  });
}

const SAVE_AGAIN = 'The bank returned a payout. Check your IBAN and save it again.';

/** The publisher has to save this account again before the next payout, because the bank returned one. [PAYO-203] */
export async function askToSaveAgain(tx: Tx, bankAccountId: number): Promise<void> {
  await restrictBankAccount(tx, bankAccountId, SAVE_AGAIN);
}
