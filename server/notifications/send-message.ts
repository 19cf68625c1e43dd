import type { Context } from '../context.ts';
import { MailRefused } from '../adapters/mail.ts';
import { countFailure, findMessage, markKept, markSent } from './store.ts';

/**
 * The job that sends a message of the outbox. It throws when the relay did not accept the message, so that the queue retries
 * with increasing delays. It marks the message after sending it, so a crash in between sends it twice rather than never.
 */
export async function sendMessage(ctx: Context, messageId: number): Promise<void> {
  const message = await findMessage(ctx.db, messageId);
  // The message was deleted with its account, or an earlier run of this job has sent it.
  if (!message || message.sentAt !== null || message.kept) return;
  const { id, recipient, subject, bodyText: text, bodyHtml: html } = message;
  try {
    await ctx.mailer.send({ id, recipient, subject, text, html });
  } catch (error) {
    if (error instanceof MailRefused) await countFailure(ctx.db, id, error.message);
    throw error;
  }
  if (ctx.mailer.kind === 'relay') await markSent(ctx.db, id, ctx.now());
  else await markKept(ctx.db, id);
}
