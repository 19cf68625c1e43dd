import fc from 'fast-check';
import { expect, it } from 'vitest';
import { adPaid, orphanPaid } from './ledger.ts';
import { movedBy } from './refunds.ts';
import { splitPrice } from './split.ts';

const MAX_CENTS = 9_999_999_999;
const price = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: MAX_CENTS }));
const taken = (cents: number) => ({ net: -cents, fee: 0, amount: -cents });
const sum = (entries: { amountCents: number }[]) =>
  entries.reduce((total, { amountCents }) => total + amountCents, 0);

// Proves LEDG-04, LEDG-01
it('balances the entries of an ad for every price, without entries of zero', () => {
  fc.assert(
    fc.property(price, (amountCents) => {
      const { commissionCents } = splitPrice(amountCents, 15);
      for (const entries of [
        adPaid({ id: 1, amountCents, commissionCents }),
        orphanPaid(1, amountCents),
        movedBy(taken(amountCents), { kind: 'refund_payable', ownerId: 1 }),
      ]) {
        expect(sum(entries)).toBe(0);
        expect(
          entries.every((entry) => entry.amountCents !== 0 && Number.isSafeInteger(entry.amountCents)),
        ).toBe(true);
      }
    }),
  );
});

// Proves LEDG-01
it('splits 100.00 into 85.00 owed to the publisher and 15.00 of commission', () => {
  expect(adPaid({ id: 7, amountCents: 10_000, commissionCents: 1500 })).toEqual([
    { account: { kind: 'provider_clearing', ownerId: null }, amountCents: 10_000 },
    { account: { kind: 'deferred_publisher', ownerId: 7 }, amountCents: -8500 },
    { account: { kind: 'deferred_commission', ownerId: 7 }, amountCents: -1500 },
  ]);
});

// Proves HOOK-05
it('leaves no balance after a late payment has been refunded', () => {
  const left = new Map<string, number>();
  for (const { account, amountCents } of [
    ...orphanPaid(7, 4999),
    ...movedBy(taken(4999), { kind: 'refund_payable', ownerId: 7 }),
  ]) {
    left.set(account.kind, (left.get(account.kind) ?? 0) + amountCents);
  }
  expect(left.get('refund_payable')).toBe(0);
});
