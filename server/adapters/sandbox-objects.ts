import { randomBytes } from 'node:crypto';
import type { Database, Tx } from '../db/database.ts';
import type { JsonObject } from '../db/tables.ts';
import { ProviderError } from './payment-provider.ts';

/** The sandbox's objects by the prefix of their ids: payment intent, customer, refund, payee, transfer. */
export type ObjectKind = 'pi' | 'cus' | 're' | 'acct' | 'tr';

export function newId(kind: ObjectKind | 'ch' | 'evt' | 'txn'): string {
  return `sbx_${kind}_${randomBytes(12).toString('hex')}`;
}

/**
 * Creates an object once per idempotency key, like a real provider. The same key returns the same object. The same key
 * with other parameters throws ProviderError 'conflict'.
 */
export async function createOnce<T>(
  db: Tx,
  object: { kind: ObjectKind; key: string; parameters: object; data: T; id: string },
  now: Date,
): Promise<T> {
  const parameters = JSON.stringify(object.parameters);
  const made = await db
    .insertInto('sandboxObjects')
    .values({
      id: object.id,
      kind: object.kind,
      idempotencyKey: object.key,
      data: JSON.stringify({ ...object.data, parameters }),
      createdAt: now,
      updatedAt: now,
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
  return kept as T;
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

/** Changes an object under a lock. `change` returns the changed fields, and may write other rows in `tx`. */
export async function changeObject<T extends object>(
  db: Database,
  kind: ObjectKind,
  id: string,
  now: Date,
  change: (object: T, tx: Tx) => Promise<Partial<T>> | Partial<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('sandboxObjects')
      .select('data')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .forUpdate()
      .executeTakeFirst();
    const object = dataOf(row, id) as T;
    const changed = { ...object, ...(await change(object, tx)) };
    await tx
      .updateTable('sandboxObjects')
      .set({ data: JSON.stringify(changed), updatedAt: now })
      .where('id', '=', id)
      .execute();
    return changed;
  });
}

function dataOf(row: { data: unknown } | undefined, id: string): unknown {
  if (!row) throw new ProviderError('not_found', `No such object: ${id}`, { code: 'resource_missing' });
  return row.data;
}
