/** Debts of publishers: money that was paid out and taken back from its sale since. */
import type { Entry } from './ledger.ts';

/** How a debt ends, but for later earnings: its owner pays it to the marketplace's bank account, or nobody ever does. */
export const DEBT_OUTCOMES = ['paid', 'written_off'] as const;
export type DebtOutcome = (typeof DEBT_OUTCOMES)[number];

const ACCOUNTS = { paid: 'bank', written_off: 'bad_debt' } as const;

/** The entries that end a debt. */
export function debtEnded(outcome: DebtOutcome, publisherId: number, cents: number): Entry[] {
  return [
    { account: { kind: 'publisher_receivable', ownerId: publisherId }, amountCents: -cents },
    { account: { kind: ACCOUNTS[outcome], ownerId: null }, amountCents: cents },
  ];
}

/** The entries of a written-off debt whose money has come back by another way, which then settles it. */
export function debtRestored(publisherId: number, cents: number): Entry[] {
  return debtEnded('written_off', publisherId, -cents);
}
