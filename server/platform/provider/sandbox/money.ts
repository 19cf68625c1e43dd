/** The balance of the sandbox: each movement is a balance transaction, as at a real provider. */
import { type Currency, divideHalfUp } from '#domain/money.ts';
import { MINIMUM_CENTS } from '#domain/payments/limits.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '../../database/database.ts';
import { type BalanceTransaction, type Cents, ProviderError } from '../payment-provider.ts';
import { addObject, newId } from './objects.ts';

/** Throws 'invalid', in words for the advertiser. */
export function requireLeast(amount: Cents, currency: Currency): void {
  if (amount >= MINIMUM_CENTS[currency]) return;
  const least = new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    MINIMUM_CENTS[currency] / 100,
  );
  const message = `The amount must be at least ${least}. Choose another pricing option.`;
  throw new ProviderError('invalid', message, { code: 'amount_too_small', userMessage: message });
}

/** The provider's fee of a charge: 2.9 % and 0.30 in the currency of the marketplace. */
export function chargeFee(amount: Cents): Cents {
  return divideHalfUp(amount * 29, 1000) + 30;
}

/** The fee of each dispute. It is returned if the dispute is won. */
export const DISPUTE_FEE: Cents = 1500;

/** Money that arrives is available two days later. */
const AVAILABLE_AFTER_MS = 2 * DAY_MS;

/** Adds a movement of the balance. A positive amount arrives, a negative one leaves. */
export async function moveBalance(
  tx: Tx,
  movement: { type: string; sourceId: string; amount: Cents; fee?: Cents; currency: string },
  now: Date,
): Promise<BalanceTransaction> {
  const { fee = 0, ...given } = movement;
  const id = newId('txn');
  const data: BalanceTransaction = {
    id,
    ...given,
    fee,
    net: given.amount - fee,
    exchangeRate: null,
    createdAt: now,
    availableAt: given.type === 'charge' ? later(now, AVAILABLE_AFTER_MS) : now,
  };
  return await addObject(tx, { kind: 'txn', id, parent: given.sourceId, data }, now);
}
