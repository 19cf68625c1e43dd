/** The SQL of checked tax numbers. */
import { sql } from 'kysely';
import type { TaxId } from '#domain/payments/tax-ids.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { TaxIdChecks } from '#server/platform/database/tables.ts';

type Result = TaxIdChecks['result'];

export type Check = TaxId & {
  id: number;
  userId: number;
  result: Result;
  requestId: string | null;
  answeredAt: Date | null;
  tries: number;
};

const COLUMNS = ['id', 'userId', 'country', 'number', 'result', 'requestId', 'answeredAt', 'tries'] as const;

export async function insertCheck(
  tx: Tx,
  check: {
    userId: number;
    taxId: TaxId;
    result: Result;
    register: TaxIdChecks['register'];
    requestId: string | null;
    askedAt: Date;
    nextTryAt: Date | null;
  },
): Promise<number> {
  const { taxId, ...columns } = check;
  const { id } = await tx
    .insertInto('taxIdChecks')
    .values({ ...columns, ...taxId, answeredAt: check.result === 'unconfirmed' ? null : check.askedAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The latest check of this number for this user. */
export async function findLatestCheck(tx: Tx, userId: number, taxId: TaxId): Promise<Check | undefined> {
  return await tx
    .selectFrom('taxIdChecks')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where('country', '=', taxId.country)
    .where('number', '=', taxId.number)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function listDueChecks(tx: Tx, now: Date, limit: number): Promise<Check[]> {
  return await tx
    .selectFrom('taxIdChecks')
    .select(COLUMNS)
    .where('nextTryAt', '<=', now)
    .orderBy('nextTryAt')
    .limit(limit)
    .execute();
}

/** Notes that a register was away, unless another instance had an answer meanwhile. */
export async function postponeCheck(tx: Tx, { id, tries }: Check, nextTryAt: Date): Promise<void> {
  await tx
    .updateTable('taxIdChecks')
    .set({ nextTryAt, tries: tries + 1 })
    .where('id', '=', id)
    .where('result', '=', 'unconfirmed')
    .execute();
}

/** Stores an answer. Returns whether there was none before. */
export async function answerCheck(
  tx: Tx,
  id: number,
  answer: {
    result: Exclude<Result, 'unconfirmed'>;
    register: TaxIdChecks['register'];
    requestId: string | null;
    answeredAt: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('taxIdChecks')
    .set({ ...answer, nextTryAt: null })
    .where('id', '=', id)
    .where('result', '=', 'unconfirmed')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function findPersonOf(tx: Tx, userId: number): Promise<{ email: string; isDeleted: boolean }> {
  const { email, deletedAt } = await tx
    .selectFrom('users')
    .select(['email', 'deletedAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { email, isDeleted: deletedAt !== null };
}

/** The publicIds of the ads that were paid for under the number of a check. */
export async function adsPaidUnder(tx: Tx, checkId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('payments')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .select('ads.publicId')
    .where('payments.taxIdCheckId', '=', checkId)
    .where('payments.paidAt', 'is not', null)
    .orderBy('payments.id')
    .execute();
  return rows.map(({ publicId }) => publicId);
}

/** A number that VIES has not confirmed, for the operator. `ads` are those that were paid for under it. */
export type OpenTaxId = TaxId & {
  id: number;
  userId: number;
  email: string;
  result: Exclude<Result, 'confirmed'>;
  register: TaxIdChecks['register'];
  requestId: string | null;
  since: Date;
  ads: string[];
};

/**
 * The latest checks of numbers that were refused after a sale, or that have no answer yet, the newest first. A number
 * that was refused before a sale is none of them, because the checkout refused it, too.
 */
export async function listOpenTaxIds(tx: Tx, limit: number): Promise<OpenTaxId[]> {
  const { rows } = await sql<OpenTaxId>`
    select c.id, c.user_id as "userId", u.email, c.country, c.number, c.result, c.register,
        c.request_id as "requestId", coalesce(c.answered_at, c.asked_at) as since, paid.ads
      from tax_id_checks c
      join users u on u.id = c.user_id
      cross join lateral (
        select coalesce(array_agg(a.public_id::text order by p.id), '{}') as ads
          from payments p join ads a on a.id = p.ad_id
          where p.tax_id_check_id = c.id and p.paid_at is not null) as paid
      where c.result = 'unconfirmed' or (c.result = 'refused' and paid.ads <> '{}')
      order by c.id desc
      limit ${limit}`.execute(tx);
  return rows;
}

/** A user's checks, in the order of their ids. */
export async function listChecksOf(tx: Tx, userId: number) {
  return await tx
    .selectFrom('taxIdChecks')
    .select(['country', 'number', 'result', 'register', 'requestId', 'askedAt', 'answeredAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Deletes a user's checks, apart from those of sales, which are the operator's papers. */
export async function deleteUnusedChecksOf(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ taxIdCheckId: null })
    .where('userId', '=', userId)
    .where('paidAt', 'is', null)
    .where('taxIdCheckId', 'is not', null)
    .execute();
  await sql`
    delete from tax_id_checks c
      where user_id = ${userId} and not exists (select from payments where tax_id_check_id = c.id)`.execute(
    tx,
  );
}
