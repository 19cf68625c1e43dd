/** The SQL of cancels. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { Shares } from '#domain/payments/refunds.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The person, the card and the network whose cancels are counted together. Card and network are keyed hashes. */
export type Canceler = { userId: number; card: string | null; network: string | null };

/** Cancels wait for each other, so that parallel ones cannot exceed a limit. Taken before any row. */
export async function lockCancels(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('cancels'))`.execute(tx);
}

/** The times of the cancels since `since` by the same person, with the same card, and from the same network; the oldest first. */
export async function listCancelTimes(tx: Tx, who: Canceler, since: Date): Promise<Date[][]> {
  const { rows } = await sql<{ at: Date; isPerson: boolean; isCard: boolean; isNetwork: boolean }>`
    select c.created_at as at, p.user_id = ${who.userId} as "isPerson",
        coalesce(p.card = ${who.card}, false) as "isCard", coalesce(c.network = ${who.network}, false) as "isNetwork"
      from cancels c join payments p on p.id = c.payment_id
      where c.created_at > ${since} and (p.user_id = ${who.userId} or p.card = ${who.card} or c.network = ${who.network})
      order by c.created_at`.execute(tx);
  return (['isPerson', 'isCard', 'isNetwork'] as const).map((by) =>
    rows.filter((row) => row[by]).map(({ at }) => at),
  );
}

/** The facts of an ad's payment on which the terms of a cancel depend. */
export async function findCanceled(tx: Tx, adId: number) {
  return await tx
    .selectFrom('payments')
    .select(['id', 'userId', 'card', 'amountCents', 'currency', 'paidAt'])
    .where('adId', '=', adId)
    .where('status', '=', 'succeeded')
    .executeTakeFirstOrThrow();
}

/** The provider's fee for the payment of an ad, in cents of its currency; null as long as it is unknown. */
export async function findFee(tx: Tx, adId: number, currency: string): Promise<number | null> {
  const { rows } = await sql<{ cents: string | null }>`
    select sum(p.amount_cents) as cents
      from ledger_tx t join ledger_postings p on p.tx_id = t.id join ledger_accounts a on a.id = p.account_id
      where t.ad_id = ${adId} and t.kind = 'fee' and a.kind = 'processing_fees' and a.currency = ${currency}`.execute(
    tx,
  );
  const cents = rows[0]?.cents ?? null;
  return cents === null ? null : Math.max(0, Number(cents));
}

/** Whether something else than the advertiser keeps the ad from being shown at present. */
export async function isHeldByOthers(tx: Tx, adId: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select ad_held_since(id) is not null or tag_silent_since is not null as held
      from ads where id = ${adId}`.execute(tx);
  return rows[0]?.held ?? false;
}

/** Forgets from which networks cancels came before `before`. */
export async function clearNetworks(tx: Tx, before: Date): Promise<void> {
  await tx
    .updateTable('cancels')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('createdAt', '<', before)
    .execute();
}

type NewCancel = {
  paymentId: number;
  network: string | null;
  state: 'waiting' | 'done';
  refundCents: number;
  feeCents: number;
};

export async function insertCancel(tx: Tx, cancel: NewCancel, createdAt: Date): Promise<number> {
  const { id } = await tx
    .insertInto('cancels')
    .values({ ...cancel, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateKept(tx: Tx, id: number, kept: Shares): Promise<void> {
  await tx
    .updateTable('cancels')
    .set({ keptPublisherCents: kept.publisherCents, keptCommissionCents: kept.commissionCents })
    .where('id', '=', id)
    .execute();
}

/** Keeps a running ad from being shown while its cancel waits. The caller has locked the ad. */
export async function markWaiting(tx: Tx, adId: number, at: Date): Promise<void> {
  await tx.updateTable('ads').set({ cancelAskedAt: at, updatedAt: at }).where('id', '=', adId).execute();
}

export async function clearWaiting(tx: Tx, adId: number, at: Date): Promise<void> {
  await tx.updateTable('ads').set({ cancelAskedAt: null, updatedAt: at }).where('id', '=', adId).execute();
}

/** Decides about the waiting cancel of an ad. Returns null if none waits. */
export async function decide(
  tx: Tx,
  adId: number,
  state: 'done' | 'refused',
): Promise<{ id: number; feeCents: number; createdAt: Date } | null> {
  const row = await tx
    .updateTable('cancels')
    .set({ state })
    .where('state', '=', 'waiting')
    .where('paymentId', 'in', (query) =>
      query.selectFrom('payments').select('id').where('adId', '=', adId).where('status', '=', 'succeeded'),
    )
    .returning(['id', 'feeCents', 'createdAt'])
    .executeTakeFirst();
  return row ?? null;
}

/**
 * An ad that ends for another reason has no cancel to decide about any more. Returns the one that has waited. The caller has
 * locked the ad. [OWNS-83]
 */
export async function closeWaiting(
  tx: Tx,
  adId: number,
  at: Date,
): Promise<{ id: number; feeCents: number } | null> {
  const cancel = await decide(tx, adId, 'done');
  await clearWaiting(tx, adId, at);
  return cancel;
}

/** The refund of a cancel that waits, and since when it does. */
export type WaitingSum = { adId: number; amountCents: number; currency: Currency; since: Date };

/**
 * Notes that the operator is reminded now of up to `limit` cancels that wait since `since` or before, but after `until`.
 * Each is noted once. Returns them.
 */
export async function takeReminders(
  tx: Tx,
  { since, until, now, limit }: { since: Date; until: Date; now: Date; limit: number },
): Promise<WaitingSum[]> {
  const due = tx
    .selectFrom('cancels')
    .innerJoin('payments', 'payments.id', 'cancels.paymentId')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .select('cancels.id')
    .where('cancels.state', '=', 'waiting')
    .where('cancels.remindedAt', 'is', null)
    .where('cancels.createdAt', '<=', since)
    .where('cancels.createdAt', '>', until)
    .where('ads.status', '=', 'active')
    .orderBy('cancels.id')
    .limit(limit)
    .forNoKeyUpdate('cancels')
    .skipLocked();
  return await tx
    .updateTable('cancels')
    .from('payments')
    .set({ remindedAt: now })
    .where('cancels.id', 'in', due)
    .whereRef('payments.id', '=', 'cancels.paymentId')
    .returning(['payments.adId', 'payments.currency'])
    .returning(['cancels.refundCents as amountCents', 'cancels.createdAt as since'])
    .execute();
}

/** The ads above `after` whose cancels wait since `since` or before, ascending, also ads that have ended meanwhile. */
export async function listOverdue(tx: Tx, since: Date, after: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('cancels')
    .innerJoin('payments', 'payments.id', 'cancels.paymentId')
    .select('payments.adId')
    .where('cancels.state', '=', 'waiting')
    .where('cancels.createdAt', '<=', since)
    .where('payments.adId', '>', after)
    .orderBy('payments.adId')
    .limit(limit)
    .execute();
  return rows.map(({ adId }) => adId);
}

/** The cancels that wait for the operator, the oldest first. */
export async function listWaiting(tx: Tx) {
  return await tx
    .selectFrom('cancels')
    .innerJoin('payments', 'payments.id', 'cancels.paymentId')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .select(['ads.id as adId', 'ads.publicId as ad', 'ads.title', 'payments.currency'])
    .select(['cancels.refundCents as amountCents', 'cancels.createdAt as since'])
    .where('cancels.state', '=', 'waiting')
    .where('ads.status', '=', 'active')
    .orderBy('cancels.id')
    .limit(500)
    .execute();
}
