import { beforeAll } from 'vitest';
import type { TestServer } from '../server.ts';
import { useOwnServer, useStarted } from '../starts/use-server.ts';
import { startStripeServer, type StripeServer } from './stripe-server.ts';

/** A stand-in for Stripe, and a server of this file or group of tests that uses it. Both have the clock of the server. */
export function useServerWithStripe(env: Record<string, string> = {}): {
  server: TestServer;
  stripe: StripeServer;
} {
  const clock = realUntilTold();
  const stripe = useStarted(async () => await startStripeServer({ now: clock.now }));
  const server = useOwnServer(() => ({ env: { ...stripe.env, ...env } }));
  beforeAll(() => clock.follow(server.clock.now));
  return { server, stripe };
}

/** The real clock, until `follow` puts another one in its place. */
function realUntilTold() {
  let current = () => new Date();
  return { now: () => current(), follow: (other: () => Date) => void (current = other) };
}
