import { beforeAll } from 'vitest';
import type { TestServer } from '../server.ts';
import { useOwnServer, useStarted } from '../starts/use-server.ts';
import { startStripeServer, type StripeServer } from './stripe-server.ts';

/** A stand-in for Stripe, and a server of this file or group of tests that uses it. Both have the clock of the server. */
export function useServerWithStripe(env: Record<string, string> = {}): {
  server: TestServer;
  stripe: StripeServer;
} {
  let isRunning = false;
  const now = () => (isRunning ? server.clock.now() : new Date());
  const stripe = useStarted(async () => await startStripeServer({ now }));
  const server = useOwnServer(() => ({ env: { ...stripe.env, ...env } }));
  beforeAll(() => {
    isRunning = true;
  });
  return { server, stripe };
}
