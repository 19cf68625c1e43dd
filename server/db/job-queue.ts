import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** The jobs there are, with what each is told. Payloads hold ids only: they are readable in the database. */
export type Jobs = {
  'send-message': { messageId: number };
  'apply-provider-event': { eventId: string };
  'cancel-intent': { intentId: string };
  'send-refund': { refundId: number };
  /** Of an upload whose row is gone. */
  'remove-files': { name: string; rendition: string };
  /** Of a person who has another picture now, or none, or is gone. */
  'remove-avatar': { userId: number; name: string };
  'forget-customer': { customerId: string };
  /** count_events queues it (server/db/functions/count_events.sql). */
  'tell-completed': { adId: number };
};

/**
 * Hands a job to the worker in the caller's transaction: it runs if, and only if, that commits. A job that fails is
 * tried again, later and later.
 */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)`.execute(tx);
}
