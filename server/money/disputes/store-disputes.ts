import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { Loss } from '#domain/payments/lost-disputes.ts';
import { sumOf } from '#domain/payments/refunds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Holds } from '#server/platform/database/tables.ts';

/**
 * `status`: the provider's word until now; null for a dispute that we did not know. `isBooked`: it is lost, and the ledger
 * says who bears it.
 */
export type DisputeRow = { id: number; status: string | null; closedAt: Date | null; isBooked: boolean };

/** Records a dispute once. Returns it, locked. */
export async function lockDispute(
  tx: Tx,
  dispute: {
    disputeId: string;
    paymentId: number;
    status: string;
    reason: string;
    amountCents: number;
    currency: Currency;
    dueAt: Date | null;
    openedAt: Date;
  },
  at: Date,
): Promise<DisputeRow> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('disputes')
    .values({ ...dispute, updatedAt: at })
    .onConflict((conflict) => conflict.column('disputeId').doNothing())
    .executeTakeFirst();
  const { lostAt, ...row } = await tx
    .selectFrom('disputes')
    .select(['id', 'status', 'closedAt', 'lostAt'])
    .where('disputeId', '=', dispute.disputeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return { ...row, ...(numInsertedOrUpdatedRows === 1n && { status: null }), isBooked: lostAt !== null };
}

export async function writeDispute(
  tx: Tx,
  id: number,
  changes: { status: string; dueAt: Date | null; closedAt: Date | null },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('disputes')
    .set({ ...changes, updatedAt: at })
    .where('id', '=', id)
    .execute();
}

/**
 * Notes when the evidence of a dispute is to be staged: now, if it is new. No evidence is sent if the bank takes none,
 * or already has evidence from the provider's dashboard.
 */
export async function lookAtEvidence(
  tx: Tx,
  id: number,
  { isTaken, isSent }: { isTaken: boolean; isSent: boolean },
  now: Date,
): Promise<void> {
  if (isSent || !isTaken) {
    await tx
      .updateTable('disputes')
      .set({ evidenceNextAt: null, ...(isSent && { evidenceState: 'sent' }) })
      .where('id', '=', id)
      // A request of ours is on its way, and its answer sets the state.
      .where('evidenceState', '<>', 'sending')
      .execute();
    return;
  }
  await tx
    .updateTable('disputes')
    .set({ evidenceNextAt: now })
    .where('id', '=', id)
    .where('evidenceState', '=', 'none')
    .where('evidenceNextAt', 'is', null)
    .execute();
}

/** The amount that a dispute took from our balance and did not bring back, in cents of the sale's currency. */
export async function receivableOf(tx: Tx, id: number): Promise<number> {
  const row = await tx
    .selectFrom('ledgerAccounts as a')
    .innerJoin('ledgerPostings as p', 'p.accountId', 'a.id')
    .select(sql<string>`coalesce(sum(p.amount_cents), 0)`.as('cents'))
    .where('a.kind', '=', 'dispute_receivable')
    .where('a.ownerId', '=', id)
    .executeTakeFirstOrThrow();
  return Number(row.cents);
}

/** Records where the money of a lost dispute came from. Amounts in cents. */
export async function markLost(
  tx: Tx,
  id: number,
  loss: {
    lostAt: Date;
    lostPublisherCents: number;
    lostCommissionCents: number;
    borneCents: number;
    absorbedCents: number;
  },
): Promise<void> {
  await tx.updateTable('disputes').set(loss).where('id', '=', id).execute();
}

/**
 * The parts of a booked loss, in cents: the disputed amount, its undelivered shares, and what publisher and
 * marketplace bear. Null if no loss is booked.
 */
export async function findBookedLoss(tx: Tx, id: number): Promise<(Loss & { lostCents: number }) | null> {
  const { rows } = await sql<
    Record<'lost' | 'publisher' | 'commission' | 'borne' | 'absorbed' | 'settled', string>
  >`
    select d.lost_publisher_cents as publisher, d.lost_commission_cents as commission, d.borne_cents as borne,
        d.absorbed_cents as absorbed, -l.amount_cents as lost,
        (select coalesce(sum(amount_cents), 0) from refunds where settled_by = d.id) as settled
      from disputes d
      join ledger_tx t on t.kind = 'dispute_lost' and t.external_ref = d.dispute_id
      join ledger_postings l on l.tx_id = t.id
      join ledger_accounts a on a.id = l.account_id and a.kind = 'dispute_receivable'
      where d.id = ${id} and d.lost_at is not null and d.recovered_at is null`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  const undelivered = { publisherCents: Number(row.publisher), commissionCents: Number(row.commission) };
  const [lostCents, borneCents, absorbedCents] = [Number(row.lost), Number(row.borne), Number(row.absorbed)];
  // The commission that was given up is the rest.
  const commissionCents = lostCents - sumOf(undelivered) - borneCents - absorbedCents - Number(row.settled);
  return { lostCents, undelivered, borneCents, commissionCents, absorbedCents };
}

/** Undoes the loss of a dispute, because its money came back. */
export async function markRecovered(tx: Tx, id: number, recoveredAt: Date): Promise<void> {
  const nothing = { lostPublisherCents: 0, lostCommissionCents: 0, borneCents: 0, absorbedCents: 0 };
  await tx
    .updateTable('disputes')
    .set({ ...nothing, recoveredAt })
    .where('id', '=', id)
    .execute();
}

/** Whether a dispute about this ad is not decided, or was lost. */
export async function hasStandingDispute(tx: Tx, adId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.paymentId')
    .select('disputes.id')
    .where('payments.adId', '=', adId)
    .where((eb) => eb.or([eb('disputes.closedAt', 'is', null), eb('disputes.status', '=', 'lost')]))
    .executeTakeFirst();
  return row !== undefined;
}

export type Hold = { adId: number; reason: Holds['reason']; externalRef: string };

/**
 * Puts the earnings of an ad on hold, so that they are not paid out. The same object at the provider makes one hold, so
 * that one which the operator released does not come back.
 */
/** Returns false if the hold exists, or existed. */
export async function insertHold(tx: Tx, hold: Hold, at: Date): Promise<boolean> {
  const { adId, reason, externalRef } = hold;
  const { numAffectedRows = 0n } = await sql`
    insert into holds (user_id, ad_id, reason, external_ref, made_at)
      select w.user_id, a.id, ${reason}, ${externalRef}, ${at}
        from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
        where a.id = ${adId} and not exists (
          select from holds h where h.ad_id = a.id and h.reason = ${reason} and h.external_ref = ${externalRef})`.execute(
    tx,
  );
  return numAffectedRows > 0n;
}

export async function releaseHold(tx: Tx, { adId, reason, externalRef }: Hold, at: Date): Promise<void> {
  await tx
    .updateTable('holds')
    .set({ releasedAt: at })
    .where('adId', '=', adId)
    .where('reason', '=', reason)
    .where('externalRef', '=', externalRef)
    .where('releasedAt', 'is', null)
    .execute();
}
