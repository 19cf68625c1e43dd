import { describe, expect, it } from 'vitest';
import type { ProviderSuite } from './suite.ts';

export function describeBalance(name: string, suite: ProviderSuite): void {
  const { key, makePaid } = suite;

  describe(`${name}: events`, () => {
    it('carry our ids, so that an object is found whose id we never learned', async () => {
      const paid = await makePaid({ metadata: { payment_id: 'lost answer' } });
      const event = (await suite.play.events()).find(
        ({ type, objectId }) => type === 'payment_intent.succeeded' && objectId === paid.id,
      );
      expect(event).toMatchObject({
        metadata: { payment_id: 'lost answer' },
        accountId: null,
        live: false,
        createdAt: expect.any(Date),
      });
    });
  });

  describe(`${name}: the balance`, () => {
    it('lists every movement, and net is the amount without the fee', async () => {
      const paid = await makePaid();
      await suite.play.makeFeesKnown();
      const refund = await suite.provider.refund({ intentId: paid.id, amount: 100, metadata: {} }, key());
      const moved = [];
      for await (const one of suite.provider.balanceTransactionsSince(new Date(+paid.createdAt - 1000)))
        moved.push(one);
      const sources = moved.map(({ sourceId }) => sourceId);
      expect(sources).toContain(paid.chargeId);
      expect(sources).toContain(refund.id);
      expect(moved.every(({ amount, fee, net }) => amount - fee === net)).toBe(true);
    });
  });
}
