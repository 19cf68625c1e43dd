import { randomBytes } from 'node:crypto';
import type { Database, Tx } from '../../database/database.ts';
import { enqueueIn } from '../../database/job-queue.ts';
import type { JsonObject } from '../../database/tables.ts';
import {
  type BankPayout,
  type Cents,
  type Metadata,
  type Payee,
  type PaymentIntent,
  ProviderError,
} from '../payment-provider.ts';

/**
 * The sandbox's objects by the prefix of their ids: payment intent, charge, customer, refund, dispute, early fraud warning,
 * review, balance transaction, payee, transfer, its reversal, bank payout, setup, saved card, and what the next refund of an
 * intent will do.
 */
export type ObjectKind =
  | 'pi'
  | 'ch'
  | 'cus'
  | 're'
  | 'dp'
  | 'issfr'
  | 'prv'
  | 'txn'
  | 'acct'
  | 'tr'
  | 'trr'
  | 'po'
  | 'seti'
  | 'pm'
  | 'plan';

/** The next step of an object that it takes by itself, and when. */
export type Due = { step: Step; at: Date };
export type Step = 'settle_charge' | 'refund_succeeds' | 'refund_fails' | 'payout_paid';

export type Stored = { due?: Due | null };

/** `chargeKey` is the key of the last charge to a saved card. */
export type StoredIntent = PaymentIntent & Stored & { chargeKey?: string };

export type StoredPayee = Payee & Stored & { metadata: Metadata };

/** `canceled`: all of its money was taken back before it reached the bank. */
export type StoredPayout = Omit<BankPayout, 'status'> &
  Stored & {
    payeeId: string;
    amount: Cents;
    currency: string;
    status: BankPayout['status'] | 'canceled';
    /** Whether a later payout carries the money of this failed one. */
    isRetried: boolean;
  };

export function newId(kind: ObjectKind | 'evt'): string {
  return `sbx_${kind}_${randomBytes(12).toString('hex')}`;
}

type NewObject<T> = { kind: ObjectKind; id: string; parent?: string; data: T };

/**
 * Creates an object once per idempotency key, like a real provider. The same key returns the same object. The same key
 * with other parameters throws ProviderError 'conflict'.
 */
export async function createOnce<T extends object>(
  db: Tx,
  object: NewObject<T> & { key: string; parameters: object },
  now: Date,
): Promise<T> {
  const parameters = JSON.stringify(object.parameters);
  const made = await db
    .insertInto('sandboxObjects')
    .values({
      ...rowOf({ ...object, data: { ...object.data, parameters } }, now),
      idempotencyKey: object.key,
    })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) return object.data;
  const { data } = await db
    .selectFrom('sandboxObjects')
    .select('data')
    .where('idempotencyKey', '=', object.key)
    .executeTakeFirstOrThrow();
  const { parameters: before, ...kept } = data as JsonObject;
  if (before !== parameters) {
    throw new ProviderError('conflict', 'An idempotency key can be reused only with the same parameters', {
      code: 'idempotency_error',
    });
  }
  return revived(kept) as T;
}

/** Adds an object that the provider makes by itself. */
export async function addObject<T extends object>(tx: Tx, object: NewObject<T>, now: Date): Promise<T> {
  await tx.insertInto('sandboxObjects').values(rowOf(object, now)).execute();
  return object.data;
}

/** How soon the queue looks at an object that takes a step by itself. */
const SOON_SECONDS = 3;

/** Lets the queue look at an object soon. */
export async function settleSoon(tx: Tx, objectId: string): Promise<void> {
  await enqueueIn(tx, 'settle-sandbox-object', { objectId }, SOON_SECONDS);
}

function rowOf({ kind, id, parent, data }: NewObject<object>, now: Date) {
  const { due }: Stored = data;
  return {
    id,
    kind,
    parent: parent ?? null,
    data: JSON.stringify(data),
    dueAt: due?.at ?? null,
    createdAt: now,
    updatedAt: now,
  };
}

export async function readObject<T>(db: Tx, kind: ObjectKind, id: string): Promise<T> {
  const row = await db
    .selectFrom('sandboxObjects')
    .select('data')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return dataOf(row, id) as T;
}

/** The objects of a kind that belong to `parent`, oldest first. */
export async function objectsOf<T>(tx: Tx, parent: string, kind: ObjectKind): Promise<T[]> {
  const rows = await tx
    .selectFrom('sandboxObjects')
    .select('data')
    .where('parent', '=', parent)
    .where('kind', '=', kind)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ data }) => revived(data) as T);
}

const PAGE = 100;

/** The objects of a kind that were created at `since` or later, newest first, a page at a time. */
export async function* newestObjects<T>(db: Tx, kind: ObjectKind, since: Date): AsyncGenerator<T> {
  let last: { createdAt: Date; id: string } | null = null;
  for (;;) {
    let query = db
      .selectFrom('sandboxObjects')
      .select(['id', 'createdAt', 'data'])
      .where('kind', '=', kind)
      .where('createdAt', '>=', since);
    if (last) {
      const { createdAt, id }: { createdAt: Date; id: string } = last;
      query = query.where((row) =>
        row.or([
          row('createdAt', '<', createdAt),
          row.and([row('createdAt', '=', createdAt), row('id', '<', id)]),
        ]),
      );
    }
    const rows = await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(PAGE).execute();
    for (const { data } of rows) yield revived(data) as T;
    if (rows.length < PAGE) return;
    last = rows.at(-1) as { createdAt: Date; id: string };
  }
}

/** Changes an object under a lock. `change` returns the changed fields, and may write other rows in `tx`. */
export async function changeObject<T extends Stored>(
  db: Database,
  kind: ObjectKind,
  id: string,
  now: Date,
  change: (object: T, tx: Tx) => Promise<Partial<T>> | Partial<T>,
): Promise<T> {
  return db.transaction().execute((tx) => changeIn(tx, kind, id, now, change));
}

/** Like changeObject, in the caller's transaction. */
export async function changeIn<T extends Stored>(
  tx: Tx,
  kind: ObjectKind,
  id: string,
  now: Date,
  change: (object: T, tx: Tx) => Promise<Partial<T>> | Partial<T>,
): Promise<T> {
  const row = await tx
    .selectFrom('sandboxObjects')
    .select('data')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  const object = dataOf(row, id) as T;
  const changed: T = { ...object, ...(await change(object, tx)) };
  await tx
    .updateTable('sandboxObjects')
    .set({ data: JSON.stringify(changed), dueAt: changed.due?.at ?? null, updatedAt: now })
    .where('id', '=', id)
    .execute();
  return changed;
}

/** The ids of objects that are due at `now`, the longest overdue first. */
export async function dueObjects(db: Tx, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('sandboxObjects')
    .select('id')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(PAGE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks an object if it is due at `now`. */
export async function lockDue(
  tx: Tx,
  id: string,
  now: Date,
): Promise<{ kind: ObjectKind; data: Stored } | null> {
  const row = await tx
    .selectFrom('sandboxObjects')
    .select(['kind', 'data'])
    .where('id', '=', id)
    .where('dueAt', '<=', now)
    .forUpdate()
    .executeTakeFirst();
  return row ? { kind: row.kind as ObjectKind, data: revived(row.data) as Stored } : null;
}

function dataOf(row: { data: unknown } | undefined, id: string): unknown {
  if (!row) throw new ProviderError('not_found', `No such object: ${id}`, { code: 'resource_missing' });
  return revived(row.data);
}

/** JSON has no dates. The fields of the sandbox that hold one are called `…At`, or `at`. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => revived(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && (name === 'at' || name.endsWith('At')) ? new Date(each) : revived(each),
    ]),
  );
}
