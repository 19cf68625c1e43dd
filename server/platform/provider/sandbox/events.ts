import { randomInt } from 'node:crypto';
import type { Database, Tx } from '../../database/database.ts';
import { enqueue, enqueueIn } from '../../database/job-queue.ts';
import type { Metadata } from '../payment-provider.ts';
import { newId } from './objects.ts';

export type NewEvent = {
  /** The word that Stripe uses, such as 'payment_intent.succeeded'. */
  type: string;
  objectId: string;
  metadata: Metadata;
  /** The payee that the event is about; null for the account of the marketplace. */
  accountId?: string;
};

/** Puts an event into the inbox of the server, in the transaction of the change that it reports. */
export type RecordEvent = (tx: Tx, event: NewEvent) => Promise<void>;

export type Sandbox = {
  db: Database;
  /** The marketplace's clock. */
  now: () => Date;
  record: RecordEvent;
};

const MAX_DELAY_SECONDS = 3;

/**
 * The events of the sandbox go through the same inbox and job as those of a real provider, so they arrive after the call
 * that caused them. With `chaos` (SANDBOX_CHAOS), each arrives twice and in any order, as real ones sometimes do.
 */
export function eventRecorder(now: () => Date, chaos: boolean): RecordEvent {
  return async (tx, event) => {
    for (let copies = chaos ? 2 : 1; copies > 0; copies--) {
      const delay = chaos ? randomInt(MAX_DELAY_SECONDS * 1000) / 1000 : 0;
      await insertEvent(tx, event, now(), delay);
    }
  };
}

async function insertEvent(
  tx: Tx,
  { type, objectId, metadata, accountId }: NewEvent,
  at: Date,
  delaySeconds: number,
): Promise<void> {
  const id = newId('evt');
  await tx
    .insertInto('providerEvents')
    .values({
      id,
      source: accountId === undefined ? 'account' : 'connect',
      type,
      payload: JSON.stringify({ objectId, metadata, accountId: accountId ?? null }),
      createdAt: at,
      receivedAt: at,
    })
    .execute();
  const payload = { eventId: id };
  if (delaySeconds > 0) await enqueueIn(tx, 'apply-provider-event', payload, delaySeconds);
  else await enqueue(tx, 'apply-provider-event', payload);
}
