import type { AdStatus } from '#domain/ads/status.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { BreakdownRow, Transaction } from '#domain/analytics/contract.ts';
import { decimalOf } from '#domain/money.ts';
import type { SaleRow } from './store.ts';
import type { BreakdownResult, Sums } from './store-range.ts';

export const viewMoney = (cents: string): string => decimalOf(Number(cents));

export function viewTransaction(row: SaleRow): Transaction {
  return {
    id: row.id,
    adType: row.adType as AdType,
    imageUrl: row.imageUrl,
    videoUrl: row.videoUrl,
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

export function viewSums({ impressions, clicks, amount }: Sums) {
  return { impressions: Number(impressions), clicks: Number(clicks), amount: viewMoney(amount) };
}

export function viewBreakdownRow(row: BreakdownResult): BreakdownRow {
  const { publicId, name, websiteName, zoneName, creative } = row;
  const place = [websiteName, zoneName].filter((part) => part !== null).join(', ');
  return { publicId, name, place: place === '' ? null : place, creative, ...viewSums(row) };
}
