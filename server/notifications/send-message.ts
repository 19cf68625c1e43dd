import type { Context } from '../context.ts';
import { MailRefused } from '../adapters/mail.ts';
import { mergedMail } from './layout.ts';
import { takeFromBudget } from './mail-budget.ts';
import { countFailure, findMessage, markKept, markSent, type MessageRow } from './store.ts';

/**
 * The job that sends a message of the outbox. It throws when the relay did not accept the message, so that the queue retries
 * with increasing delays. It marks the message after sending it, so a crash in between sends it twice rather than never.
 */
export async function sendMessage(ctx: Context, messageId: number): Promise<void> {
  const message = await findMessage(ctx.db, messageId);
  // The message was deleted with its account, or an earlier run of this job has sent it.
  if (!message || message.sentAt !== null || message.kept) return;
  const { id, recipient } = message;
  // Mail that is kept is not sent, so it needs no limit.
  const budgeted = ctx.mailer.kind === 'relay' ? await takeFromBudget(ctx, message) : { alsoIn: [] };
  if (budgeted === null) return;
  const contained = [message, ...budgeted.alsoIn].toSorted((a, b) => a.id - b.id);
  try {
    await ctx.mailer.send({ id, recipient, ...contentOf(contained, ctx.config.publicUrl) });
  } catch (error) {
    if (error instanceof MailRefused) await countFailure(ctx.db, id, error.message);
    throw error;
  }
  if (ctx.mailer.kind === 'relay')
    await markSent(
      ctx.db,
      contained.map((each) => each.id),
      ctx.now(),
    );
  else await markKept(ctx.db, id);
}

function contentOf(
  messages: MessageRow[],
  publicUrl: string,
): { subject: string; text: string; html: string } {
  const [only] = messages;
  if (messages.length === 1 && only)
    return { subject: only.subject, text: only.bodyText, html: only.bodyHtml };
  return mergedMail(
    messages.map(({ subject, bodyText }) => ({ subject, text: bodyText })),
    `${publicUrl}/settings?tab=notifications`,
  );
}
