/**
 * Limits attempts with stolen or guessed cards. Declines are counted by user, by card and by the network that asked for
 * the intent. Cards and networks are stored as keyed hashes. [HOOK-07]
 */
import {
  DECLINE_WINDOW_SECONDS,
  DECLINES_ALLOWED,
  NETWORK_DECLINES_ALLOWED,
} from '#domain/payments/limits.ts';
import { FIRST_CHECK_MS } from '#domain/payments/limits.ts';
import { later, SECOND_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { tooMany } from '#server/platform/http/errors.ts';
import { type PaymentIntent, ProviderError } from '#server/platform/provider/payment-provider.ts';
import { hashOf } from '../provider-requests/hashes.ts';
import { keepDeclinedCard, type Payment } from './payment.ts';
import {
  type Allowed,
  blockedSince,
  cancelTested,
  deleteAttemptsBefore,
  insertDecline,
  markDeclined,
  releaseAttempt,
  takeAttempt,
} from './store-attempts.ts';

/** Codes of invalid form input. No card was tried, so an attacker who tests stolen cards learns nothing from them. */
const INPUT_ERRORS = new Set([
  'incorrect_number',
  'sandbox_card_only',
  'invalid_expiry_month',
  'invalid_expiry_year',
]);

/** The card that was tried last, as a keyed hash. */
export function cardHash(ctx: Context, { card }: PaymentIntent): string | null {
  return card && hashOf(ctx, 'card', card.fingerprint);
}

/** Throws 429 if this user, one of their cards or this network had too many declines within the last hour. */
export async function refuseCardTesting(
  ctx: Context,
  tx: Tx,
  who: { userId: number; network: string | null },
): Promise<void> {
  const since = windowStart(ctx);
  const oldest = await blockedSince(tx, who, { since, allowed: allowedBy(ctx) });
  if (oldest) throw tooMany((oldest.getTime() - since.getTime()) / SECOND_MS);
}

/**
 * Runs a payment attempt on the sandbox's own form. An attempt counts for the user as soon as it begins and is released
 * unless it ends in a decline, so that parallel attempts cannot exceed the limit.
 */
export async function countingDeclines<T>(ctx: Context, payer: Payer, attempt: () => Promise<T>): Promise<T> {
  const id = await ctx.db.transaction().execute(async (tx) => {
    const attemptId = await takeAttempt(tx, payer.userId, ctx.realNow());
    const since = windowStart(ctx);
    const oldest = await blockedSince(
      tx,
      { userId: payer.userId, network: payer.network },
      { since, allowed: allowedBy(ctx), except: attemptId },
    );
    if (oldest) throw tooMany((oldest.getTime() - since.getTime()) / SECOND_MS);
    return attemptId;
  });
  try {
    const result = await attempt();
    await releaseAttempt(ctx.db, id);
    return result;
  } catch (error) {
    const isDecline =
      error instanceof ProviderError && error.kind === 'declined' && !INPUT_ERRORS.has(error.code ?? '');
    if (!isDecline) await releaseAttempt(ctx.db, id);
    else await keepDecline(ctx, payer, id);
    throw error;
  }
}

/** The person and the place of an attempt with a card: at a payment, or at a consent, whose provider does not say which card it declined. */
type Payer = { userId: number; network: string | null } & (Payment | object);

async function keepDecline(ctx: Context, payer: Payer, attemptId: number): Promise<void> {
  const traits =
    'intentId' in payer
      ? await traitsOf(ctx, payer, await ctx.payments.getIntent(payer.intentId as string))
      : { userId: payer.userId, card: null, network: payer.network };
  await ctx.db.transaction().execute(async (tx) => {
    await markDeclined(tx, attemptId, traits);
    await stopCardTesting(ctx, tx, traits);
  });
}

/**
 * Counts a decline that the provider reports by an event, once. It has a transaction of its own, because it may close
 * payments of many ads, and the transaction of the event locks an ad (docs/decisions/049-lock-order.md).
 */
export async function countDecline(
  ctx: Context,
  payment: Payment,
  intent: PaymentIntent,
  eventId: string,
): Promise<void> {
  const traits = await traitsOf(ctx, payment, intent);
  await ctx.db.transaction().execute(async (tx) => {
    if (await insertDecline(tx, { ...traits, eventId, createdAt: ctx.realNow() }))
      await stopCardTesting(ctx, tx, traits);
  });
}

/** The same for a card that could not be saved. Its provider does not tell us which card it was. */
export async function countSetupDecline(
  ctx: Context,
  { userId, network }: { userId: number; network: string },
  eventId: string,
): Promise<void> {
  const traits = { userId, network, card: null };
  await ctx.db.transaction().execute(async (tx) => {
    if (await insertDecline(tx, { ...traits, eventId, createdAt: ctx.realNow() }))
      await stopCardTesting(ctx, tx, traits);
  });
}

type Traits = { userId: number; card: string | null; network: string | null };

async function traitsOf(ctx: Context, payment: Payment, intent: PaymentIntent): Promise<Traits> {
  const card = cardHash(ctx, intent);
  const { network } = await keepDeclinedCard(ctx.db, payment.id, card);
  return { userId: payment.userId, card, network };
}

/** Closes the open payments of a user, card or network that has reached its limit. A job cancels their intents. */
async function stopCardTesting(ctx: Context, tx: Tx, traits: Traits): Promise<void> {
  const at = ctx.now();
  const window = { since: windowStart(ctx), allowed: allowedBy(ctx) };
  const intents = await cancelTested(tx, traits, window, { at, nextCheckAt: later(at, FIRST_CHECK_MS) });
  for (const intentId of intents) await enqueue(tx, 'cancel-intent', { intentId });
  if (intents.length > 0) {
    ctx.log.warn(
      { userId: traits.userId, canceled: intents.length },
      'too many cards were declined; open payments were canceled',
    );
  }
}

/** Part of the job 'remove-expired'. */
export async function removeOldAttempts(ctx: Context): Promise<void> {
  await deleteAttemptsBefore(ctx.db, windowStart(ctx));
}

const windowStart = (ctx: Context): Date => later(ctx.realNow(), -DECLINE_WINDOW_SECONDS * SECOND_MS);

function allowedBy({ config }: Context): Allowed {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * config.rateLimitFactor));
  return {
    user: scaled(DECLINES_ALLOWED),
    card: scaled(DECLINES_ALLOWED),
    network: scaled(NETWORK_DECLINES_ALLOWED),
  };
}
