/** A history while it is played, as its acts see it, and the errors that it allows. */
import type { Context } from '#server/platform/context.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { ActOf } from './acts.ts';
import type { Market } from './market.ts';

/** More ads at once make a history slower, but not richer. */
export const MAX_RUNNING = 4;

export type Made = { id: number; publicId: string; adZoneId: number };
export type Sold = Made & { intentId: string };

/** The amount of a payout in a bank's file, and how often it was filed, and booked as paid and as returned. */
export type AtBank = { cents: number; filed: number; paid: number; returned: number };

export type History = {
  readonly market: Market;
  readonly ctx: Context;
  readonly config: Context['config'];
  readonly sandbox: SandboxProvider;
  ads: Sold[];
  /** The ads that wait for their publisher, each with a consent. */
  waiting: (Made & { consentId: number })[];
  away: Pick<ActOf<'away'>, 'how' | 'calls'> | null;
  payeeId: string;
  /** The payouts by bank transfer, by their end-to-end ids. */
  bank: Map<string, AtBank>;
};

export function isArranged(error: unknown): boolean {
  // A refund that was made outside waits for the answer to one of ours, and its event is tried again.
  if (error instanceof Error && /waits until the provider has answered/.test(error.message)) return true;
  return error instanceof ProviderError || isRefusal(error);
}

/** An act that a use case refuses with a sentence is no fault. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof HttpError) return error.status < 500;
  return error instanceof Error && /the month of these hours is finished/.test(error.message);
}
