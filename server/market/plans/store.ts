/** The SQL of plans. It writes `plans`; `ads.plan_id` is written with the ad. */
import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type PlanRow = { id: number; publicId: string; name: string };

const COLUMNS = ['id', 'publicId', 'name'] as const;

/**
 * Inserts the plan of a request. Null if there is one already: a concurrent insertion of the same request is waited for.
 */
export async function insertPlan(
  tx: Tx,
  plan: { userId: number; requestId: string; bodyHash: Buffer; name: string; createdAt: Date },
): Promise<PlanRow | null> {
  const row = await tx
    .insertInto('plans')
    .values(plan)
    .onConflict((conflict) => conflict.columns(['userId', 'requestId']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export function findPlanOfRequest(tx: Tx, userId: number, requestId: string) {
  return tx
    .selectFrom('plans')
    .select([...COLUMNS, 'bodyHash'])
    .where('userId', '=', userId)
    .where('requestId', '=', requestId)
    .executeTakeFirst();
}

export function findOwnPlan(tx: Tx, ref: Reference, userId: number): Promise<PlanRow | undefined> {
  return tx
    .selectFrom('plans')
    .select(COLUMNS)
    .where((eb) => ('id' in ref ? eb('id', '=', ref.id) : eb('publicId', '=', ref.publicId)))
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** Newest first, with ids below `before`. */
export function listPlansOf(
  tx: Tx,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<PlanRow[]> {
  return tx
    .selectFrom('plans')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .$if(page.before !== null, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export async function deletePlans(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('plans').where('userId', '=', userId).execute();
}

export type PaidRow = { adId: number; paidCents: number; refundedCents: number };

/** The payments of those of these ads that were paid, and all of their refunds, those on their way included. In cents. */
export function listPaid(tx: Tx, adIds: readonly number[]): Promise<PaidRow[]> {
  return tx
    .selectFrom('payments')
    .select([
      'payments.adId',
      'payments.amountCents as paidCents',
      sql<number>`coalesce((select sum(r.amount_cents) from refunds r where r.payment_id = payments.id), 0)::float8`.as(
        'refundedCents',
      ),
    ])
    .where('payments.adId', 'in', adIds)
    .where('payments.status', '=', 'succeeded')
    .execute();
}
