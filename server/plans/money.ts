/** The money of ads on the advertiser's side, from the ledger. */
import { sumOf } from '#domain/payments/refunds.ts';
import type { Tx } from '../db/database.ts';
import { earnedAt } from '../payments/ledger/accrue.ts';
import { listPaid } from './store.ts';

/** In cents. paid = delivered + notDelivered + refunded, unless a dispute was lost. */
export type AdMoney = {
  paidCents: number;
  deliveredCents: number;
  notDeliveredCents: number;
  refundedCents: number;
};

/** The money at `at` of those of these ads that were paid. Writes nothing. */
export async function moneyOfAds(tx: Tx, adIds: readonly number[], at: Date): Promise<Map<number, AdMoney>> {
  const money = new Map<number, AdMoney>();
  if (adIds.length === 0) return money;
  for (const { adId, paidCents, refundedCents } of await listPaid(tx, adIds)) {
    const earned = await earnedAt(tx, adId, at);
    const deliveredCents = earned ? sumOf(earned) : 0;
    const notDeliveredCents = paidCents - refundedCents - deliveredCents;
    money.set(adId, { paidCents, deliveredCents, notDeliveredCents, refundedCents });
  }
  return money;
}
