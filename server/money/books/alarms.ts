/** The alarms that an operator has to act on now, about money and about delivery: mailed once a day, in `openslot doctor`, and above the pages of the console. */
import { decimalOf, moneyText } from '#domain/money.ts';
import { takesEvidence } from '#domain/payments/disputes.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { installationFaults, type OperatorFault } from '#server/delivery/faults/open-faults.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { type Alarm, mailAlarms } from '#server/notify/mails/operator-mail.ts';
import { bankPayoutAlarms } from '../payouts/bank-file.ts';
import { failedPayoutAlarms } from '../payouts/tell.ts';
import { cancelAlarms } from '../refunds/cancelling/overdue.ts';
import { findUncoveredLately } from './books.ts';
import { listDifferences } from './store.ts';
import { listUnanswered, type OpenDispute } from './store-books.ts';
import { findWholeCheck, type WholeCheck } from './whole-check.ts';

export type { Alarm } from '#server/notify/mails/operator-mail.ts';

/** An answer that is due within this time is an alarm. */
const ANSWER_WITHIN_MS = 3 * DAY_MS;

/** The alarms at `now` of the marketplace's clock, with `uncoveredCents` not covered (books.ts). [OWNS-30] */
export async function listAlarms(
  { db, config }: Pick<Context, 'db' | 'config'>,
  now: Date,
  uncoveredCents: number,
): Promise<Alarm[]> {
  const { paymentBook, currency } = config;
  const differences = await listDifferences(db, paymentBook);
  const wholeCheck = await findWholeCheck(db);
  const disputes = await listUnanswered(db, later(now, ANSWER_WITHIN_MS));
  return [
    ...(uncoveredCents > 0 ? [uncoveredAlarm(moneyText(decimalOf(uncoveredCents), currency))] : []),
    ...(differences[0] ? [differenceAlarm(differences.length, differences[0].since)] : []),
    ...(wholeCheck.differences > 0 ? [disagreementAlarm(wholeCheck)] : []),
    ...(await failedPayoutAlarms(db, paymentBook, now)),
    ...(await bankPayoutAlarms(db, paymentBook, now)),
    ...(await cancelAlarms(db, now)),
    ...disputes.map((dispute) => disputeAlarm(dispute, now)),
    ...(await installationFaults(db)).map(faultAlarm),
  ];
}

/** The alarms of this moment. The uncovered money may be that of ten minutes ago. */
export async function presentAlarms(ctx: Context): Promise<Alarm[]> {
  return await listAlarms(ctx, ctx.now(), await findUncoveredLately(ctx));
}

/** The job: mails the operator each alarm once in a UTC day. [OWNS-30] */
export async function tellAlarms(ctx: Context): Promise<void> {
  await mailAlarms(ctx, await presentAlarms(ctx));
}

const faultAlarm = ({ id, title, evidence, cause, next }: OperatorFault): Alarm => ({
  kind: 'installation-fault',
  cause: `fault ${id}`,
  title,
  text: `${evidence} ${cause} ${next}`,
  action: { label: 'Open the faults', path: '/operator/faults' },
});

const uncoveredAlarm = (amount: string): Alarm => ({
  kind: 'money-uncovered',
  cause: 'uncovered money',
  title: 'Publishers’ money is not covered',
  text: `The marketplace owes ${amount} more than it holds. Put the missing money into the account at the card provider before the next payouts on Monday.`,
  action: { label: 'Open the books', path: '/operator/books' },
});

const differenceAlarm = (count: number, since: Date): Alarm => ({
  kind: 'books-differ',
  cause: 'differences',
  title: 'The ledger and the card provider differ',
  text: `The last comparison of the ledger with the card provider found ${count === 1 ? 'a difference' : `${count} differences`}, the oldest of ${instantText(since)}. Look at the money page, then compare again: openslot money reconcile`,
  action: { label: 'Open the money page', path: '/operator/money' },
});

const disagreementAlarm = ({ checkedAt, differences, firstDifference }: WholeCheck): Alarm => ({
  kind: 'books-differ',
  cause: 'whole check',
  title: 'The books disagree',
  text: `The check of everything in the books on ${instantText(checkedAt as Date)} found ${differences === 1 ? 'a difference' : `${differences} differences`}, the first: ${firstDifference}. Keep a copy of the database and find out what was changed. Then check again: openslot money check --all`,
  action: { label: 'Open the money page', path: '/operator/money' },
});

function disputeAlarm({ id, amountCents, currency, status, dueAt }: OpenDispute, now: Date): Alarm {
  const isOurs = takesEvidence(status);
  const about = `${isOurs ? 'The dispute' : 'The appeal of the dispute'} ${id} about ${moneyText(decimalOf(amountCents), currency)}`;
  const due = dueAt as Date;
  const when =
    due > now
      ? `has to be answered by ${instantText(due)}`
      : `had to be answered by ${instantText(due)}, and was not`;
  const next = isOurs
    ? 'Look at the evidence, and send it.'
    : 'Answer in the card provider’s dashboard. Nothing is sent automatically for an appeal.';
  return {
    kind: 'dispute-due',
    cause: `dispute ${id}`,
    title: 'A dispute has to be answered',
    text: `${about} ${when}. ${next}`,
    action: isOurs
      ? { label: 'Open the evidence', path: `/operator/evidence/${encodeURIComponent(id)}` }
      : { label: 'Open the books', path: '/operator/books' },
  };
}
