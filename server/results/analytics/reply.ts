import type {
  BreakdownRow,
  CountingBucket,
  Figures,
  Reported,
  Transaction,
  UnusualHour,
  Withdrawal,
} from '#domain/analytics/contract.ts';
import { unitCostsOf } from '#domain/analytics/unit-costs.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { decimalOf } from '#domain/money.ts';
import type { AdMoney } from '#server/money/ledger/accrue.ts';
import type { CountingRow } from './store-counting.ts';
import type { SaleRow } from './store.ts';
import type { BreakdownResult, Sums } from './store-range.ts';
import type { ZoneHour } from './store-unusual.ts';
import type { WithdrawalRow } from './store-withdrawals.ts';

/** `cents` is a column, or a sum, which PostgreSQL returns as text. */
export const moneyReply = (cents: number | string): string => decimalOf(Number(cents));

export function transactionReply(row: SaleRow, { delivered, notDelivered }: AdMoney): Transaction {
  return {
    id: row.id,
    adType: row.adType,
    imageUrl: row.imageUrl,
    videoUrl: row.videoUrl,
    title: row.title,
    adZoneName: row.adZoneName,
    websiteName: row.websiteName,
    advertiserEmail: row.advertiserEmail,
    amount: moneyReply(row.amountCents),
    earnings: moneyReply(delivered.publisherCents + notDelivered.publisherCents),
    delivered: moneyReply(delivered.publisherCents),
    notDelivered: moneyReply(notDelivered.publisherCents),
    status: row.status,
    endedReason: row.endedReason,
    refunded: moneyReply(row.refundedCents),
    date: (row.paidAt as Date).toISOString(),
  };
}

export function figuresReply(sums: Sums): Figures {
  const delivery = { impressions: Number(sums.impressions), clicks: Number(sums.clicks) };
  const { cpmCents, cpcCents, ctr } = unitCostsOf({ ...delivery, amountCents: Number(sums.amount) });
  return {
    ...delivery,
    amount: moneyReply(sums.amount),
    paid: moneyReply(sums.paid),
    cpm: cpmCents === null ? null : moneyReply(cpmCents),
    cpc: cpcCents === null ? null : moneyReply(cpcCents),
    ctr,
  };
}

export function breakdownRowReply(row: BreakdownResult): BreakdownRow {
  const { publicId, name, websiteName, zoneName, creative } = row;
  const place = [websiteName, zoneName].filter((part) => part !== null).join(', ');
  return { publicId, name, place: place === '' ? null : place, creative, ...figuresReply(row) };
}

/** All rows of one bucket. */
export function countingReply(start: string, rows: readonly CountingRow[]): CountingBucket {
  const sumOf = (kind: string, without?: string) =>
    rows
      .filter((row) => row.kind === kind && row.reason !== without)
      .reduce((sum, row) => sum + Number(row.n), 0);
  const countOf = (kind: string, reason: string) =>
    Number(rows.find((row) => row.kind === kind && row.reason === reason)?.n ?? 0);
  const reported = (kind: string): Reported => ({
    counted: countOf(kind, ''),
    uncounted: REASONS.map((reason) => ({ reason, count: countOf(kind, reason) })).filter(
      ({ count }) => count > 0,
    ),
  });
  return {
    start,
    decisions: sumOf('decision'),
    // Each view implies a rendered ad. If the ad had already been reported as rendered, the counting function records a
    // duplicate, which is subtracted here. The two may fall into different hours, so the result can be negative.
    rendered: Math.max(
      0,
      sumOf('view', 'duplicate') + sumOf('rendered', 'duplicate') - countOf('rendered', 'duplicate'),
    ),
    views: reported('view'),
    clicks: reported('click'),
    landings: { clicks: countOf('measured', ''), landings: countOf('landing', '') },
  };
}

export function unusualHourReply({ hour, ...rest }: ZoneHour): UnusualHour {
  const { zone, zoneName, websiteName, views, clicks, before } = rest;
  return { zone, zoneName, websiteName, hour: hour.toISOString(), views, clicks, before };
}

export function withdrawalReply(row: WithdrawalRow): Withdrawal {
  const { id, zone, zoneName, websiteName, views, clicks, signals } = row;
  return {
    id,
    zone,
    zoneName,
    websiteName,
    from: row.fromHour.toISOString(),
    until: row.untilHour.toISOString(),
    madeAt: row.madeAt.toISOString(),
    views,
    clicks,
    signals,
    overruled:
      row.overruledAt === null
        ? null
        : { at: row.overruledAt.toISOString(), reason: row.overruledReason as string },
  };
}
