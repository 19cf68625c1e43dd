import type { Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import {
  type MailLine,
  outgoingMail,
  sendAgain,
  type TurnedOff,
  turnedOffAddresses,
} from '#server/notify/outbox.ts';
import { type Operator, perform, record } from './act.ts';
import { findAccount } from './store.ts';

const PAGE_SIZE = 50;

/** `turnedOff` has the addresses that get no mail: the one that was asked for, or the latest ones. */
export type Mails = Page<MailLine> & { turnedOff: TurnedOff[] };

/** Mail that has not been sent, or all mail to one address, newest first. Its text is never shown: it may hold a code. */
export async function mails(
  ctx: Context,
  query: { to?: string | undefined; cursor?: string | undefined; limit?: number },
): Promise<Mails> {
  const { to, cursor, limit = PAGE_SIZE } = query;
  const before = decodeCursor(cursor);
  const page = pageOf(await outgoingMail(ctx.db, { to, before, limit: limit + 1 }), limit);
  return { ...page, turnedOff: await turnedOffAddresses(ctx.db, { to, limit }) };
}

/** The state of a mail, in words. */
export function mailState({
  sentAt,
  kept,
  suppressed,
  attempts,
  lastError,
  heldUntil,
}: Pick<MailLine, 'sentAt' | 'kept' | 'suppressed' | 'attempts' | 'lastError' | 'heldUntil'>): string {
  if (sentAt !== null) return 'sent';
  if (suppressed) return 'not sent, because mail to this address bounced';
  if (kept) return 'kept, because there is no relay';
  if (heldUntil !== null)
    return `waits until ${instantText(heldUntil)}, because an address gets few mails an hour`;
  return attempts === 0 ? 'waiting' : `${attempts} tries. ${lastError ?? ''}`;
}

/**
 * Queues a mail again that has not been sent. Throws 404, or 409 for a sent one: its text was deleted, because it may have
 * held a code.
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
