import { setTimeout as pause } from 'node:timers/promises';
import { awaySentence, ProviderError } from '#server/platform/provider/payment-provider.ts';
import { SECOND_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { unavailable, conflict } from '#server/platform/http/errors.ts';
import { MUST_WAIT, mustWait } from '#server/platform/outbound/wait.ts';

/** Users get an answer within twelve seconds, however many calls of the provider it takes. */
const ANSWER_MS = 11 * SECOND_MS;

/**
 * Runs work that a user waits for. If the provider is away, slow or limits our calls, throws 503 with `sentence`, which
 * must say whether something may have been charged. Work that is too slow goes on without its caller, because each of
 * its steps can be repeated.
 */
export async function answering<T>(ctx: Context, sentence: () => string, work: () => Promise<T>): Promise<T> {
  const answered = new AbortController();
  try {
    return await Promise.race([work(), tooSlow(answered.signal)]);
  } catch (error) {
    if (!isAway(error)) throw error;
    ctx.log.warn({ err: error }, 'the payment provider could not be asked');
    throw unavailable(`${awaySentence(error)} ${sentence()}`, 10);
  } finally {
    answered.abort();
  }
}

async function tooSlow(signal: AbortSignal): Promise<never> {
  await pause(ANSWER_MS, undefined, { signal });
  throw new ProviderError('unavailable', 'The provider was too slow');
}

/** Whether the provider could not be asked, or we cannot know whether it has acted. */
export function isAway(error: unknown): error is ProviderError {
  return error instanceof ProviderError && (error.kind === 'unavailable' || error.kind === 'rate_limited');
}

export function isUnknown(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'not_found';
}

/** Throws 409 while everything outgoing waits. For work that calls the provider without a job of the queue. [OPS-54] */
export async function refuseWhileWaiting({ db }: Context): Promise<void> {
  if (await mustWait(db)) throw conflict(MUST_WAIT);
}
