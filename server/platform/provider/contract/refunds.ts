import { describe, expect, it } from 'vitest';
import type { ProviderSuite } from './suite.ts';

export function describeRefunds(name: string, suite: ProviderSuite): void {
  const { key, makeIntent, makePaid, typesAbout } = suite;

  describe(`${name}: refunds`, () => {
    const refundOf = (intentId: string, amount: number) => ({
      intentId,
      amount,
      metadata: { refund_id: '1' },
    });

    it('happen once per key, never exceed the payment, and can be listed', async () => {
      const { id } = await makePaid();
      const again = key();
      const sent = await Promise.all([1, 2, 3].map(() => suite.provider.refund(refundOf(id, 3000), again)));
      expect(new Set(sent.map((one) => one.id)).size).toBe(1);
      expect(sent[0]).toMatchObject({
        intentId: id,
        status: 'succeeded',
        amount: 3000,
        currency: 'USD',
        metadata: { refund_id: '1' },
        failureReason: null,
        balanceTransaction: { type: 'refund', amount: -3000, net: -3000, fee: 0 },
        failureBalanceTransaction: null,
      });
      await expect(suite.provider.refund(refundOf(id, 2001), key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      const rest = await suite.provider.refund(refundOf(id, 2000), key());
      await expect(suite.provider.refund(refundOf(id, 1), key())).rejects.toMatchObject({
        kind: 'invalid',
        code: 'charge_already_refunded',
      });
      const listed = [];
      for await (const refund of suite.provider.refundsOf(id)) listed.push(refund.id);
      expect(listed.toSorted()).toEqual([String(sent[0]?.id), rest.id].toSorted());
      expect(await typesAbout(rest.id)).toContain('refund.created');
    });

    it('can be made outside, without our metadata, and are then listed, told and counted like ours', async () => {
      const { id } = await makePaid();
      const ours = await suite.provider.refund(refundOf(id, 1000), key());
      const outside = await suite.play.refundOutside(id, 3500);
      const made = await suite.provider.getRefund(outside);
      expect(made).toMatchObject({
        intentId: id,
        status: 'succeeded',
        amount: 3500,
        currency: 'USD',
        metadata: {},
      });
      expect(made.balanceTransaction).toMatchObject({ type: 'refund', sourceId: outside, amount: -3500 });
      const listed = [];
      for await (const refund of suite.provider.refundsOf(id)) listed.push(refund.id);
      expect(listed.toSorted()).toEqual([ours.id, outside].toSorted());
      expect(await typesAbout(outside)).toContain('refund.created');
      await expect(suite.provider.refund(refundOf(id, 501), key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      await suite.play.refundOutside(id, 500);
      await expect(suite.provider.refund(refundOf(id, 1), key())).rejects.toMatchObject({
        code: 'charge_already_refunded',
      });
    });

    it('are refused for an unpaid intent', async () => {
      const { id } = await makeIntent();
      await expect(suite.provider.refund(refundOf(id, 1), key())).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('can stay pending, and then succeed', async () => {
      const { id } = await makePaid();
      await suite.play.holdRefunds(true);
      const again = key();
      const pending = await suite.provider.refund(refundOf(id, 1000), again);
      await suite.play.holdRefunds(false);
      expect(pending).toMatchObject({ status: 'pending', balanceTransaction: null });
      await suite.play.settleRefund(pending.id, 'succeeded');
      const settled = { id: pending.id, status: 'succeeded', balanceTransaction: { amount: -1000 } };
      expect(await suite.provider.getRefund(pending.id)).toMatchObject(settled);
      expect(await suite.provider.refund(refundOf(id, 1000), again)).toMatchObject(settled);
    });

    it('can fail after they succeeded, which brings the money back and lets it be refunded again', async () => {
      const { id } = await makePaid();
      const { id: failed } = await suite.provider.refund(refundOf(id, 5000), key());
      await suite.play.settleRefund(failed, 'failed');
      expect(await suite.provider.getRefund(failed)).toMatchObject({
        status: 'failed',
        failureReason: expect.any(String),
        balanceTransaction: { amount: -5000 },
        failureBalanceTransaction: { type: 'refund_failure', amount: 5000 },
      });
      expect(await typesAbout(failed)).toContain('refund.failed');
      expect(await suite.provider.refund(refundOf(id, 5000), key())).toMatchObject({ status: 'succeeded' });
    });
  });
}
