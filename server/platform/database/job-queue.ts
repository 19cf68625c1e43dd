import { type RawBuilder, sql } from 'kysely';
import type { PaymentBook } from '../settings/config.ts';
import { currentRequestId } from '../log/request-id.ts';
import type { Tx } from './database.ts';

/** All kinds of jobs and their payloads. The database stores payloads in plain text, so they hold only ids and names. */
export type Jobs = {
  'send-message': { messageId: number };
  'apply-provider-event': { eventId: string };
  'cancel-intent': { intentId: string };
  'send-refund': { refundId: number };
  'send-payout': { payoutId: number };
  /** Removes the files of an upload whose row was deleted. */
  'remove-files': { name: string; rendition: string };
  /** Removes an avatar that was replaced or deleted, or whose account was deleted. */
  'remove-avatar': { userId: number; name: string };
  /** Removes the picture of a website that was replaced, removed or deleted with the website. */
  'remove-site-picture': { websiteId: number; name: string };
  /** Fetches the target of an ad that was submitted. */
  'check-target': { adId: number };
  /** Charges an approved ad to the card of its consent, if it has one. */
  'charge-consented': { adId: number };
  /** Lets the provider forget a card that nothing can be charged to any more. */
  'forget-card': { cardId: string; book: PaymentBook };
  'forget-customer': { customerId: string };
  'close-payee': { accountId: string; book: PaymentBook };
  /** Takes the next step of an object of the sandbox, if it is due. */
  'settle-sandbox-object': { objectId: string };
  /** count_events queues this job (server/platform/database/functions/delivery/count_events.sql). */
  'tell-completed': { adId: number };
  /** Mails an advertiser what an ad, or all ads of its plan, have brought. */
  'tell-ended': { adId: number };
  'mail-announcement': { announcementId: number };
};

/** The payload of every job may also name the request that queued it, for the log. */
export type QueuedBy = { requestId?: string };

const textOf = (payload: object): string =>
  JSON.stringify({ ...payload, requestId: currentRequestId() } satisfies QueuedBy);

/** Queues a job that runs at `runAt` or later. */
export async function enqueueAt<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  runAt: Date,
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${textOf(payload)}::json, run_at => ${runAt})`.execute(
    tx,
  );
}

/** Queues a job that runs after `seconds` of the wall clock. */
export async function enqueueIn<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  seconds: number,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${textOf(payload)}::json,
      run_at => now() + make_interval(secs => ${seconds}))`.execute(tx);
}

/** The same as enqueue(), or with `runAt` as enqueueAt(), as a part of a statement. `payload` is the SQL of an object. */
export const queued = (name: keyof Jobs, payload: RawBuilder<unknown>, runAt: Date | null = null) =>
  sql`graphile_worker.add_job(${name}, (${payload}::jsonb || ${textOf({})}::jsonb)::json, run_at => ${runAt})`;

/**
 * Queues a job in the caller's transaction. It runs if and only if the transaction commits. The queue retries a job that
 * fails, with increasing delays.
 */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${textOf(payload)}::json)`.execute(tx);
}
