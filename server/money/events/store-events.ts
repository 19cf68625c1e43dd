import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Database, Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import type { Metadata, ProviderEvent } from '#server/platform/provider/payment-provider.ts';

export type EventRow = {
  id: string;
  source: 'account' | 'connect';
  type: string;
  objectId: string;
  metadata: Metadata;
  /** The connected account that it is about; null for our own. */
  accountId: string | null;
  createdAt: Date;
  doneAt: Date | null;
};

/** Stores an event and queues the job that handles it. An event that is known already is left alone. */
export async function keepEvent(
  db: Database,
  event: ProviderEvent,
  source: 'account' | 'connect',
  at: Date,
): Promise<void> {
  const { id, type, objectId, metadata, accountId, createdAt } = event;
  await db.transaction().execute(async (inner) => {
    const kept = await inner
      .insertInto('providerEvents')
      .values({
        id,
        source,
        type,
        payload: JSON.stringify({ objectId, metadata, accountId }),
        createdAt,
        receivedAt: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (kept) await enqueue(inner, 'apply-provider-event', { eventId: id });
  });
}

export async function findEvent(tx: Tx, id: string): Promise<EventRow | null> {
  const row = await tx
    .selectFrom('providerEvents')
    .select([
      'id',
      'source',
      'type',
      'createdAt',
      'doneAt',
      sql<string>`payload ->> 'objectId'`.as('objectId'),
      sql<string | null>`payload ->> 'accountId'`.as('accountId'),
      sql<Metadata | null>`payload -> 'metadata'`.as('metadata'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, metadata: row.metadata ?? {} } : null;
}

/**
 * Marks the event as done, which locks it until the transaction ends: another transaction that marks it waits for this
 * one. Returns false if it has already been handled.
 */
export async function markEventDone(tx: Tx, id: string, at: Date): Promise<boolean> {
  const row = await tx
    .updateTable('providerEvents')
    .set({ doneAt: at, lastError: null })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

// From one minute up to six hours.
const later = (now: Date) =>
  sql<Date>`${now}::timestamptz + least(interval '1 minute' * 2 ^ least(tries, 12), interval '6 hours')`;

/** Notes why an event failed. */
export async function noteEventError(tx: Tx, id: string, error: string): Promise<void> {
  await tx
    .updateTable('providerEvents')
    .set({ lastError: error })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .execute();
}

/** Sets the next try of an event that failed, later each time. */
export async function postponeEvent(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('providerEvents')
    .set({ tries: sql<number>`tries + 1`, nextTryAt: later(now) })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .execute();
}

/**
 * Takes the event that is due first at `now`, and sets its next try later each time, so that neither another instance nor
 * the same run takes it again. Returns its id, or null if none is due.
 */
export async function takeDueEvent(tx: Tx, now: Date): Promise<string | null> {
  const due = sql<Date>`coalesce(next_try_at, received_at)`;
  const row = await tx
    .updateTable('providerEvents')
    .set({ tries: sql<number>`tries + 1`, nextTryAt: later(now) })
    .where('id', '=', (query) =>
      query
        .selectFrom('providerEvents')
        .select('id')
        .where('doneAt', 'is', null)
        .where(due, '<=', now)
        .orderBy(due)
        .limit(1)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * If it is time to fetch the events that the provider could not deliver: until when they were fetched before, and the next
 * time is set to `nextPollAt`. Otherwise null.
 */
export async function takeDuePoll(
  tx: Tx,
  book: PaymentBook,
  now: Date,
  nextPollAt: Date,
): Promise<Date | null> {
  await tx
    .insertInto('providerPolls')
    .values({ book, polledUntil: now, nextPollAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .updateTable('providerPolls')
    .set({ nextPollAt })
    .where('book', '=', book)
    .where('nextPollAt', '<=', now)
    .returning('polledUntil')
    .executeTakeFirst();
  return row?.polledUntil ?? null;
}

export async function notePoll(tx: Tx, book: PaymentBook, polledUntil: Date): Promise<void> {
  await tx.updateTable('providerPolls').set({ polledUntil }).where('book', '=', book).execute();
}

/** Counts a webhook whose signature was refused, by day, so that the operator sees a wrong secret. */
export async function countRefusal(tx: Tx, source: 'account' | 'connect', day: string): Promise<void> {
  await tx
    .insertInto('webhookRefusals')
    .values({ day, source, refused: 1 })
    .onConflict((conflict) =>
      conflict.columns(['day', 'source']).doUpdateSet({ refused: sql<number>`webhook_refusals.refused + 1` }),
    )
    .execute();
}
