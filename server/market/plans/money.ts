/** The money of ads on the advertiser's side, from the ledger. */
import { sumOf } from '#domain/payments/refunds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { moneyOfAds } from '#server/money/ledger/accrue.ts';
import { listPaid } from './store.ts';

/** In cents. paid = delivered + notDelivered + refunded, unless a dispute was lost. */
export type AdMoney = {
  paidCents: number;
  deliveredCents: number;
  notDeliveredCents: number;
  refundedCents: number;
};

/** The cost and the delivery until `at` of those of these ads that were paid. Writes nothing. */
export async function spendingOn(tx: Tx, adIds: readonly number[], at: Date): Promise<Map<number, AdMoney>> {
  if (adIds.length === 0) return new Map();
  const money = await moneyOfAds(tx, adIds, at);
  const paid = await listPaid(tx, adIds);
  return new Map(
    paid.flatMap(({ adId, paidCents, refundedCents }) => {
      const own = money.get(adId);
      if (!own) return [];
      const deliveredCents = sumOf(own.delivered);
      const notDeliveredCents = sumOf(own.notDelivered);
      return [[adId, { paidCents, deliveredCents, notDeliveredCents, refundedCents }]];
    }),
  );
}
