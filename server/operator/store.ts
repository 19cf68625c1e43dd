/** The SQL of operators, their acts, and the answers to their decisions. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Act, Subject } from '#domain/operator/acts.ts';
import { type OperatorRole, type Right, rolesWith } from '#domain/operator/rights.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Appeals, OperatorActs } from '#server/platform/database/tables.ts';

/** Makes changes of the operators wait for each other, so that two of them cannot remove each other at once. */
export async function lockOperators(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('operators'))`.execute(tx);
}

export async function listOperators(tx: Tx) {
  return await tx
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.userId')
    .select(['users.id', 'users.email', 'operators.role', 'operators.addedAt'])
    .orderBy('operators.addedAt')
    .orderBy('users.id')
    .execute();
}

/** The addresses of operators whom no act made one, and of accounts that an act made one and that are none. */
export async function operatorsBesideActs(tx: Tx): Promise<{ withoutAct: string[]; removed: string[] }> {
  const { rows } = await sql<{ name: string; isOperator: boolean }>`
    with decided as (
      select distinct on (subject_id) subject_id, act from operator_acts
        where subject = 'person' and act in ('add-operator', 'remove-operator')
        order by subject_id, id desc),
    added as (select subject_id as user_id from decided where act = 'add-operator')
    select coalesce(u.email, 'account ' || coalesce(o.user_id, a.user_id)) as name, o.user_id is not null as "isOperator"
      from operators o
      full join added a on a.user_id = o.user_id
      left join users u on u.id = coalesce(o.user_id, a.user_id)
      where o.user_id is null or a.user_id is null
      order by 1`.execute(tx);
  return {
    withoutAct: rows.filter((row) => row.isOperator).map(({ name }) => name),
    removed: rows.filter((row) => !row.isOperator).map(({ name }) => name),
  };
}

/** The role of an operator; null for everybody else. */
export async function operatorRole(tx: Tx, userId: number): Promise<OperatorRole | null> {
  const row = await tx.selectFrom('operators').select('role').where('userId', '=', userId).executeTakeFirst();
  return row?.role ?? null;
}

export async function countOperatorsWith(tx: Tx, right: Right): Promise<number> {
  const { count } = await tx
    .selectFrom('operators')
    .select(sql<number>`count(*)`.as('count'))
    .where('role', 'in', rolesWith(right))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns false if the account is an operator already. */
export async function insertOperator(
  tx: Tx,
  operator: { userId: number; role: OperatorRole; addedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operators')
    .values(operator)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

const anotherOwner = (userId: number) =>
  sql<boolean>`exists (select from operators other where other.user_id <> ${userId} and other.role = 'owner')`;

/** Changes the role, unless the last owner would lose it. The caller holds the lock of `lockOperators`. */
export async function updateRole(tx: Tx, userId: number, role: OperatorRole): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ role })
    .where('userId', '=', userId)
    .$if(role !== 'owner', (query) => query.where(anotherOwner(userId)))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes the row unless it is the last owner’s. The caller holds the lock of `lockOperators`. */
export async function deleteOperator(tx: Tx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operators')
    .where('userId', '=', userId)
    .where((where) => where.or([where('role', '<>', 'owner'), anotherOwner(userId)]))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function findAccount(tx: Tx, email: string) {
  return await tx
    .selectFrom('users')
    .select(['id', 'email', 'suspendedAt', 'isEmailVerified'])
    .where('email', '=', email)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** The address of an account; null if it was deleted. */
export async function findAddress(tx: Tx, userId: number): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row?.email ?? null;
}

export async function insertAct(
  tx: Tx,
  act: Insertable<OperatorActs>,
): Promise<{ id: number; publicId: string }> {
  return await tx
    .insertInto('operatorActs')
    .values(act)
    .returning(['id', 'publicId'])
    .executeTakeFirstOrThrow();
}

/** The operator of the newest act of this kind on a subject; null for the command line, or without such an act. */
export async function findLastActor(
  tx: Tx,
  { act, subject, subjectId }: { act: Act; subject: Subject; subjectId: number },
): Promise<number | null> {
  const row = await tx
    .selectFrom('operatorActs')
    .select('operatorId')
    .where('subject', '=', subject)
    .where('subjectId', '=', subjectId)
    .where('act', '=', act)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.operatorId ?? null;
}

/** The act by which this operator sent their last test mail. */
export async function findLastTestMail(tx: Tx, operatorId: number): Promise<{ publicId: string } | null> {
  const row = await tx
    .selectFrom('operatorActs')
    .select('publicId')
    .where('subject', '=', 'mail')
    .where('subjectId', '=', 0)
    .where('act', '=', 'send-test-mail')
    .where('operatorId', '=', operatorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Acts with the state of their appeals. */
function acts(tx: Tx) {
  return tx
    .selectFrom('operatorActs')
    .leftJoin('appeals', 'appeals.actId', 'operatorActs.id')
    .selectAll('operatorActs')
    .select([
      'appeals.body as appealBody',
      'appeals.createdAt as appealedAt',
      'appeals.outcome',
      'appeals.answer',
      'appeals.decidedAt',
    ]);
}
export type ActRow = Awaited<ReturnType<ReturnType<typeof acts>['executeTakeFirstOrThrow']>>;

type Page = { before: number | null; limit: number };

/** The acts that an account may read, newest first. */
export async function listActsAbout(tx: Tx, userId: number, { before, limit }: Page): Promise<ActRow[]> {
  return await acts(tx)
    .where('operatorActs.affectedId', '=', userId)
    .$if(before !== null, (query) => query.where('operatorActs.id', '<', before as number))
    .orderBy('operatorActs.id', 'desc')
    .limit(limit)
    .execute();
}

/** Whether this operator has an entry for reading the file of this person since then. */
export async function hasRead(tx: Tx, operatorId: number | null, personId: number, since: Date) {
  const row = await tx
    .selectFrom('operatorActs')
    .select('id')
    .where('act', '=', 'read-person')
    .where('subject', '=', 'person')
    .where('subjectId', '=', personId)
    .where('operatorId', 'is not distinct from', operatorId)
    .where('actedAt', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The acts on one subject, newest first, without who read its file: those are in the trail. */
export async function listActsOn(tx: Tx, subject: ActRow['subject'], subjectId: number, limit: number) {
  return await acts(tx)
    .leftJoin('users', 'users.id', 'operatorActs.operatorId')
    .select('users.email as operatorEmail')
    .where('operatorActs.subject', '=', subject)
    .where('operatorActs.subjectId', '=', subjectId)
    .where('operatorActs.act', '<>', 'read-person')
    .orderBy('operatorActs.id', 'desc')
    .limit(limit)
    .execute();
}

/** The acts on a person, and those on their things, newest first, without who read the file. */
export async function listActsAround(tx: Tx, personId: number, limit: number) {
  const { rows } = await sql<{ id: number }>`
    (select id from operator_acts where subject = 'person' and subject_id = ${personId} and act <> 'read-person'
      order by id desc limit ${limit})
    union
    (select id from operator_acts where affected_id = ${personId} order by id desc limit ${limit})
    order by id desc limit ${limit}`.execute(tx);
  if (rows.length === 0) return [];
  return await acts(tx)
    .leftJoin('users', 'users.id', 'operatorActs.operatorId')
    .select('users.email as operatorEmail')
    .where(
      'operatorActs.id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('operatorActs.id', 'desc')
    .execute();
}

/** The trail with the operators' addresses, newest first. With `acts`, only those. */
export async function listActs(
  tx: Tx,
  { before, limit, acts: only }: Page & { acts?: readonly Act[] | undefined },
) {
  return await acts(tx)
    .leftJoin('users', 'users.id', 'operatorActs.operatorId')
    .select('users.email as operatorEmail')
    .$if(only !== undefined, (query) => query.where('operatorActs.act', 'in', only as readonly Act[]))
    .$if(before !== null, (query) => query.where('operatorActs.id', '<', before as number))
    .orderBy('operatorActs.id', 'desc')
    .limit(limit)
    .execute();
}

export async function findAct(tx: Tx, publicId: string): Promise<ActRow | undefined> {
  return await acts(tx).where('operatorActs.publicId', '=', publicId).executeTakeFirst();
}

export async function findActById(tx: Tx, id: number): Promise<ActRow | undefined> {
  return await acts(tx).where('operatorActs.id', '=', id).executeTakeFirst();
}

/** Returns false if the decision has an answer already. */
export async function insertAppeal(
  tx: Tx,
  appeal: Pick<Selectable<Appeals>, 'actId' | 'body' | 'createdAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('appeals')
    .values(appeal)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Closes an open appeal. Returns false if there is none. */
export async function closeAppeal(
  tx: Tx,
  actId: number,
  decision: { outcome: 'upheld' | 'reversed'; answer: string; decidedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('appeals')
    .set(decision)
    .where('actId', '=', actId)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The appeals that wait for a decision, oldest decision first. */
export async function listOpenAppeals(
  tx: Tx,
  { after, limit }: { after: number | null; limit: number },
): Promise<ActRow[]> {
  return await acts(tx)
    .where('appeals.actId', 'is not', null)
    .where('appeals.outcome', 'is', null)
    .$if(after !== null, (query) => query.where('appeals.actId', '>', after as number))
    .orderBy('appeals.actId')
    .limit(limit)
    .execute();
}

export async function countOpenAppeals(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('appeals')
    .select(sql<number>`count(*)`.as('count'))
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
