/** The SQL of ad-ledger.ts: the entries of one ad, and its uncounted events. */
import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';

export async function findSides(tx: Tx, ref: Reference) {
  return await tx
    .selectFrom('ads as a')
    .innerJoin('adZones as z', 'z.id', 'a.adZoneId')
    .innerJoin('websites as w', 'w.id', 'z.websiteId')
    .select([
      'a.id',
      'a.title',
      'a.status',
      'a.userId as buyerId',
      'w.userId as publisherId',
      'a.pricingModel',
      'a.startDate',
    ])
    .where((eb) => ('id' in ref ? eb('a.id', '=', ref.id) : eb('a.publicId', '=', ref.publicId)))
    .executeTakeFirst();
}

/**
 * Amounts are cents: the change of an ad's deferred money or of its owed refund by an entry. Units are those of an
 * accrual.
 */
export type EntryRow = {
  id: number;
  kind: string;
  occurredAt: Date;
  recordedAt: Date;
  from: number | null;
  to: number | null;
  publisher: string;
  commission: string;
  refund: string;
};

/** The entries of an ad that move its own accounts, with ids above `after`, the oldest first. */
export async function listEntries(
  tx: Tx,
  adId: number,
  { kinds, after, limit }: { kinds: readonly string[]; after: number; limit: number },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select t.id, t.kind, t.occurred_at as "occurredAt", t.recorded_at as "recordedAt",
        (t.meta ->> 'from')::float8 as "from", (t.meta ->> 'to')::float8 as "to",
        coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_publisher'
          or (t.kind in ('dispute_lost', 'dispute_recovered', 'transfer', 'reversal')
            and a.kind in ('publisher_payable', 'publisher_receivable'))), 0) as publisher,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_commission'
          or (t.kind in ('dispute_lost', 'dispute_recovered') and a.kind = 'commission')), 0) as commission,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'refund_payable'), 0) as refund
      from (
        select * from ledger_tx
          where ad_id = ${adId} and id > ${after} and kind = any(${kinds})
          order by id limit ${limit}) as t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id
      group by t.id, t.kind, t.occurred_at, t.recorded_at, t.meta
      order by t.id`.execute(tx);
  return rows;
}

/** The latest accrual of an ad up to the entry `upTo`. */
export function findAccrualBefore(tx: Tx, adId: number, upTo: number) {
  return tx
    .selectFrom('ledgerTx')
    .select(['occurredAt', sql<number>`(meta ->> 'to')::float8`.as('to')])
    .where('adId', '=', adId)
    .where('id', '<=', upTo)
    .where('kind', 'in', ['accrual', 'correction'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The latest dispute about the payments of an ad. */
export async function findDisputeOf(tx: Tx, adId: number) {
  return await tx
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.paymentId')
    .select([
      'disputes.status',
      'disputes.amountCents',
      'disputes.openedAt',
      'disputes.dueAt',
      'disputes.closedAt',
    ])
    .where('payments.adId', '=', adId)
    .orderBy('disputes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type SharesOfAd = { publisherCents: number; commissionCents: number };

/**
 * The cents of an ad that were refunded to the advertiser or are owed to them. `takenBack` is the part that a lost
 * dispute took from the earnings, and `goodwillCents` what was refunded although it was delivered. The marketplace bears it.
 */
export async function sumUndelivered(
  tx: Tx,
  adId: number,
): Promise<SharesOfAd & { takenBack: SharesOfAd; goodwillCents: number }> {
  const { rows } = await sql<Record<'publisher' | 'commission' | 'borne' | 'given' | 'goodwill', string>>`
    select coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_publisher'), 0) as publisher,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_commission'), 0) as commission,
        coalesce(sum(p.amount_cents) filter (where a.kind in ('publisher_payable', 'publisher_receivable')), 0) as borne,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'commission'), 0) as given,
        coalesce(sum(p.amount_cents) filter (where a.kind = 'goodwill'), 0) as goodwill
      from ledger_tx t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id
      where t.ad_id = ${adId} and t.kind in ('undelivered', 'goodwill', 'dispute_lost', 'dispute_recovered')`.execute(
    tx,
  );
  const { publisher, commission, borne, given, goodwill } = rows[0] as (typeof rows)[number];
  const takenBack = { publisherCents: Number(borne), commissionCents: Number(given) };
  return {
    publisherCents: Number(publisher) + takenBack.publisherCents,
    commissionCents: Number(commission) + takenBack.commissionCents,
    takenBack,
    goodwillCents: Number(goodwill),
  };
}

/** The cents of an ad that the marketplace kept of its canceled part. */
export async function sumKept(tx: Tx, adId: number): Promise<SharesOfAd> {
  const { rows } = await sql<SharesOfAd>`
    select coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_publisher'), 0)::float8 as "publisherCents",
        coalesce(sum(p.amount_cents) filter (where a.kind = 'deferred_commission'), 0)::float8 as "commissionCents"
      from ledger_tx t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id
      where t.ad_id = ${adId} and t.kind = 'cancel_fee'`.execute(tx);
  return rows[0] as SharesOfAd;
}

/** Events at `at`, or in the hour that ends there. */
export type Uncounted = { at: Date; reason: string; n: string };

/** The views or clicks of an ad that were not counted in hours that end after `from`, by hour and reason. */
export async function listUncounted(
  tx: Tx,
  adId: number,
  kind: 'view' | 'click',
  from: Date,
): Promise<Uncounted[]> {
  const { rows } = await sql<Uncounted>`
    select hour + interval '1 hour' as at, reason, sum(n) as n from delivery_hourly
      where ad_id = ${adId} and kind = ${kind} and reason <> '' and hour > ${from}::timestamptz - interval '1 hour'
      group by hour, reason
    union all
    select w.made_at, 'withdrawn', sum(h.n) from withdrawn_hours h join withdrawals w on w.id = h.withdrawal_id
      where h.ad_id = ${adId} and h.kind = ${kind} and w.made_at > ${from}
      group by w.made_at
      having sum(h.n) > 0
    order by at`.execute(tx);
  return rows;
}
