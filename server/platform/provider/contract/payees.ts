import { describe, expect, it } from 'vitest';
import { TRANSFERS_INACTIVE } from '../payment-provider.ts';
import type { ProviderSuite } from './suite.ts';

export function describePayees(name: string, suite: ProviderSuite): void {
  const { key, makePaid, typesAbout } = suite;

  describe(`${name}: customers and payees`, () => {
    it('creates a customer once per key, opens the billing portal, and forgets the customer', async () => {
      const person = { email: 'ann@example.test', name: 'Ann', metadata: { user_id: '9' } };
      const again = key();
      const { id } = await suite.provider.createCustomer(person, again);
      expect(await suite.provider.createCustomer(person, again)).toEqual({ id });
      const { url } = await suite.provider.billingPortal(id, 'http://localhost:3000/settings?tab=billing');
      expect(URL.canParse(url)).toBe(true);
      await suite.provider.forgetCustomer(id);
      await suite.provider.forgetCustomer(id);
      await expect(
        suite.provider.billingPortal('cus_unknown', 'http://localhost:3000/'),
      ).rejects.toMatchObject({
        kind: 'not_found',
      });
    });

    it('pays a payee from a charge, once per key, as soon as the documents are complete', async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: { user_id: '2' } };
      const again = key();
      const payee = await suite.provider.createPayee(person, again);
      expect((await suite.provider.createPayee(person, again)).id).toBe(payee.id);
      expect(payee.transfersStatus).not.toBe('active');
      expect(payee.requirements.length).toBeGreaterThan(0);
      const link = await suite.provider.payeeLink(payee.id, {
        refresh: 'http://localhost:3000/settings?again=1',
        return: 'http://localhost:3000/settings',
      });
      expect(URL.canParse(link.url)).toBe(true);

      const { chargeId } = await makePaid();
      const transfer = {
        payeeId: payee.id,
        amount: 4000,
        currency: 'USD' as const,
        sourceChargeId: String(chargeId),
        transferGroup: 'ad_1',
        metadata: { payout_id: '1' },
      };
      await expect(suite.provider.transfer(transfer, key())).rejects.toMatchObject({
        kind: 'invalid',
        code: TRANSFERS_INACTIVE,
      });
      await suite.play.finishOnboarding(payee.id);
      expect(await suite.provider.getPayee(payee.id)).toEqual({
        id: payee.id,
        transfersStatus: 'active',
        requirements: [],
        destinations: [],
      });
      const news = (await suite.play.events()).findLast(({ type }) => type === 'account.updated');
      expect(news).toMatchObject({ objectId: payee.id, accountId: payee.id, live: false });
      const once = key();
      const sent = await suite.provider.transfer(transfer, once);
      expect(sent).toMatchObject({
        payeeId: payee.id,
        sourceChargeId: chargeId,
        amount: 4000,
        currency: 'USD',
        balanceTransaction: { type: 'transfer', sourceId: sent.id, amount: -4000, fee: 0, net: -4000 },
        reversals: [],
        metadata: { payout_id: '1' },
      });
      expect(await suite.provider.transfer(transfer, once)).toEqual(sent);
      expect(await suite.provider.getTransfer(sent.id)).toEqual(sent);
      expect(await typesAbout(sent.id)).toEqual(['transfer.created']);
      await expect(suite.provider.transfer({ ...transfer, amount: 1001 }, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      await expect(
        suite.provider.transfer({ ...transfer, sourceChargeId: 'ch_unknown' }, key()),
      ).rejects.toMatchObject({ kind: 'not_found' });

      expect(await suite.provider.closePayee(payee.id)).toBe('balance_not_zero');
      await suite.play.restrictPayee(payee.id);
      const restricted = await suite.provider.getPayee(payee.id);
      expect(restricted.transfersStatus).toBe('inactive');
      expect(restricted.requirements.length).toBeGreaterThan(0);
      await expect(suite.provider.transfer({ ...transfer, amount: 1 }, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
    });

    it('tells where a payee is paid, by the fingerprint that a card has in payments, too', async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: {} };
      const { id, destinations } = await suite.provider.createPayee(person, key());
      expect(destinations).toEqual([]);
      const { card } = await makePaid();
      await suite.play.movePayouts(id, String(card?.fingerprint));
      expect((await suite.provider.getPayee(id)).destinations).toEqual([card?.fingerprint]);
      const news = (await suite.play.events()).findLast(({ type }) => type === 'account.updated');
      expect(news).toMatchObject({ objectId: id, accountId: id });
    });

    it('closes a payee for good, also when asked twice, and does not find an unknown one', async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: {} };
      const { id } = await suite.provider.createPayee(person, key());
      expect(await suite.provider.closePayee(id)).toBe('closed');
      expect(await suite.provider.closePayee(id)).toBe('closed');
      await expect(suite.provider.getPayee('acct_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });
  });
}
