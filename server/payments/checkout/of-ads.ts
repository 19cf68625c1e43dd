import type { Tx } from '../../db/database.ts';
import { selectAdsWithPayments } from './payment.ts';

/** The ids, out of `adIds`, of ads that have any payment, even a failed one. */
export async function adsWithPayments(tx: Tx, adIds: number[]): Promise<Set<number>> {
  return new Set(await selectAdsWithPayments(tx, adIds));
}
