/** The SQL of evidence.ts: the facts of a disputed ad, and the evidence sent to the bank. */
import { sql } from 'kysely';
import type { Evidence } from '#domain/payments/evidence.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** `sending`: the evidence is committed, and the provider's answer is not known yet. `staged`: only the provider has it. */
export type EvidenceState = 'none' | 'staged' | 'sending' | 'sent';

function disputes(tx: Tx) {
  return tx
    .selectFrom('disputes as d')
    .innerJoin('payments as p', 'p.id', 'd.paymentId')
    .select([
      'd.id',
      'd.disputeId',
      'd.status',
      'd.dueAt',
      'd.closedAt',
      'd.evidence',
      'd.evidenceKey',
      'd.evidenceState',
      'd.evidenceNextAt',
      'p.adId',
      'p.book',
    ]);
}
type Row = Awaited<ReturnType<ReturnType<typeof disputes>['executeTakeFirstOrThrow']>>;
export type DisputeToAnswer = Omit<Row, 'evidence' | 'evidenceState'> & {
  evidence: Evidence | null;
  evidenceState: EvidenceState;
};
const disputeOf = (row: Row): DisputeToAnswer => ({
  ...row,
  evidence: row.evidence as Evidence | null,
  evidenceState: row.evidenceState,
});

/** Locks a dispute by our id or by the provider's. */
export async function lockDisputeToAnswer(
  tx: Tx,
  by: { id: number } | { disputeId: string },
): Promise<DisputeToAnswer | null> {
  const row = await disputes(tx)
    .where((eb) => ('id' in by ? eb('d.id', '=', by.id) : eb('d.disputeId', '=', by.disputeId)))
    .forNoKeyUpdate('d')
    .executeTakeFirst();
  return row ? disputeOf(row) : null;
}

/**
 * Takes the disputes of a book whose evidence is to be staged or sent at `now`, and puts their next look off, so that no
 * other instance takes them meanwhile.
 */
export async function takeDueEvidence(
  tx: Tx,
  book: PaymentBook,
  now: Date,
  until: Date,
  limit: number,
): Promise<number[]> {
  const rows = await tx
    .updateTable('disputes')
    .set({ evidenceNextAt: until })
    .where('id', 'in', (query) =>
      query
        .selectFrom('disputes as d')
        .innerJoin('payments as p', 'p.id', 'd.paymentId')
        .select('d.id')
        .where('p.book', '=', book)
        .where('d.evidenceNextAt', '<=', now)
        .orderBy('d.evidenceNextAt')
        .limit(limit)
        .forNoKeyUpdate('d')
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function writeEvidence(
  tx: Tx,
  id: number,
  changes: {
    evidence?: Evidence;
    evidenceKey?: string;
    evidenceState?: EvidenceState;
    evidenceAt?: Date;
    evidenceError?: string | null;
    evidenceNextAt?: Date | null;
  },
): Promise<void> {
  const { evidence, ...rest } = changes;
  await tx
    .updateTable('disputes')
    .set({ ...rest, ...(evidence && { evidence: JSON.stringify(evidence) }) })
    .where('id', '=', id)
    .execute();
}

/** The facts of a disputed payment. */
export async function findDisputedSale(tx: Tx, id: number) {
  return await tx
    .selectFrom('disputes as d')
    .innerJoin('payments as p', 'p.id', 'd.paymentId')
    .innerJoin('ads as a', 'a.id', 'p.adId')
    .innerJoin('adZones as z', 'z.id', 'a.adZoneId')
    .innerJoin('websites as w', 'w.id', 'z.websiteId')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .select([
      'a.id as adId',
      'a.publicId',
      'a.title',
      'a.targetUrl',
      'a.version',
      'a.createdAt',
      'a.approvedAt',
      'a.startDate',
      'a.endDate',
      'a.endedReason',
      'a.status',
      'a.pricingModel',
      'a.duration',
      'a.impressions',
      'a.clicks',
      'z.name as zoneName',
      'w.name as websiteName',
      'w.url as websiteUrl',
      'u.email',
      'u.firstName',
      'u.lastName',
      'p.id as paymentId',
      'p.amountCents',
      'p.currency',
      'p.paidAt',
      'p.chargeId',
    ])
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The counted views and clicks of an ad by UTC day, without withdrawn ones, the oldest first. */
export async function listDeliveryDays(
  tx: Tx,
  adId: number,
): Promise<{ day: string; views: number; clicks: number }[]> {
  const { rows } = await sql<{ day: string; views: string; clicks: string }>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day,
        coalesce(sum(n) filter (where kind = 'view'), 0) as views,
        coalesce(sum(n) filter (where kind = 'click'), 0) as clicks
      from net_hours where ad_id = ${adId} and kind in ('view', 'click')
      group by 1 having sum(n) > 0 order by 1`.execute(tx);
  return rows.map(({ day, views, clicks }) => ({ day, views: Number(views), clicks: Number(clicks) }));
}
