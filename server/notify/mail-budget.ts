import { NOTICE_KINDS } from './ad-mail.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { enqueueAt } from '#server/platform/database/job-queue.ts';
import {
  claimMessage,
  claimedTimes,
  findMessage,
  findNewerOfKind,
  holdMessage,
  lockMailbox,
  mergeHeldInto,
  mergeInto,
  type MessageRow,
  selectMergedInto,
} from './store.ts';

/**
 * The most mails to one mailbox, of all kinds together. A stranger can make us write to other people's addresses, by
 * signing up with one or by reporting ads. RATE_LIMIT_FACTOR multiplies these numbers. [DOOR-09]
 */
const MAX_MAILS = { hour: 5, day: 20 };
/** Notices leave the rest to codes and to mail about the account itself. */
const MAX_NOTICES = { hour: 3, day: 12 };

/** Only the newest code works, so a held one is not sent if a newer one exists. */
const CODE_KINDS = new Set(['verification-code', 'reset-code']);

/** The notices that a mail contains besides itself, oldest first. Null if the mail is not to be sent now. */
export type Budgeted = { alsoIn: MessageRow[] } | null;

/**
 * Decides whether a message may be sent now. If the address has had enough mail, the message waits until it may have
 * more. When its turn comes, it contains all other notices that wait. So no notice is lost. [decision 022]
 */
export async function takeFromBudget(ctx: Context, message: MessageRow): Promise<Budgeted> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockMailbox(tx, message.mailbox);
    const current = await findMessage(tx, message.id);
    if (!current || current.sentAt !== null || current.mergedInto !== null) return null;
    // The relay refused an earlier try, which the budget already counts.
    if (current.claimedAt !== null) return { alsoIn: await selectMergedInto(tx, current.id) };

    const isNotice = NOTICE_KINDS.has(current.kind);
    if (current.heldUntil !== null && CODE_KINDS.has(current.kind)) {
      const newer = await findNewerOfKind(tx, current);
      if (newer !== undefined) {
        await mergeInto(tx, current.id, newer);
        ctx.log.info(
          { messageId: current.id, kind: current.kind },
          'a held code was replaced by a newer one',
        );
        return null;
      }
    }
    const now = ctx.realNow();
    const claimed = await claimedTimes(tx, current.mailbox, later(now, -DAY_MS));
    const free = freeAt(claimed, isNotice ? MAX_NOTICES : MAX_MAILS, ctx.config.rateLimitFactor, now);
    if (free !== null) {
      await holdMessage(tx, current.id, free);
      await enqueueAt(tx, 'send-message', { messageId: current.id }, free);
      ctx.log.info(
        { messageId: current.id, kind: current.kind, until: free },
        'a mail is held back, because its recipient has had enough mail',
      );
      return null;
    }
    await claimMessage(tx, current.id, now);
    if (!isNotice) return { alsoIn: [] };
    await mergeHeldInto(tx, current, [...NOTICE_KINDS]);
    return { alsoIn: await selectMergedInto(tx, current.id) };
  });
}

/** When the next mail may be sent, or null for now. `claimed` are the times of the last day's mails, newest first. */
export function freeAt(
  claimed: readonly Date[],
  max: { hour: number; day: number },
  factor: number,
  now: Date,
): Date | null {
  const times = [
    { count: max.hour, ms: HOUR_MS },
    { count: max.day, ms: DAY_MS },
  ].flatMap(({ count, ms }) => {
    const limiting = claimed[Math.max(1, Math.round(count * factor)) - 1];
    return limiting === undefined ? [] : [limiting.getTime() + ms];
  });
  const free = Math.max(0, ...times);
  return free > now.getTime() ? new Date(free) : null;
}
