import { cancelsDueSince } from '#domain/payments/cancels.ts';
import { counted } from '#domain/format.ts';
import { createClock } from '#server/platform/database/clock.ts';
import type { Database } from '#server/platform/database/database.ts';
import { decisionTexts, waitingCancels, waitingText } from '#server/money/refunds/cancelling/overdue.ts';
import type { Finding } from './doctor.ts';

/**
 * Says how long the oldest cancel has waited for the operator. Warns when the operator was reminded of it. Later it is an
 * alarm as well, which fails in a line of its own. [REFU-200]
 */
export async function checkCancels(db: Database, realNow: () => Date): Promise<Finding> {
  const check = 'cancels';
  const clock = createClock(db, realNow);
  await clock.read();
  const now = clock.now();
  const waiting = await waitingCancels({ db });
  const [oldest] = waiting;
  if (!oldest) return { check, state: 'ok', text: 'No cancel waits for you.' };
  const text = [
    `${counted(waiting.length, 'cancel')} ${waiting.length === 1 ? 'waits' : 'wait'} for you.`,
    waitingText(oldest, now),
    ...decisionTexts(oldest.adId),
  ].join(' ');
  return { check, state: oldest.since <= cancelsDueSince(now, 'reminder') ? 'warn' : 'ok', text };
}
