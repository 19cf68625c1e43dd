/** The outbox, for the operator. */
import type { Tx } from '../db/database.ts';
import { enqueue } from '../db/job-queue.ts';
import { conflict } from '../http/errors.ts';
import { lockMessage, markWaiting, selectOutgoing } from './store.ts';

export type MailLine = Awaited<ReturnType<typeof selectOutgoing>>[number];

/** Mail that has not been sent, or all mail to one address, newest first, without its text. */
export async function outgoingMail(
  tx: Tx,
  query: { to?: string | undefined; before: number | null; limit: number },
): Promise<MailLine[]> {
  return await selectOutgoing(tx, query);
}

/** Queues an unsent mail again. Returns undefined if there is no such mail. Throws 409 if it was sent. */
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
  // A mail that was kept for lack of a relay is sent now, if there is a relay by now.
  await markWaiting(tx, id);
  await enqueue(tx, 'send-message', { messageId: id });
  return message;
}
