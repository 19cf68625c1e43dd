/** The outbox, for the operator. */
import { isTurnedOff } from '#domain/notifications/bounces.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { lockMessage, markWaiting, selectOutgoing, deleteMessagesBefore } from './store.ts';
import { countBounces, listTurnedOff, type TurnedOff, deleteBouncesBefore } from './store-bounces.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';

export type { TurnedOff };

export type MailLine = Awaited<ReturnType<typeof selectOutgoing>>[number];

/** Mail that has not been sent, or all mail to one address, newest first, without its text. */
export async function outgoingMail(
  tx: Tx,
  query: { to?: string | undefined; before: number | null; limit: number },
): Promise<MailLine[]> {
  return await selectOutgoing(tx, query);
}

/** The addresses that get no mail, or only `to` if it is one of them. The latest bounce first. */
export async function turnedOffAddresses(
  tx: Tx,
  query: { to?: string | undefined; limit: number },
): Promise<TurnedOff[]> {
  return await listTurnedOff(tx, query);
}

/**
 * Queues an unsent mail again. Returns undefined if there is no such mail. Throws 409 if it was sent, or if its address is
 * turned off.
 */
export async function sendAgain(
  tx: Tx,
  id: number,
): Promise<{ recipient: string; subject: string } | undefined> {
  const message = await lockMessage(tx, id);
  if (!message) return undefined;
  if (message.sentAt !== null) {
    throw conflict(
      'This mail was sent, and its text was deleted afterwards. Ask the person to request a new one.',
    );
  }
  if (message.suppressed && isTurnedOff(await countBounces(tx, message.recipient))) {
    throw conflict(
      'Mail to this address bounced too often. Ask the person to prove the address, for example by setting a new password.',
    );
  }
  // A mail that was kept for lack of a relay is sent now, if there is a relay by now.
  await markWaiting(tx, id);
  await enqueue(tx, 'send-message', { messageId: id });
  return message;
}

const KEPT_MS = 30 * DAY_MS;
const BOUNCES_KEPT_MS = 365 * DAY_MS;

/**
 * Deletes mails that are more than 30 days old, and bounces that are more than a year old unless they keep an address
 * turned off. The queue stops trying to send a mail long before. Returns the number of mails.
 */
export async function removeOldMessages(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  await deleteBouncesBefore(ctx.db, later(now, -BOUNCES_KEPT_MS));
  return await deleteMessagesBefore(ctx.db, later(now, -KEPT_MS));
}
