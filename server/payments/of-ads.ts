import type { Tx } from '../db/database.ts';
import { selectAdsWithPayments } from './store.ts';

/** Which of these ads have any payment behind them, even one that came to nothing. */
export function adsWithPayments(tx: Tx, adIds: number[]): Promise<number[]> {
  return selectAdsWithPayments(tx, adIds);
}
