import { Stripe } from 'stripe';
import type { StripeSettings } from '../../settings/joint.ts';
import { ProviderError } from '../payment-provider.ts';
import { providerError } from './errors.ts';

/** Pinned, so that Stripe's answers change only when we change them. Webhook endpoints use the same version. */
export const API_VERSION = '2026-10-28.endive';

/** A call may take this long, retries included. */
export const CALL_MS = 10_000;

/** The largest page that Stripe's lists have. */
export const PAGE = 100;

/** The filter of a list for what was created since then. */
export const createdSince = (since: Date) => ({ gte: Math.floor(since.getTime() / 1000) });

/** The parts of one object, as a list of such objects expands them. */
export const inList = (parts: readonly string[]) => parts.map((part) => `data.${part}`);

export type StripeClient = {
  /** Asks Stripe, and throws ProviderError for every failure. */
  ask: <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>;
  /** Iterates over a list of Stripe, page after page. */
  list: <T, R>(call: (stripe: Stripe) => AsyncIterable<T>, read: (item: T) => R) => AsyncIterable<R>;
};

export type CallOptions = { callMs?: number; beforeCall?: () => Promise<void> };

export function createClient(
  { secretKey, apiBase }: StripeSettings,
  { callMs = CALL_MS, beforeCall = async () => {} }: CallOptions,
): StripeClient {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: callMs,
    // A retry has the same idempotency key. `ask` ends the call if it takes too long all the same.
    maxNetworkRetries: 1,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(apiBase)),
  });

  async function ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    await beforeCall();
    return await send(call);
  }

  async function send<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new ProviderError('unavailable', `Stripe did not answer within ${callMs} ms`)),
      callMs,
    );
    try {
      return await Promise.race([call(stripe), late.promise]);
    } catch (error) {
      throw providerError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function* list<T, R>(
    call: (stripe: Stripe) => AsyncIterable<T>,
    read: (item: T) => R,
  ): AsyncGenerator<R> {
    await beforeCall();
    const items = call(stripe)[Symbol.asyncIterator]();
    for (;;) {
      const next = await send(() => items.next());
      if (next.done) return;
      yield read(next.value);
    }
  }

  return { ask, list };
}

function addressOf(base: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(base);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? 'http' : 'https',
    // Node takes an IPv6 address without the brackets of a URL.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (isPlain ? '80' : '443'),
  };
}

/** Whether Stripe answered from the record of an earlier call with the same key, perhaps with an older state. */
export function isReplayed(answer: { lastResponse: Stripe.Response<unknown>['lastResponse'] }): boolean {
  return answer.lastResponse.headers['idempotent-replayed'] === 'true';
}
