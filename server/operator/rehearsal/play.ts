import { z } from 'zod';
import { bodyReference, type Reference } from '#domain/fields.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { SandboxPlays, SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { findAdToPlay, findUserToPlay } from './store.ts';

type AdPlay = {
  label: string;
  of: 'ad';
  run: (play: SandboxPlays, intentId: string) => Promise<unknown>;
  done: string;
};
type UserPlay = {
  label: string;
  of: 'user';
  run: (play: SandboxPlays, payeeId: string) => Promise<unknown>;
  done: string;
};

/** Events at a card provider, a card network or a bank that our server does not cause. */
const PLAYS = {
  dispute: {
    label: 'Dispute',
    of: 'ad',
    run: (play, intentId) => play.dispute(intentId, 'dispute'),
    done: 'The cardholder’s bank disputes the payment and has taken the money back.',
  },
  dispute_won: {
    label: 'Dispute won',
    of: 'ad',
    run: (play, intentId) => play.closeDispute(intentId, 'won'),
    done: 'The marketplace won the dispute. The bank has returned the money.',
  },
  dispute_lost: {
    label: 'Dispute lost',
    of: 'ad',
    run: (play, intentId) => play.closeDispute(intentId, 'lost'),
    done: 'The marketplace lost the dispute. The cardholder keeps the money.',
  },
  inquiry: {
    label: 'Inquiry',
    of: 'ad',
    run: (play, intentId) => play.dispute(intentId, 'inquiry'),
    done: 'The cardholder’s bank asks about the payment. No money moves.',
  },
  fraud_warning: {
    label: 'Fraud warning',
    of: 'ad',
    run: (play, intentId) => play.warnOfFraud(intentId),
    done: 'The card network reports the payment as fraudulent.',
  },
  appeal: {
    label: 'Appeal',
    of: 'ad',
    run: (play, intentId) => play.appeal(intentId),
    done: 'The card network decides again about the lost dispute. Play “Dispute won” or “Dispute lost” to end it.',
  },
  review_opened: {
    label: 'Review opened',
    of: 'ad',
    run: (play, intentId) => play.openReview(intentId),
    done: 'The card provider looks at the payment, because a rule found it risky.',
  },
  review_closed: {
    label: 'Review closed',
    of: 'ad',
    run: (play, intentId) => play.closeReview(intentId),
    done: 'The card provider has approved the payment.',
  },
  refund_fails: {
    label: 'Refund fails',
    of: 'ad',
    run: (play, intentId) => play.planRefund(intentId, 'refund_fails'),
    done: 'The bank rejects the last refund that was sent for this ad, or else the next one.',
  },
  refund_pending: {
    label: 'Refund stays pending',
    of: 'ad',
    run: (play, intentId) => play.planRefund(intentId, 'refund_pending'),
    done: 'The last refund that was sent for this ad, or else the next one, stays pending for seven days.',
  },
  payout_fails: {
    label: 'Last payout fails',
    of: 'user',
    run: (play, payeeId) => play.failLastPayout(payeeId),
    done: 'The publisher’s bank has sent the last payout back.',
  },
  onboard: {
    label: 'Documents complete',
    of: 'user',
    run: (play, payeeId) => play.reviewPayee(payeeId, true),
    done: 'The publisher’s documents are complete. They can be paid.',
  },
  documents_missing: {
    label: 'Documents missing',
    of: 'user',
    run: (play, payeeId) => play.reviewPayee(payeeId, false),
    done: 'The provider asks the publisher for documents. They can’t be paid until then.',
  },
} as const satisfies Record<string, AdPlay | UserPlay>;

type Play = keyof typeof PLAYS;
const NAMES = Object.keys(PLAYS) as [Play, ...Play[]];

/** The plays for an ad or a user, for the panel. */
export function playsOf(subject: 'ad' | 'user'): { name: string; label: string }[] {
  return NAMES.filter((name) => PLAYS[name].of === subject).map((name) => ({
    name,
    label: PLAYS[name].label,
  }));
}

export const playBody = z.object({
  play: z.enum(NAMES, `play must be one of ${NAMES.join(', ')}.`),
  ad: z.union([z.string(), z.number()], 'ad must be a public id or a number.').optional(),
  user: z.union([z.string(), z.number()], 'user must be an e-mail address or a number.').optional(),
});

/**
 * Plays one case in the sandbox. Its consequences follow as with a real provider, through events. Returns a sentence
 * about the result. Throws 400 without the right subject, 404 for an unknown one, and 409 if the case cannot be played
 * on it.
 */
export async function playCase(
  ctx: Context,
  sandbox: SandboxProvider,
  { play: name, ad, user }: z.output<typeof playBody>,
): Promise<string> {
  const play: AdPlay | UserPlay = PLAYS[name];
  const id = play.of === 'ad' ? await intentOf(ctx, ad) : await payeeOf(ctx, user);
  try {
    await play.run(sandbox.play, id);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'conflict') throw conflict(error.message);
    throw error;
  }
  return play.done;
}

async function intentOf(ctx: Context, named: string | number | undefined): Promise<string> {
  if (named === undefined) throw invalid('Name the ad, by its public id or its number.', 'ad');
  const ref = referenceOf(named);
  const ad = ref && (await findAdToPlay(ctx.db, ref));
  if (!ad) throw notFound('Ad not found. Check its public id or number.');
  if (ad.intentId === null)
    throw conflict('This ad hasn’t been paid for in the sandbox. Pay for it with a test card first.');
  return ad.intentId;
}

async function payeeOf(ctx: Context, named: string | number | undefined): Promise<string> {
  if (named === undefined) throw invalid('Name the user, by e-mail address or number.', 'user');
  const email = typeof named === 'string' && named.includes('@') ? named.trim().toLowerCase() : null;
  const ref = email === null ? referenceOf(named) : null;
  const id = ref && 'id' in ref ? ref.id : null;
  const user =
    email === null && id === null
      ? null
      : await findUserToPlay(ctx.db, email === null ? { id: id as number } : { email });
  if (!user) throw notFound('User not found. Check the e-mail address or number.');
  if (user.payeeId === null)
    throw conflict('This user hasn’t begun to set up payouts. Sign in as this user and set them up first.');
  return user.payeeId;
}

function referenceOf(named: string | number): Reference | null {
  return bodyReference.safeParse(named).data ?? null;
}
