import type { Earned } from '#domain/payments/ad-earnings.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import { decimalOf } from '#domain/money.ts';
import {
  accrualFormula,
  paidFormula,
  partOf,
  partsOf,
  undeliveredFormula,
} from '#domain/payments/ad-ledger.ts';
import { stageOf } from '#domain/payments/disputes.ts';
import type { Price } from '#domain/payments/earned.ts';
import {
  type getAdLedger,
  LEDGER_KINDS,
  type LedgerEntry,
  type LedgerKind,
  UNCOUNTED,
} from '#domain/payments/ledger-contract.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { percentOf } from '#domain/payments/tax.ts';
import { SECOND_MS } from '#domain/time.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, encodeCursor } from '#server/platform/http/cursor.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { earnedAt } from './accrue.ts';
import { listHeld } from './held.ts';
import {
  type EntryRow,
  findAccrualBefore,
  findDisputeOf,
  findSides,
  listEntries,
  listUncounted,
  sumKept,
  sumUndelivered,
  type Uncounted,
} from './store-ad-ledger.ts';
import { findPaid } from './store-earnings.ts';

const MAX_ENTRIES = 1000;

/** The entries about refunds to the advertiser. */
const TO_BUYER: ReadonlySet<string> = new Set(['goodwill', 'refund', 'refund_failed', 'refund_by_hand']);
/** The entries about payouts to the publisher. */
const TO_PUBLISHER: ReadonlySet<string> = new Set(['transfer', 'reversal']);

/**
 * A side does not see the refunds or payouts to the other side. The publisher's part of a refund is an entry of its
 * own.
 */
const KINDS: Record<LedgerSide, readonly LedgerKind[]> = {
  buyer: LEDGER_KINDS.filter((kind) => !TO_PUBLISHER.has(kind)),
  publisher: LEDGER_KINDS.filter((kind) => !TO_BUYER.has(kind)),
};

/**
 * Shows one side's part of an ad's money at the present moment: the posted entries, and as the last line the delivery
 * since. Throws 404 unless the caller is the advertiser or the publisher of the ad, and 409 if the ad was not paid.
 * [LEDG-06]
 */
export async function adLedger(
  ctx: Context,
  who: Caller,
  { params, query }: Parsed<typeof getAdLedger>,
): Promise<Reply<typeof getAdLedger>> {
  // One snapshot, so that the sums are those of the entries.
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const ad = await findSides(tx, params.ref);
      const side = ad && sideOf(ad, who, query.side);
      if (!ad || !side) throw notFound('Ad not found. Please reload the page.');
      const now = ctx.now();
      const [paid, earned] = [await findPaid(tx, ad.id), await earnedAt(tx, ad.id, now)];
      if (!paid || !earned) throw conflict('This ad has not been paid for, so there is nothing to show yet.');
      const price = { totalCents: paid.amountCents, commissionCents: paid.commissionCents };
      const total = partsOf(side, price).reduce((sum, cents) => sum + cents, 0);
      const { takenBack, goodwillCents, ...back } = await sumUndelivered(tx, ad.id);
      const givenCents = side === 'buyer' ? goodwillCents : 0;
      const earnedCents = partOf(side, earned) - partOf(side, takenBack) - givenCents;
      const refunded = partOf(side, back) + givenCents;
      const keptCents = partOf(side, await sumKept(tx, ad.id));
      const held =
        side === 'publisher' ? await listHeld(tx, { publisherId: ad.publisherId, adId: ad.id }, now) : [];
      const dispute = (await findDisputeOf(tx, ad.id)) ?? null;
      const page = { after: decodeCursor(query.cursor) ?? 0, limit: query.limit ?? MAX_ENTRIES };
      return {
        currency: paid.currency,
        side,
        title: ad.title,
        pricingModel: ad.pricingModel,
        bought: earned.bought,
        delivered: earned.units,
        price: decimalOf(paid.amountCents),
        net: decimalOf(paid.amountCents - paid.taxCents),
        tax: decimalOf(paid.taxCents),
        taxRate: paid.taxRate === null ? null : percentOf(paid.taxRate),
        fee: decimalOf(paid.feeCents),
        earnings: decimalOf(paid.amountCents - paid.commissionCents),
        total: decimalOf(total),
        earned: decimalOf(earnedCents),
        refunded: decimalOf(refunded),
        kept: decimalOf(keptCents),
        open: decimalOf(total - earnedCents - refunded - keptCents),
        dispute: dispute && {
          stage: stageOf(dispute.status),
          amount: decimalOf(dispute.amountCents),
          openedAt: dispute.openedAt.toISOString(),
          dueAt: dispute.closedAt === null && dispute.dueAt ? dispute.dueAt.toISOString() : null,
        },
        holds: held.map(({ reason, since, amountCents }) => ({
          amount: decimalOf(amountCents),
          reason,
          since: since.toISOString(),
        })),
        ...(await entriesOf(
          tx,
          { ...ad, price, feeCents: paid.feeCents, side, earned, keptCents, now },
          page,
        )),
      };
    });
}

function sideOf(
  ad: { buyerId: number; publisherId: number },
  who: Caller,
  wanted: LedgerSide | undefined,
): LedgerSide | null {
  const isSide = (side: LedgerSide) => (side === 'buyer' ? ad.buyerId : ad.publisherId) === who.id;
  return (wanted === undefined ? (['buyer', 'publisher'] as const) : [wanted]).find(isSide) ?? null;
}

type Shown = {
  id: number;
  status: string;
  pricingModel: PricingModel;
  startDate: Date | null;
  price: Price;
  feeCents: number;
  side: LedgerSide;
  earned: Earned;
  keptCents: number;
  now: Date;
};

async function entriesOf(tx: Tx, ad: Shown, { after, limit }: { after: number; limit: number }) {
  const kinds = KINDS[ad.side];
  const rows = await listEntries(tx, ad.id, { kinds, after, limit: limit + 1 });
  const hasMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  const before = await findAccrualBefore(tx, ad.id, after);
  let delivered = before?.to ?? 0;
  let last = before?.occurredAt ?? ad.startDate ?? ad.now;
  const entries: Line[] = shown.map((row) => {
    if (row.kind !== 'accrual' && row.kind !== 'correction') return lineOf(ad, row, delivered);
    const line = accrualLine(ad, row, last);
    delivered = row.to ?? delivered;
    last = row.occurredAt;
    return line;
  });
  const since = before?.occurredAt ?? ad.startDate ?? ad.now;
  if (!hasMore) entries.push(...(await unposted(tx, ad, { delivered, last })));
  if (ad.pricingModel !== 'per_day') {
    const kind = ad.pricingModel === 'per_click' ? 'click' : 'view';
    addUncounted(entries, await listUncounted(tx, ad.id, kind, since), hasMore);
  }
  return {
    // Show a line of 0.00 only if it lists uncounted events, which explain it.
    entries: entries
      .filter(({ entry }) => entry.isPosted || entry.amount !== '0.00' || entry.notCounted.length > 0)
      .map(({ entry }) => entry),
    next: hasMore ? encodeCursor((shown.at(-1) as EntryRow).id) : null,
  };
}

/** An entry on the wire, and the end of its delivery, if it is one of delivery. */
type Line = { entry: LedgerEntry; until: Date | null };

function accrualLine(ad: Shown, row: EntryRow, last: Date): Line {
  const units = { from: row.from ?? 0, to: row.to ?? 0, of: ad.earned.bought };
  const cents = partOf(ad.side, {
    publisherCents: Number(row.publisher),
    commissionCents: Number(row.commission),
  });
  return {
    until: row.occurredAt,
    entry: {
      at: row.occurredAt.toISOString(),
      recordedAt: row.recordedAt.toISOString(),
      kind: row.kind as LedgerKind,
      ...units,
      amount: decimalOf(cents),
      formula: accrualFormula(ad.side, ad.price, units, cents),
      notCounted: ad.pricingModel === 'per_day' ? notRunning(units, last, row.occurredAt) : [],
      isPosted: true,
    },
  };
}

function lineOf(ad: Shown, row: EntryRow, delivered: number): Line {
  const share = partOf(ad.side, {
    publisherCents: Number(row.publisher),
    commissionCents: Number(row.commission),
  });
  const cents = TO_BUYER.has(row.kind) ? Number(row.refund) : share;
  const units = { delivered, of: ad.earned.bought };
  const formula =
    row.kind === 'paid'
      ? paidFormula(ad.side, ad.price, ad.feeCents)
      : row.kind === 'undelivered'
        ? undeliveredFormula(ad.side, ad.price, units, { amountCents: cents, keptCents: ad.keptCents })
        : decimalOf(Math.abs(cents));
  const isRest = row.kind === 'undelivered' && formula !== decimalOf(cents);
  return {
    until: null,
    entry: {
      at: row.occurredAt.toISOString(),
      recordedAt: row.recordedAt.toISOString(),
      kind: row.kind as LedgerKind,
      from: isRest ? delivered : null,
      to: isRest ? ad.earned.bought : null,
      of: isRest ? ad.earned.bought : null,
      amount: decimalOf(Math.abs(cents)),
      formula,
      notCounted: [],
      isPosted: true,
    },
  };
}

/** The delivery since the last entry, as a line that is not posted yet. */
async function unposted(
  tx: Tx,
  ad: Shown,
  { delivered, last }: { delivered: number; last: Date },
): Promise<Line[]> {
  const posted = await postedCents(tx, ad);
  const cents = partOf(ad.side, ad.earned) - posted;
  if (ad.status !== 'active' && cents === 0) return [];
  const units = { from: delivered, to: ad.earned.units, of: ad.earned.bought };
  const entry: LedgerEntry = {
    at: ad.now.toISOString(),
    recordedAt: ad.now.toISOString(),
    kind: cents < 0 ? 'correction' : 'accrual',
    ...units,
    amount: decimalOf(cents),
    formula: accrualFormula(ad.side, ad.price, units, cents),
    notCounted: ad.pricingModel === 'per_day' ? notRunning(units, last, ad.now) : [],
    isPosted: false,
  };
  return [{ entry, until: ad.now }];
}

async function postedCents(tx: Tx, { id, side }: Shown): Promise<number> {
  const row = await tx
    .selectFrom('adEarnings')
    .select(['publisherCents', 'commissionCents'])
    .where('adId', '=', id)
    .executeTakeFirstOrThrow();
  return partOf(side, {
    publisherCents: row.publisherCents,
    commissionCents: row.commissionCents,
  });
}

/** The seconds of a pause, and of days without an ad request. For a correction, the withdrawn seconds. */
function notRunning(
  { from, to }: { from: number; to: number },
  last: Date,
  at: Date,
): LedgerEntry['notCounted'] {
  if (to < from) return [{ reason: 'withdrawn', count: from - to }];
  const count = Math.floor((at.getTime() - last.getTime()) / SECOND_MS) - (to - from);
  return count > 0 ? [{ reason: 'not_running', count }] : [];
}

/**
 * Gives each hour's uncounted events to the first line whose delivery ends with that hour or later. Later events go to
 * the last line, or to the next page if there is one.
 */
function addUncounted(lines: readonly Line[], uncounted: readonly Uncounted[], hasMore: boolean): void {
  const delivery = lines.filter(({ until }) => until !== null);
  for (const { at, reason, n } of uncounted) {
    const line =
      delivery.find(({ until }) => (until as Date) >= at) ?? (hasMore ? undefined : delivery.at(-1));
    const known = UNCOUNTED.find((each) => each === reason);
    if (!line || !known) continue;
    const { notCounted } = line.entry;
    const same = notCounted.find((each) => each.reason === known);
    if (same) same.count += Number(n);
    else notCounted.push({ reason: known, count: Number(n) });
  }
}
