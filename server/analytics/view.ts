import type { AdStatus } from '#domain/ads/status.ts';
import type { Transaction } from '#domain/analytics/contract.ts';
import { decimalOf } from '#domain/money.ts';
import type { SaleRow } from './store.ts';

export const viewMoney = (cents: string): string => decimalOf(Number(cents));

export function viewTransaction(row: SaleRow): Transaction {
  return {
    id: row.id,
    title: row.title,
    adZoneName: row.adZoneName,
    websiteName: row.websiteName,
    advertiserEmail: row.advertiserEmail,
    amount: viewMoney(row.amountCents),
    earnings: viewMoney(row.earningsCents),
    status: row.status as AdStatus,
    date: (row.paidAt as Date).toISOString(),
  };
}
