import { POLL_MS } from '#domain/payments/limits.ts';
import { HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { isAway } from '../provider-requests/answer-time.ts';
import { applyEvent } from './events.ts';
import { finalisePayment, type Outcome } from '../checkout/finalise.ts';
import { cancelOrAsk, findIntent, findLostIntent } from '../checkout/intents.ts';
import { settleSandbox } from '../sandbox/sandbox.ts';
import {
  customerOfBook,
  keepIntent,
  markSettled,
  noteProblem,
  type Payment,
  takeDuePayment,
} from '../checkout/payment.ts';
import { keepEvent, notePoll, takeDueEvent, takeDuePoll } from './store-events.ts';

/** If so many rows in a row fail because the provider is away, the rest waits for the next run. */
const AWAY_AFTER = 3;

/** Events are fetched again from this long before the last poll, because a delivery may fail later than its event. */
const OVERLAP_MS = HOUR_MS;

/**
 * Finishes payments that neither the browser nor an event of the provider has finished: fetches lost events, handles
 * events whose job was lost or failed, and asks about every payment whose answer is not final. That includes canceled
 * ones, because their intents may have been paid before they were canceled. Returns how many payments it finished. Each
 * row waits longer after each try, and an error in one does not stop the others. [HOOK-05, HOOK-01]
 */
export async function checkPayments(ctx: Context): Promise<number> {
  const pace = { failed: 0 };
  await settleSandbox(ctx);
  await attempt(ctx, pace, { poll: ctx.payments.book }, () => fetchLostEvents(ctx));
  const eventsBefore = ctx.now();
  for (;;) {
    if (pace.failed >= AWAY_AFTER) return 0;
    const eventId = await takeDueEvent(ctx.db, eventsBefore);
    if (eventId === null) break;
    await attempt(ctx, pace, { eventId }, () => applyEvent(ctx, eventId));
  }
  let finished = 0;
  while (pace.failed < AWAY_AFTER) {
    const payment = await takeDuePayment(ctx.db, ctx.payments.book, ctx.now());
    if (payment === null) break;
    const outcome = await attempt(ctx, pace, { paymentId: payment.id }, () => checkPayment(ctx, payment));
    const wasDecided = payment.status !== 'open' && payment.status !== 'canceled';
    if (!wasDecided && outcome !== null && !UNDECIDED.has(outcome)) finished++;
  }
  return finished;
}

const UNDECIDED = new Set<Outcome>(['waiting', 'processing']);

type Pace = { failed: number };

async function attempt<T>(
  ctx: Context,
  pace: Pace,
  what: { paymentId?: number; eventId?: string; poll?: string },
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    const result = await work();
    pace.failed = 0;
    return result;
  } catch (error) {
    if (isAway(error)) pace.failed++;
    ctx.log.error({ err: error, ...what }, 'a check of the payments failed; it is tried again later');
    if (what.paymentId !== undefined) {
      await noteProblem(ctx.db, what.paymentId, isAway(error) ? 'unreachable' : 'error');
    }
    return null;
  }
}

async function checkPayment(ctx: Context, payment: Payment): Promise<Outcome | null> {
  const known = payment.intentId === null ? await findLost(ctx, payment) : payment;
  if (known === null) return null;
  const intent = await findIntent(ctx, known);
  if (intent === null) return null;
  // The job that cancels the intent of a closed payment may have been lost.
  const isOpen = !['succeeded', 'canceled'].includes(intent.status);
  const last = known.status === 'canceled' && isOpen ? await cancelOrAsk(ctx, intent.id) : intent;
  if (last === null) return null;
  return ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, known, last));
}

/**
 * Finds the intent of a closed payment that was being created while the payment was closed. No browser gets the secret
 * of an intent before its id is stored, so an open payment without an id cannot have been paid.
 */
async function findLost(ctx: Context, payment: Payment): Promise<Payment | null> {
  if (payment.status !== 'canceled') return null;
  const intent = await findLostIntent(ctx, payment);
  if (intent === null) {
    await markSettled(ctx.db, payment.id);
    return null;
  }
  const at = ctx.now();
  const customerId = await customerOfBook(ctx.db, payment);
  const times = { at, nextCheckAt: later(at, MINUTE_MS) };
  return keepIntent(ctx.db, payment.id, { id: intent.id, customerId }, times);
}

async function fetchLostEvents(ctx: Context): Promise<void> {
  const { book } = ctx.payments;
  const now = ctx.now();
  const since = await takeDuePoll(ctx.db, book, now, later(now, POLL_MS));
  if (since === null) return;
  const mode = ctx.payments.mode === 'live';
  for await (const event of ctx.payments.undeliveredEvents(later(since, -OVERLAP_MS))) {
    if (event.live === mode) await keepEvent(ctx.db, event, 'account', now);
  }
  await notePoll(ctx.db, book, now);
}
