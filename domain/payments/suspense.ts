/** The operator's decisions about money in suspense, and their entries in the ledger. */
import type { Entry } from './ledger.ts';

/** `own_money`, `provider_fee` and `written_off` say what the money is. Only a payment can be refunded. */
export const SUSPENSE_OUTCOMES = ['refunded', 'own_money', 'provider_fee', 'written_off'] as const;
export type SuspenseOutcome = (typeof SUSPENSE_OUTCOMES)[number];

export const SUSPENSE_TEXTS: Record<SuspenseOutcome, string> = {
  refunded: 'Refund it to the payer',
  own_money: 'It is the marketplace’s own money, from or to its bank account',
  provider_fee: 'It is a fee of the card provider, or the return of one',
  written_off: 'The owner is unknown: book it as a gain or loss of the marketplace',
};

const ACCOUNTS = { own_money: 'bank', provider_fee: 'processing_fees', written_off: 'bad_debt' } as const;

/** The entries that say what money in suspense is. `amountCents` is positive if it had arrived. */
export function suspenseExplained(outcome: keyof typeof ACCOUNTS, amountCents: number): Entry[] {
  return [
    { account: { kind: 'suspense', ownerId: null }, amountCents },
    { account: { kind: ACCOUNTS[outcome], ownerId: null }, amountCents: -amountCents },
  ];
}

/** The entries for a payment in suspense that becomes owed to its payer. */
export function suspenseOwed(adId: number, amountCents: number): Entry[] {
  return [
    { account: { kind: 'suspense', ownerId: null }, amountCents },
    { account: { kind: 'refund_payable', ownerId: adId }, amountCents: -amountCents },
  ];
}
