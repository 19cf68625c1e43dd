import { sql } from 'kysely';
import type { BankAccount, PayoutAccountState, PayoutMethod } from '#domain/payments/payout-contract.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { accountIdOf, BANK_PREFIX, bankAccountIdOf } from './bank-ids.ts';

/** A publisher's account for payouts, as we know it: one at the payment provider, or at a bank. */
export type PayeeRow = {
  userId: number;
  book: PaymentBook;
  method: PayoutMethod;
  /** A random id, from which the idempotency key of the account is made. */
  key: string;
  /** Null until the provider has answered the first call. */
  accountId: string | null;
  country: string;
  state: PayoutAccountState;
  /** In the provider's words. */
  requirements: string[];
  /** Keyed hashes of the bank accounts and cards that receive the payouts. */
  destinations: string[];
  syncedAt: Date | null;
};

const COLUMNS = [
  'userId',
  'book',
  'method',
  'key',
  'accountId',
  'country',
  'state',
  'requirements',
  'destinations',
  'syncedAt',
] as const;

const accounts = (tx: Tx) => tx.selectFrom('payeeAccounts').select(COLUMNS);
type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;
const rowOf = (row: Row): PayeeRow => ({ ...row, requirements: row.requirements as string[] });

export async function findPayee(
  tx: Tx,
  userId: number,
  book: PaymentBook,
  method: PayoutMethod = 'connect',
): Promise<PayeeRow | null> {
  const row = await accounts(tx)
    .where('userId', '=', userId)
    .where('book', '=', book)
    .where('method', '=', method)
    .executeTakeFirst();
  return row ? rowOf(row) : null;
}

export async function findPayeeOfAccount(tx: Tx, accountId: string): Promise<PayeeRow | null> {
  const row = await accounts(tx).where('accountId', '=', accountId).executeTakeFirst();
  return row ? rowOf(row) : null;
}

/**
 * Whether payouts of this user have a destination, or had one. Saving another is then a change. Before that it is the
 * first set-up, during which the page of the provider may be opened several times.
 */
export async function hasDestination(tx: Tx, userId: number, book: PaymentBook): Promise<boolean> {
  const { rows } = await sql`
    select from payee_accounts p
        where p.user_id = ${userId} and p.book = ${book} and (p.state = 'ready' or cardinality(p.destinations) > 0)
      union all
      select from payouts p where p.user_id = ${userId} and p.book = ${book}
      limit 1`.execute(tx);
  return rows.length > 0;
}

export function findPerson(tx: Tx, userId: number) {
  return tx
    .selectFrom('users')
    .select(['email', 'firstName', 'lastName'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/**
 * Stores the row of a publisher's account before the provider is called. The first call fixes the country. Returns the row
 * that the user has, or null if the account of the user is being deleted.
 */
export async function claimPayee(
  tx: Tx,
  { userId, book, country }: Pick<PayeeRow, 'userId' | 'book' | 'country'>,
  at: Date,
): Promise<PayeeRow | null> {
  // The lock on the user waits for a deletion, which locks the user first, too.
  await sql`
    insert into payee_accounts (user_id, book, country, created_at)
      select id, ${book}, ${country}, ${at} from users where id = ${userId} and deleted_at is null for share
      on conflict do nothing`.execute(tx);
  return await findPayee(tx, userId, book);
}

type Claim = Pick<PayeeRow, 'userId' | 'book' | 'key'>;

/** The rows that still have no account. */
const isOpen = ({ userId, book, key }: Claim) =>
  sql<boolean>`user_id = ${userId} and book = ${book} and method = 'connect' and key = ${key} and account_id is null`;

/** Takes another key for an account that does not exist yet, unless another request has done so. */
export async function renewPayee(tx: Tx, claim: Claim): Promise<PayeeRow | null> {
  const key = sql<string>`gen_random_uuid()`;
  await tx.updateTable('payeeAccounts').set({ key }).where(isOpen(claim)).execute();
  return await findPayee(tx, claim.userId, claim.book);
}

/**
 * Stores the account that the provider has made. Returns the row that the user has now: with another account if two
 * requests made one under two keys, or null if the user was deleted meanwhile.
 */
export async function keepAccount(tx: Tx, claim: Claim, accountId: string): Promise<PayeeRow | null> {
  await tx.updateTable('payeeAccounts').set({ accountId, state: 'pending' }).where(isOpen(claim)).execute();
  return await findPayee(tx, claim.userId, claim.book);
}

/** Our copy of an account before the provider's latest answer. */
export type PayeeBefore = Pick<PayeeRow, 'userId' | 'state' | 'destinations'>;

/**
 * Stores the provider's answer at `syncedAt`, and returns the state before. Returns null, and stores nothing, if a
 * later answer is stored. `destinations` of null keeps the stored ones.
 */
export async function keepState(
  tx: Tx,
  accountId: string,
  known: Pick<PayeeRow, 'state' | 'requirements'> & { destinations: string[] | null; syncedAt: Date },
): Promise<PayeeBefore | null> {
  const { state, requirements, destinations, syncedAt } = known;
  const { rows } = await sql<PayeeBefore>`
    update payee_accounts p
      set state = ${state}, requirements = ${JSON.stringify(requirements)}::jsonb,
        destinations = coalesce(${destinations}::text[], p.destinations), synced_at = ${syncedAt}
      from (select * from payee_accounts where account_id = ${accountId} for no key update) as before
      where p.account_id = before.account_id and (p.synced_at is null or p.synced_at <= ${syncedAt})
      returning p.user_id, before.state, before.destinations`.execute(tx);
  return rows[0] ?? null;
}

/** Removes a claim whose country the provider has refused, so that another can be chosen. */
export async function dropClaim(tx: Tx, claim: Claim): Promise<void> {
  await tx.deleteFrom('payeeAccounts').where(isOpen(claim)).execute();
}

/**
 * Removes an account that the provider does not let us use any more. Returns its last state; null if it is gone
 * already.
 */
export async function dropAccount(tx: Tx, accountId: string): Promise<PayeeBefore | null> {
  const row = await tx
    .deleteFrom('payeeAccounts')
    .where('accountId', '=', accountId)
    .returning(['userId', 'state', 'destinations'])
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Removes accounts of a user: all, or those that were begun since then, with the IBANs that no payout needs. Returns
 * those that the provider of `book` has to close.
 */
export async function dropPayees(
  tx: Tx,
  userId: number,
  since: Date | null,
  book: PaymentBook,
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('payeeAccounts')
    .where('userId', '=', userId)
    .$if(since !== null, (query) => query.where('createdAt', '>=', since as Date))
    .returning(['book', 'method', 'accountId'])
    .execute();
  await dropUnusedBanks(tx, userId);
  return rows.flatMap((row) =>
    row.book === book && row.method === 'connect' && row.accountId !== null ? [row.accountId] : [],
  );
}

/* Bank accounts */

/** The bank account that a publisher has saved, without its IBAN. */
export async function findBankAccount(tx: Tx, accountId: string | null): Promise<BankAccount | null> {
  const id = accountId === null ? null : bankAccountIdOf(accountId);
  if (id === null) return null;
  const row = await tx
    .selectFrom('bankAccounts')
    .select(['holder', 'last4'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Locks the account of a user against their deletion, and against a payout that begins. Returns false if it was deleted.
 */
export async function lockPayeeOwner(tx: Tx, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a bank account as the one that receives the payouts from now on. */
export async function keepBankAccount(
  tx: Tx,
  { userId, book, country, destinations, ...bank }: NewBankAccount,
  at: Date,
): Promise<void> {
  const { id } = await tx
    .insertInto('bankAccounts')
    .values({ ...bank, userId, createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const present = {
    accountId: accountIdOf(id),
    country,
    state: 'ready' as const,
    requirements: JSON.stringify([]),
    destinations,
    createdAt: at,
    syncedAt: at,
  };
  await tx
    .insertInto('payeeAccounts')
    .values({ userId, book, method: 'bank', ...present })
    .onConflict((conflict) => conflict.columns(['userId', 'book', 'method']).doUpdateSet(present))
    .execute();
  await dropUnusedBanks(tx, userId);
}

export type NewBankAccount = Pick<PayeeRow, 'userId' | 'book' | 'country' | 'destinations'> & {
  holder: string;
  /** Sealed. */
  iban: Buffer;
  last4: string;
};

/**
 * The publisher has to save this account again before the next payout, because the bank sent one back. Does nothing if
 * another account was saved since.
 */
export async function restrictBankAccount(tx: Tx, bankAccountId: number, step: string): Promise<void> {
  await tx
    .updateTable('payeeAccounts')
    .set({ state: 'restricted', requirements: JSON.stringify([step]) })
    .where('accountId', '=', accountIdOf(bankAccountId))
    .execute();
}

/** Removes the bank accounts of a user that receive no payouts and that no payout was sent to. */
async function dropUnusedBanks(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from bank_accounts b
      where b.user_id = ${userId}
        and not exists (select from payee_accounts p where p.account_id = ${BANK_PREFIX}::text || b.id)
        and not exists (select from bank_payouts p where p.bank_account_id = b.id)`.execute(tx);
}
