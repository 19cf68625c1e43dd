/** The acts about what a publisher is paid. */
import type { DebtOutcome } from '#domain/payments/debts.ts';
import { payOutNow } from '#server/money/payouts/request.ts';
import { bookDebtPaid } from '#server/operator/money/debts.ts';
import { writeOffOrAsk } from '#server/operator/requests/requests.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { History } from './history.ts';

export async function payOut(history: History): Promise<void> {
  const client = { ip: '127.0.0.1', headers: {} };
  await payOutNow(
    history.ctx,
    history.market.seller,
    { params: undefined, query: undefined, body: {} },
    client,
  );
}

export async function endDebt(history: History, outcome: DebtOutcome): Promise<void> {
  const operator = { id: null, dryRun: false };
  const debt = { id: history.market.seller.id, amount: null, reason: 'Played' };
  if (outcome === 'paid') await bookDebtPaid(history.ctx, operator, debt);
  else await writeOffOrAsk(history.ctx, operator, debt);
}

/** The publisher, a German business with self-billing, begins or ceases to charge tax. */
export async function chargeTax(history: History, charges: boolean): Promise<void> {
  const status = {
    country: 'DE',
    taxStatus: charges ? 'business' : 'small_business',
    chargesTax: charges,
    taxId: 'DE123456789',
    agreesToSelfBilling: true,
  } as const;
  await history.ctx.db
    .insertInto('userSettings')
    .values({ userId: history.market.seller.id, ...status })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(status))
    .execute();
}

export async function bankFails(history: History): Promise<void> {
  await history.sandbox.play.failLastPayout(history.payeeId).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
  });
}
