import { describe, expect, it } from 'vitest';
import type { Evidence } from '#domain/payments/evidence.ts';
import type { ProviderSuite } from './suite.ts';

const EVIDENCE: Evidence = {
  productDescription: 'Online advertising',
  customerName: 'Ann Bell',
  customerEmail: 'ann@example.test',
  serviceDate: '2026-11-22',
  activityLog: '2026-11-22 (UTC): 40 viewable impressions, 2 clicks',
  refundPolicy: 'What was not delivered is refunded.',
  cancellationPolicy: 'At any time.',
  summary: 'Approved, paid and delivered.',
};

export function describeDisputes(name: string, suite: ProviderSuite): void {
  const { key, makePaid, typesAbout } = suite;

  describe(`${name}: disputes and warnings`, () => {
    it('a dispute withdraws the money, refuses refunds, and returns the money when it is won', async () => {
      const { id, chargeId } = await makePaid();
      const disputed = await suite.play.dispute(id, 'dispute');
      const open = await suite.provider.getDispute(disputed);
      expect(open).toMatchObject({
        chargeId,
        intentId: id,
        status: 'needs_response',
        amount: 5000,
        currency: 'USD',
        dueAt: expect.any(Date),
      });
      expect(open.balanceTransactions).toMatchObject([{ amount: -5000, type: 'adjustment' }]);
      await expect(
        suite.provider.refund({ intentId: id, amount: 5000, metadata: {} }, key()),
      ).rejects.toMatchObject({ kind: 'invalid', code: 'charge_disputed' });
      await suite.play.closeDispute(disputed, 'won');
      const won = await suite.provider.getDispute(disputed);
      expect(won.status).toBe('won');
      expect(won.balanceTransactions.reduce((sum, { net }) => sum + net, 0)).toBe(0);
      expect(await typesAbout(disputed)).toEqual([
        'charge.dispute.created',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.funds_reinstated',
        'charge.dispute.closed',
      ]);
    });

    it('an inquiry moves no money', async () => {
      const { id } = await makePaid();
      const asked = await suite.provider.getDispute(await suite.play.dispute(id, 'inquiry'));
      expect(asked).toMatchObject({ status: 'warning_needs_response', balanceTransactions: [] });
    });

    it('takes evidence without and with sending it to the bank, once per key, and none afterwards', async () => {
      const { id } = await makePaid();
      const disputed = await suite.play.dispute(id, 'dispute');
      expect(await suite.provider.stageEvidence(disputed, EVIDENCE, key())).toMatchObject({
        status: 'needs_response',
        submissions: 0,
      });
      const again = key();
      const sent = await Promise.all(
        [1, 2].map(() => suite.provider.submitEvidence(disputed, EVIDENCE, again)),
      );
      expect(sent.map(({ status }) => status)).toEqual(['under_review', 'under_review']);
      expect(await suite.provider.getDispute(disputed)).toMatchObject({ submissions: 1 });
      await expect(suite.provider.submitEvidence(disputed, EVIDENCE, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      expect(await typesAbout(disputed)).toContain('charge.dispute.updated');
    });

    it('a dispute that was lost can be appealed, and its money then returns', async () => {
      const { id } = await makePaid();
      const disputed = await suite.play.dispute(id, 'dispute');
      await suite.play.closeDispute(disputed, 'lost');
      await suite.play.appeal(disputed);
      expect((await suite.provider.getDispute(disputed)).status).toBe('appeal_under_review');
      await suite.play.closeDispute(disputed, 'won');
      const { status, balanceTransactions } = await suite.provider.getDispute(disputed);
      expect([status, balanceTransactions.map(({ amount }) => amount)]).toEqual(['won', [-5000, 5000]]);
    });

    it('a review names its charge, and how it was closed', async () => {
      const { id, chargeId } = await makePaid();
      const review = await suite.play.openReview(id);
      expect(await suite.provider.getReview(review)).toEqual({
        id: review,
        chargeId,
        intentId: id,
        isOpen: true,
        closedReason: null,
      });
      await suite.play.closeReview(review);
      expect(await suite.provider.getReview(review)).toMatchObject({
        isOpen: false,
        closedReason: 'approved',
      });
      expect(await typesAbout(review)).toEqual(['review.opened', 'review.closed']);
    });

    it('a fraud warning names its charge', async () => {
      const { id, chargeId } = await makePaid();
      const warning = await suite.play.warnOfFraud(id);
      expect(await suite.provider.getFraudWarning(warning)).toMatchObject({
        id: warning,
        chargeId,
        intentId: id,
        actionable: true,
      });
      expect(await typesAbout(warning)).toEqual(['radar.early_fraud_warning.created']);
    });
  });
}
