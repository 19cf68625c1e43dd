import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disputeLost, lossOf } from './lost-disputes.ts';

const shares = fc.record({
  publisherCents: fc.integer({ min: 0, max: 1_000_000 }),
  commissionCents: fc.integer({ min: 0, max: 200_000 }),
});
const ids = { disputeId: 1, adId: 2, publisherId: 3 };

// Proves LEDG-10
describe('the loss of a dispute', () => {
  it('takes the undelivered part first, then the earnings, and the rest from the marketplace', () => {
    const deferred = { publisherCents: 4250, commissionCents: 750 };
    const earned = { publisherCents: 1700, commissionCents: 300 };
    expect(lossOf(10_000, deferred, earned)).toEqual({
      undelivered: deferred,
      borneCents: 1700,
      commissionCents: 300,
      absorbedCents: 3000,
    });
    expect(lossOf(6000, deferred, earned)).toEqual({
      undelivered: deferred,
      borneCents: 850,
      commissionCents: 150,
      absorbedCents: 0,
    });
    expect(lossOf(1000, deferred, earned).undelivered).toEqual({ publisherCents: 850, commissionCents: 150 });
  });

  it('loses and makes no cent, takes no more than there is, and balances', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        shares,
        shares,
        fc.nat(1_000_000),
        (lost, deferred, earned, payable) => {
          const loss = lossOf(lost, deferred, earned);
          const { undelivered, borneCents, commissionCents, absorbedCents } = loss;
          expect(
            undelivered.publisherCents +
              undelivered.commissionCents +
              borneCents +
              commissionCents +
              absorbedCents,
          ).toBe(lost);
          expect(undelivered.publisherCents).toBeLessThanOrEqual(deferred.publisherCents);
          expect(undelivered.commissionCents).toBeLessThanOrEqual(deferred.commissionCents);
          expect(borneCents).toBeLessThanOrEqual(earned.publisherCents);
          expect(commissionCents).toBeLessThanOrEqual(earned.commissionCents);
          expect(
            Math.min(
              absorbedCents,
              borneCents,
              commissionCents,
              undelivered.publisherCents,
              undelivered.commissionCents,
            ),
          ).toBeGreaterThanOrEqual(0);
          const entries = disputeLost(ids, loss, payable);
          expect(entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
          const fromPayable =
            entries.find(({ account }) => account.kind === 'publisher_payable')?.amountCents ?? 0;
          expect(fromPayable).toBeLessThanOrEqual(payable);
        },
      ),
    );
  });
});
