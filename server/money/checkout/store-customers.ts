import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { unauthorized } from '#server/platform/http/errors.ts';

export type CustomerRow = {
  userId: number;
  book: PaymentBook;
  /** A random id, from which the idempotency key of the customer is made. */
  key: string;
  customerId: string | null;
};

export function findBuyer(tx: Tx, userId: number) {
  return tx
    .selectFrom('users')
    .select(['email', 'firstName', 'lastName', 'stripeCustomerId'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** The row of a user's customer. It is stored before the provider is called, so that the call can be repeated. */
export async function claimCustomer(
  tx: Tx,
  userId: number,
  book: PaymentBook,
  at: Date,
): Promise<CustomerRow> {
  const known = await findCustomer(tx, userId, book);
  if (known) return known;
  await tx
    .insertInto('providerCustomers')
    .values({ userId, book, createdAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await requireCustomer(tx, userId, book);
}

export function findCustomer(tx: Tx, userId: number, book: PaymentBook): Promise<CustomerRow | undefined> {
  return tx
    .selectFrom('providerCustomers')
    .select(['userId', 'book', 'key', 'customerId'])
    .where('userId', '=', userId)
    .where('book', '=', book)
    .executeTakeFirst();
}

/** Forgets the provider's id and takes another key, unless another request has done so. */
export async function renewCustomer(tx: Tx, { userId, book, key }: CustomerRow): Promise<CustomerRow> {
  await tx
    .updateTable('providerCustomers')
    .set({ customerId: null, key: sql<string>`gen_random_uuid()` })
    .where('userId', '=', userId)
    .where('book', '=', book)
    .where('key', '=', key)
    .execute();
  return await requireCustomer(tx, userId, book);
}

// Without a row, the account is being deleted at the same moment.
async function requireCustomer(tx: Tx, userId: number, book: PaymentBook): Promise<CustomerRow> {
  const customer = await findCustomer(tx, userId, book);
  if (!customer) throw unauthorized();
  return customer;
}

/**
 * Stores the provider's customer, also in the specification's column, which only payments writes. Returns the customer
 * that the user has now, which is another one if two requests created one under two keys, or null if the account was
 * deleted meanwhile.
 */
export async function keepCustomer(
  tx: Tx,
  { userId, book, key }: Pick<CustomerRow, 'userId' | 'book' | 'key'>,
  customerId: string,
): Promise<string | null> {
  // The deletion of an account locks the user first, too.
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  await tx
    .updateTable('providerCustomers')
    .set({ customerId })
    .where('userId', '=', userId)
    .where('book', '=', book)
    .where('key', '=', key)
    .where('customerId', 'is', null)
    .execute();
  const kept = (await findCustomer(tx, userId, book))?.customerId ?? null;
  if (kept === null) return null;
  await tx
    .updateTable('users')
    .set({ stripeCustomerId: kept })
    .where('id', '=', userId)
    .where('stripeCustomerId', 'is distinct from', kept)
    .execute();
  return kept;
}

export async function dropCustomers(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('providerCustomers').where('userId', '=', userId).execute();
}

/**
 * Notes the book that payments go to now. If it was another one before, gives every user the customer of this book, and
 * returns the book before; otherwise null.
 */
export async function adoptBook(tx: Tx, book: PaymentBook): Promise<string | null> {
  const { book: before } = await tx
    .selectFrom('installation')
    .select('book')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (before === book) return null;
  await tx.updateTable('installation').set({ book }).execute();
  if (before === null) return null;
  await sql`
    update users u set stripe_customer_id = c.customer_id
      from users person
      left join provider_customers c on c.user_id = person.id and c.book = ${book}
      where u.id = person.id and u.stripe_customer_id is distinct from c.customer_id`.execute(tx);
  return before;
}
