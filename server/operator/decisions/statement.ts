import { randomBytes } from 'node:crypto';
import { type Act, APPEAL_DAYS, SUBJECT_WORDS, type Subject } from '#domain/operator/acts.ts';
import type { Outcome } from '#domain/operator/forms.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isolated, type Mail } from '#server/notify/layout.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { type Operator, record } from '../act.ts';
import { findAddress } from '../store.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

/** The address of a decision's page. The key admits a reader without a session. */
function decisionUrl(ctx: Context, publicId: string, key: string): string {
  return `${ctx.config.publicUrl}/decision/${publicId}?key=${key}`;
}

export type DecisionAct = Extract<Act, 'suspend' | 'take-down' | 'refuse-claim' | 'hide-website'>;

export type Decision = {
  act: DecisionAct;
  subject: Subject;
  id: number;
  name: string;
  ownerId: number;
  reason: string;
};

/**
 * Records a decision against an account, with the key of its page. Returns the address of the page, where the affected
 * person reads the reasons and can answer once (Digital Services Act, articles 17 and 20). [OPER-10]
 */
export async function recordDecision(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { act, subject, id, name, ownerId, reason }: Decision,
): Promise<string> {
  const key = randomBytes(16).toString('base64url');
  const { publicId } = await record(ctx, tx, operator, {
    act,
    subject,
    subjectId: id,
    subjectName: subject === 'person' ? '' : name,
    affectedId: ownerId,
    reason,
    keyHash: hashToken(key),
  });
  return decisionUrl(ctx, publicId, key);
}

/** The effects of a suspension, for the owner. */
const EFFECTS: Record<Subject, string> = {
  person:
    'Your websites and ad zones are not offered or served, and your ads are not shown. Campaigns in your ad zones have ended, and their advertisers get a refund for the undelivered part. Your own campaigns that are paid per day are extended if your account is restored. What you have earned stays in your balance. It is not paid out while your account is suspended. If your account is restored, the next weekly payout includes it. You can sign in to read your balance, documents and statements, but not to do anything else.',
  website:
    'Its ad zones are not offered, and they show no ads. Campaigns that are paid per day are extended if it is restored.',
  zone: 'It is not offered, and it shows no ads. Campaigns that are paid per day are extended if it is restored.',
  ad: 'It is not shown. If you pay per day, your campaign is extended if the ad is restored.',
};

/** 'your website “The Daily Slot”' */
function yours(subject: Subject, name: string): string {
  return subject === 'person' ? 'your account' : `your ${SUBJECT_WORDS[subject]} “${isolated(name)}”`;
}

/** `action` leads to the marketplace if it is not given. */
type DecisionMail = { title: string } & Pick<Mail, 'paragraphs' | 'action' | 'note'>;

/** Mails the owner, unless the account was deleted. No setting turns off mail about an operator's decision. */
async function mailOwner(
  ctx: Context,
  tx: Tx,
  ownerId: number,
  { title, paragraphs, action, note }: DecisionMail,
): Promise<void> {
  const recipient = await findAddress(tx, ownerId);
  if (recipient === null) return;
  await postMessage(ctx, tx, {
    recipient,
    kind: 'operator-decision',
    mail: {
      subject: title,
      heading: title,
      paragraphs,
      action: action ?? { label: `Open ${ctx.config.brand.name}`, url: `${ctx.config.publicUrl}/` },
      ...(note !== undefined && { note }),
    },
  });
}

const titleOf = (subject: Subject, done: string): string =>
  `${subject === 'person' ? 'Your account' : `Your ${SUBJECT_WORDS[subject]}`} was ${done}`;

export async function mailSuspended(
  ctx: Context,
  tx: Tx,
  { subject, name, ownerId, reason, url }: Omit<Decision, 'act' | 'id'> & { url: string },
): Promise<void> {
  await mailOwner(ctx, tx, ownerId, {
    title: titleOf(subject, 'suspended'),
    paragraphs: [
      `The marketplace operator has suspended ${yours(subject, name)}.`,
      `Reason: ${isolated(reason)}`,
      EFFECTS[subject],
      `If you disagree, answer once within ${APPEAL_DAYS} days. The operator then decides again.`,
    ],
    action: { label: 'Read the decision or answer it', url },
    note: 'Everyone who has this link can answer for you, so don’t share it.',
  });
}

export async function mailRestored(
  ctx: Context,
  tx: Tx,
  { subject, name, ownerId, reason }: Omit<Decision, 'act' | 'id'>,
): Promise<void> {
  await mailOwner(ctx, tx, ownerId, {
    title: titleOf(subject, 'restored'),
    paragraphs: [
      `The marketplace operator has restored ${yours(subject, name)}.`,
      `Reason: ${isolated(reason)}`,
      AS_BEFORE,
    ],
  });
}

const AS_BEFORE =
  'Everything works as before. Campaigns that are paid per day and were paused were extended by the time of the suspension.';

const AFTER_REVERSAL: Record<DecisionAct, string> = {
  suspend: AS_BEFORE,
  'take-down':
    'An ad that was taken down can’t run again. The undelivered part was refunded. You can submit it as a new ad.',
  'refuse-claim': 'The website is yours and is verified.',
  'hide-website': 'The website is in the marketplace now.',
};

/** Tells the owner how the operator decided about their answer. */
export async function mailOutcome(
  ctx: Context,
  tx: Tx,
  { subject, name, ownerId, act, outcome, answer }: Decision & { outcome: Outcome; answer: string },
): Promise<void> {
  const upheld = outcome === 'upheld';
  const after = upheld
    ? 'This answer is final here. You can still turn to a court or to an out-of-court dispute body.'
    : AFTER_REVERSAL[act];
  await mailOwner(ctx, tx, ownerId, {
    title: upheld ? 'The decision stands' : 'The decision was reversed',
    paragraphs: [
      `The marketplace operator has read your answer to the decision about ${yours(subject, name)}.`,
      `The operator’s answer: ${isolated(answer)}`,
      after,
    ],
  });
}

/** The end of a review: the website is offered. */
export async function mailShown(
  ctx: Context,
  tx: Tx,
  { name, ownerId, reason }: Pick<Decision, 'name' | 'ownerId' | 'reason'>,
): Promise<void> {
  await mailOwner(ctx, tx, ownerId, {
    title: 'Your website is in the marketplace',
    paragraphs: [
      `The marketplace operator has looked at ${yours('website', name)}. From now on, advertisers find it, and its ad zones show ads.`,
      `The operator’s words: ${isolated(reason)}`,
    ],
    action: { label: 'Open your ad zones', url: `${ctx.config.publicUrl}/ad-zones` },
  });
}

export async function mailHidden(
  ctx: Context,
  tx: Tx,
  { name, ownerId, reason, url }: Pick<Decision, 'name' | 'ownerId' | 'reason'> & { url: string },
): Promise<void> {
  await mailOwner(ctx, tx, ownerId, {
    title: 'Your website was not accepted',
    paragraphs: [
      `The marketplace operator has looked at ${yours('website', name)} and does not offer it. Its ad zones show no ads.`,
      `Reason: ${isolated(reason)}`,
      `If you disagree, answer once within ${APPEAL_DAYS} days. The operator then decides again.`,
    ],
    action: { label: 'Read the decision or answer it', url },
    note: 'Everyone who has this link can answer for you, so don’t share it.',
  });
}

export async function mailQuestion(
  ctx: Context,
  tx: Tx,
  { name, ownerId, reason: question }: Pick<Decision, 'name' | 'ownerId' | 'reason'>,
): Promise<void> {
  await mailOwner(ctx, tx, ownerId, {
    title: 'A question about your website',
    paragraphs: [
      `The marketplace operator looks at ${yours('website', name)} before it is offered, and asks:`,
      isolated(question),
      'Reply to this e-mail. The website waits until the operator has decided.',
    ],
    action: { label: 'Open your ad zones', url: `${ctx.config.publicUrl}/ad-zones` },
  });
}
