import { commonSwitch } from '#domain/notifications/notices.ts';
import type { Context } from '#server/platform/context.ts';
import { MailRefused, type OutgoingMail } from '#server/platform/outbound/mail.ts';
import { isReachable } from './bounces.ts';
import { mergedMail } from './layout.ts';
import { takeFromBudget } from './mail-budget.ts';
import { returnPathOf } from './return-path.ts';
import { countFailure, findMessage, markKept, markSent, markSuppressed, type MessageRow } from './store.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/**
 * The job that sends a message of the outbox. It throws when the relay did not accept the message, so that the queue retries
 * with increasing delays. It marks the message after sending it, so a crash in between sends it twice rather than never.
 */
export async function sendMessage(ctx: Context, messageId: number): Promise<void> {
  const message = await findMessage(ctx.db, messageId);
  // The message was deleted with its account, or an earlier run of this job has sent it.
  if (!message || message.sentAt !== null || message.kept || message.suppressed) return;
  const { id, recipient } = message;
  if (!(await isReachable(ctx, message))) {
    await markSuppressed(ctx.db, id);
    ctx.log.info(
      { messageId: id, kind: message.kind },
      'a mail is not sent, because its address has bounced',
    );
    return;
  }
  // Mail that is kept is not sent, so it needs no limit.
  const budgeted = ctx.mailer.kind === 'relay' ? await takeFromBudget(ctx, message) : { alsoIn: [] };
  if (budgeted === null) return;
  const contained = [message, ...budgeted.alsoIn].toSorted((a, b) => a.id - b.id);
  try {
    await ctx.mailer.send({
      id,
      recipient,
      ...contentOf(contained, ctx.config),
      ...(await addressesOf(ctx, contained, message)),
    });
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

async function addressesOf(
  ctx: Context,
  contained: MessageRow[],
  { id, recipient }: MessageRow,
): Promise<Pick<OutgoingMail, 'returnPath' | 'unsubscribeUrl'>> {
  const offSwitch = commonSwitch(contained.map((each) => each.offSwitch));
  const url = offSwitch && (await unsubscribeUrl(ctx, recipient, offSwitch));
  const returnPath = returnPathOf(ctx, id);
  return { ...(url !== null && { unsubscribeUrl: url }), ...(returnPath !== undefined && { returnPath }) };
}

function contentOf(
  messages: MessageRow[],
  { publicUrl, brand }: Context['config'],
): { subject: string; text: string; html: string } {
  const [only] = messages;
  if (messages.length === 1 && only)
    return { subject: only.subject, text: only.bodyText, html: only.bodyHtml };
  return mergedMail(
    messages.map(({ subject, bodyText }) => ({ subject, text: bodyText })),
    `${publicUrl}/settings?tab=notifications`,
    brand,
    publicUrl,
  );
}
