import type { OperatorMailKind } from '#domain/notifications/notices.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { postMessage } from '../post-message.ts';
import { forgetPastAlarms, takeDayOf } from '../store.ts';
import { moneyText } from '#domain/money.ts';
import type { FaultText } from '#domain/delivery/fault-causes.ts';
import { isolated, type Mail } from '../layout.ts';

type Action = { label: string; path: `/operator/${string}` };

/**
 * Mails the operator, at OPERATOR_MAIL, in the caller's transaction. `action` leads to a page of the operator console.
 */
export async function mailOperator(
  ctx: Context,
  tx: Tx,
  {
    kind,
    title,
    paragraphs,
    action,
  }: {
    kind: OperatorMailKind;
    title: string;
    paragraphs: string[];
    action: Action;
  },
): Promise<void> {
  const { publicUrl, contactEmail } = ctx.config;
  await postMessage(ctx, tx, {
    recipient: contactEmail,
    kind,
    mail: {
      subject: title,
      heading: title,
      paragraphs,
      action: { label: action.label, url: `${publicUrl}${action.path}` },
      note: 'The link opens the operator console. You have to sign in as an operator there.',
    },
  });
}

/** Something that the operator has to act on, for as long as it lasts. `action` leads to a page of the console. */
export type Alarm = {
  kind: OperatorMailKind;
  /** Names what has happened, such as 'payout 12'. */
  cause: string;
  title: string;
  /** One or two sentences: what is wrong, and what to do. */
  text: string;
  action: Action;
};

/** Mails the operator an alarm, once in each UTC day for its cause, also with several servers. [OWNS-30] */
export async function mailAlarm(
  ctx: Context,
  tx: Tx,
  { kind, cause, title, text, action }: Alarm,
): Promise<void> {
  if (!(await takeDayOf(tx, cause, ctx.now()))) return;
  const paragraphs = [text, 'We send this mail once a day for as long as this lasts.'];
  await mailOperator(ctx, tx, { kind, title, paragraphs, action });
}

/** The same for all alarms of this moment. Forgets the causes that have ended. */
export async function mailAlarms(ctx: Context, alarms: readonly Alarm[]): Promise<void> {
  for (const alarm of alarms) await ctx.db.transaction().execute((tx) => mailAlarm(ctx, tx, alarm));
  await forgetPastAlarms(ctx.db, ctx.now());
}

/** The most ads that a mail names. The books list all of them. */
const MAX_NAMED = 20;

/** Why the server holds earnings, where only the operator can end the hold. */
const HELD_BECAUSE = {
  same_person: 'the advertiser and the publisher share an account, a bank account or a card',
  fraud_warning: 'the card network or the card provider reports the payment as possibly fraudulent',
};

/** Mails the operator that the earnings of these ads are on hold until the operator decides. Does nothing for no ads. */
export async function mailHeld(
  ctx: Context,
  tx: Tx,
  adIds: readonly number[],
  reason: keyof typeof HELD_BECAUSE,
): Promise<void> {
  if (adIds.length === 0) return;
  const named = adIds.slice(0, MAX_NAMED).join(', ');
  const ads = adIds.length === 1 ? `ad ${named}` : `the ads ${named}`;
  const more = adIds.length - MAX_NAMED;
  await mailOperator(ctx, tx, {
    kind: 'money-held',
    title: 'Earnings are on hold',
    paragraphs: [
      `The earnings of ${ads}${more > 0 ? ` and ${more} more` : ''} are on hold, because ${HELD_BECAUSE[reason]}.`,
      'Look at both accounts, then release the hold or refund the advertiser.',
    ],
    action: { label: 'Open the books', path: '/operator/books' },
  });
}

/** Mails the operator that money waits until the operator says what it is. `what` is a sentence. */
export async function mailSuspense(ctx: Context, tx: Tx, what: string): Promise<void> {
  await mailOperator(ctx, tx, {
    kind: 'money-in-suspense',
    title: 'Money is in suspense',
    paragraphs: [what, 'The money is in suspense until you decide whether to refund it or what it is.'],
    action: { label: 'Open the money page', path: '/operator/money' },
  });
}

/** Mails the operator that a publisher who owes money has deleted their account. [GONE-07] */
export async function mailDebtLeft(
  ctx: Context,
  tx: Tx,
  { name, email, owed }: { name: string; email: string; owed: string },
): Promise<void> {
  const amount = moneyText(owed, ctx.config.currency);
  await mailOperator(ctx, tx, {
    kind: 'debt-left',
    title: `A publisher who owes ${amount} has deleted their account`,
    paragraphs: [
      `${isolated(name)}, ${email}, has confirmed the debt. It covers nothing in your books any more.`,
      'The books keep the name until it is paid or you write it off.',
    ],
    action: { label: 'Open the books', path: '/operator/books' },
  });
}

/** The mail to the publisher of a website with a fault. */
export function faultMail(
  { title, cause, evidence, next, websiteName }: FaultText & { websiteName: string },
  publicUrl: string,
): Mail {
  return {
    subject: `${isolated(websiteName)}: ${title}`,
    heading: title,
    paragraphs: [`This is about your website ${isolated(websiteName)}. ${evidence}`, cause, next],
    action: { label: 'Open your results', url: `${publicUrl}/results` },
    note: 'We send this at most once a week. If you expect this, say so on that page, and we won’t show it for 30 days.',
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}
