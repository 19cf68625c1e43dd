/** Cancels that wait for the operator for days: the reminder, the alarm, and those that are carried out. [REFU-200] */
import { cancelDue, cancelsDueSince } from '#domain/payments/cancels.ts';
import { decimalOf, moneyText } from '#domain/money.ts';
import { SECOND_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { spanText } from '#domain/format.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { type Alarm, mailOperator } from '#server/notify/mails/operator-mail.ts';
import { listOverdue, listWaiting, takeReminders, type WaitingSum } from '../store-cancels.ts';

/** The cancels that wait for the operator, the oldest first. [OWNS-83] */
export const waitingCancels = async (ctx: Pick<Context, 'db'>) => await listWaiting(ctx.db);
export type WaitingCancel = Awaited<ReturnType<typeof waitingCancels>>[number];

export const MONEY_PAGE = { label: 'Open the money page', path: '/operator/money' } as const;

/** The two decisions about the waiting cancel of an ad, as commands. */
export const decisionTexts = (adId: number): string[] => [
  `Look at both accounts. Then refund the advertiser: openslot money release-cancel ${adId} --reason TEXT`,
  `Or refuse the cancel, which shows the ad again: openslot money refuse-cancel ${adId} --reason TEXT. The advertiser reads the reason.`,
];

/** For how long a cancel has waited: '3 days'. */
export const waitedText = (since: Date, now: Date): string =>
  spanText((now.getTime() - since.getTime()) / SECOND_MS);

/** For how long a cancel has waited, and what happens without a decision. */
export function waitingText({ adId, amountCents, currency, since }: WaitingSum, now: Date): string {
  const amount = moneyText(decimalOf(amountCents), currency);
  return `The cancel of ad ${adId} has waited for ${waitedText(since, now)}. If you don’t decide by ${instantText(cancelDue(since, 'release'))}, its advertiser gets ${amount} back.`;
}

/**
 * The job: mails the operator about each cancel that has waited for the days of `reminder`, once, also with several servers.
 * Returns about how many.
 */
export async function remindOfCancels(ctx: Context): Promise<number> {
  const now = ctx.now();
  const due = { since: cancelsDueSince(now, 'reminder'), until: cancelsDueSince(now, 'release'), now };
  return await allBatches((limit) =>
    ctx.db.transaction().execute(async (tx) => {
      const cancels = await takeReminders(tx, { ...due, limit });
      for (const cancel of cancels)
        await mailOperator(ctx, tx, {
          kind: 'cancel-waiting',
          title: 'A cancel still waits for you',
          paragraphs: [waitingText(cancel, now), ...decisionTexts(cancel.adId)],
          action: MONEY_PAGE,
        });
      return cancels.length;
    }),
  );
}

/** The cancels that have waited for so long that they are an alarm. */
export async function lateCancels(tx: Tx, now: Date): Promise<WaitingCancel[]> {
  const late = cancelsDueSince(now, 'alarm');
  return (await listWaiting(tx)).filter(({ since }) => since <= late);
}

export async function cancelAlarms(tx: Tx, now: Date): Promise<Alarm[]> {
  return (await lateCancels(tx, now)).map((cancel) => ({
    kind: 'cancel-waiting',
    cause: `cancel of ad ${cancel.adId}`,
    title: 'A cancel waits for you',
    text: [waitingText(cancel, now), ...decisionTexts(cancel.adId)].join(' '),
    action: MONEY_PAGE,
  }));
}

/** Ids above `after` of ads whose cancels have waited for so long that they are carried out, ascending. */
export const listOverdueCancels = async (
  { db, now }: Pick<Context, 'db' | 'now'>,
  after: number,
  limit: number,
): Promise<number[]> => await listOverdue(db, cancelsDueSince(now(), 'release'), after, limit);
