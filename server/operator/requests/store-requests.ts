/** The SQL of what one operator asks another to confirm. */
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { type Right, rolesWith } from '#domain/operator/rights.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { OperatorRequests } from '#server/platform/database/tables.ts';

export type NewRequest = Pick<
  Insertable<OperatorRequests>,
  'subjectId' | 'amountCents' | 'isEverything' | 'role' | 'reason'
> & { kind: OperatorRequests['kind'] };

/** The right that a request of this kind needs, of the one who asks and of the one who confirms. */
export function rightFor(kind: OperatorRequests['kind']): Right {
  return kind === 'refund' ? 'money' : 'owner';
}

/** Whether the account, a column or a value, has the right for the request of the row. */
const mayDecide = (userId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from operators o where o.user_id = ${userId} and o.role = any(
    case operator_requests.kind when 'refund' then ${rolesWith(rightFor('refund'))}::text[]
      else ${rolesWith('owner')}::text[] end))`;

/** Returns false if the same is open already. One that has expired gives way. */
export async function insertRequest(
  tx: Tx,
  request: NewRequest & { requestedBy: number; requestedAt: Date; expiresAt: Date },
): Promise<boolean> {
  await tx
    .updateTable('operatorRequests')
    .set({ outcome: 'expired', decidedAt: request.requestedAt })
    .where('kind', '=', request.kind)
    .where('subjectId', '=', request.subjectId)
    .where('outcome', 'is', null)
    .where('expiresAt', '<=', request.requestedAt)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operatorRequests')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Decides about an open request. Returns false if nothing was decided: a request is confirmed only by another person than
 * the one who asked, while both have the right. Both can decline it.
 */
export async function settleRequest(
  tx: Tx,
  settled: { id: number; outcome: 'confirmed' | 'declined'; by: number | null; now: Date },
): Promise<boolean> {
  const { id, outcome, by, now } = settled;
  const { numUpdatedRows } = await tx
    .updateTable('operatorRequests')
    .set({ outcome, decidedBy: by, decidedAt: now })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .$if(outcome === 'confirmed', (query) =>
      query
        .where('expiresAt', '>', now)
        .where('requestedBy', 'is distinct from', by)
        .where(mayDecide(sql.ref('requestedBy')))
        .$if(by !== null, (confirmed) => confirmed.where(mayDecide(sql`${by}::integer`))),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** With the addresses of the people, and the title of the ad. */
function requests(tx: Tx) {
  return tx
    .selectFrom('operatorRequests as r')
    .leftJoin('users as asker', 'asker.id', 'r.requestedBy')
    .leftJoin('users as person', (join) =>
      join
        .onRef('person.id', '=', 'r.subjectId')
        .on('r.kind', '<>', 'refund')
        .on('person.deletedAt', 'is', null),
    )
    .leftJoin('ads', (join) => join.onRef('ads.id', '=', 'r.subjectId').on('r.kind', '=', 'refund'))
    .selectAll('r')
    .select(['asker.email as askedBy', 'person.email', 'ads.title']);
}
type Row = Awaited<ReturnType<ReturnType<typeof requests>['executeTakeFirstOrThrow']>>;
export type RequestRow = Omit<Row, 'amountCents'> & { amountCents: number | null };

const view = (row: Row): RequestRow => ({
  ...row,
  amountCents: row.amountCents,
});

export async function findRequest(tx: Tx, id: number): Promise<RequestRow | null> {
  const row = await requests(tx).where('r.id', '=', id).executeTakeFirst();
  return row ? view(row) : null;
}

/** The requests that wait, the oldest first. */
export async function listOpenRequests(tx: Tx, now: Date): Promise<RequestRow[]> {
  const rows = await requests(tx)
    .where('r.outcome', 'is', null)
    .where('r.expiresAt', '>', now)
    .orderBy('r.id')
    .limit(100)
    .execute();
  return rows.map(view);
}

export async function countOpenRequests(tx: Tx, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('operatorRequests')
    .select(sql<number>`count(*)`.as('count'))
    .where('outcome', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** The sum that operators have refunded for an ad so far, in cents, without the refunds that the rules make. */
export async function sumRefundsByOperators(tx: Tx, adId: number): Promise<number> {
  const { sum } = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(sql<string>`coalesce(sum(refunds.amount_cents), 0)`.as('sum'))
    .where('payments.adId', '=', adId)
    .where('refunds.cause', '=', 'operator')
    .executeTakeFirstOrThrow();
  return Number(sum);
}
