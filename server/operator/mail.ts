import type { Context } from '../context.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { notFound } from '../http/errors.ts';
import type { Page } from '../http/route.ts';
import { type MailLine, outgoingMail, sendAgain } from '../notifications/outbox.ts';
import { type Operator, perform, record } from './act.ts';
import { findAccount } from './store.ts';

const PAGE_SIZE = 50;

/** Mail that has not been sent, or all mail to one address, newest first. Its text is never shown: it may hold a code. */
export async function mails(
  ctx: Context,
  query: { to?: string | undefined; cursor?: string | undefined; limit?: number },
): Promise<Page<MailLine>> {
  const { to, cursor, limit = PAGE_SIZE } = query;
  const before = decodeCursor(cursor);
  return pageOf(await outgoingMail(ctx.db, { to, before, limit: limit + 1 }), limit);
}

/**
 * Queues a mail again that has not been sent. Throws 404, or 409 for a sent one: its text was deleted, because it may have
 * held a code. [OPER-12]
 */
export async function resendMail(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const mail = await sendAgain(tx, id);
    if (!mail) throw notFound('There is no mail with this number.');
    const account = await findAccount(tx, mail.recipient);
    await record(ctx, tx, operator, {
      act: 'resend-mail',
      subject: 'mail',
      subjectId: id,
      subjectName: mail.subject,
      affectedId: account?.id ?? null,
      reason,
    });
  });
}
