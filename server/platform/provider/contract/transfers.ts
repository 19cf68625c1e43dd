import { describe, expect, it } from 'vitest';
import type { BankPayout, Transfer } from '../payment-provider.ts';
import type { ProviderSuite } from './suite.ts';

export function describeTransfers(name: string, suite: ProviderSuite): void {
  const { key, makePaid, typesAbout } = suite;

  describe(`${name}: transfers`, () => {
    const makePayee = async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: { user_id: '2' } };
      const { id } = await suite.provider.createPayee(person, key());
      await suite.play.finishOnboarding(id);
      return id;
    };
    const makeTransfer = async (
      payeeId: string,
      fields: { amount?: number; transferGroup?: string } = {},
    ) => {
      const { chargeId } = await makePaid();
      return await suite.provider.transfer(
        {
          payeeId,
          amount: 4000,
          currency: 'USD',
          sourceChargeId: String(chargeId),
          transferGroup: 'ad_1',
          metadata: { transfer_key: key() },
          ...fields,
        },
        key(),
      );
    };
    const payoutsOf = async (payeeId: string) => {
      const payouts: BankPayout[] = [];
      for await (const payout of suite.provider.bankPayoutsSince(payeeId, new Date(0))) payouts.push(payout);
      return payouts;
    };

    it('are found by their group', async () => {
      const payee = await makePayee();
      const transferGroup = `ad_of_${payee}`;
      const made = [
        await makeTransfer(payee, { transferGroup }),
        await makeTransfer(payee, { transferGroup }),
        await makeTransfer(payee, { transferGroup: 'ad_other' }),
      ];
      const found: Transfer[] = [];
      for await (const transfer of suite.provider.transfersOf(transferGroup)) found.push(transfer);
      expect(found.map(({ id }) => id).toSorted()).toEqual(
        made
          .slice(0, 2)
          .map(({ id }) => id)
          .toSorted(),
      );
      expect(found.find(({ id }) => id === made[0]?.id)).toEqual(made[0]);
      await expect(suite.provider.getTransfer('tr_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });

    it('need no charge, where the marketplace pays them from its own balance', async () => {
      const payee = await makePayee();
      const transfer = {
        payeeId: payee,
        amount: 5001,
        currency: 'USD' as const,
        sourceChargeId: null,
        transferGroup: `tax_of_${payee}`,
        metadata: { transfer_key: key() },
      };
      const once = key();
      const sent = await suite.provider.transfer(transfer, once);
      expect(sent).toMatchObject({ sourceChargeId: null, amount: 5001, balanceTransaction: { net: -5001 } });
      expect(await suite.provider.transfer(transfer, once)).toEqual(sent);
      expect(await suite.provider.getTransfer(sent.id)).toEqual(sent);
    });

    it('are reversed once per key, in parts, and never by more than was sent', async () => {
      const { id, amount } = await makeTransfer(await makePayee());
      const part = { transferId: id, amount: 1000, metadata: { reversal_key: '1' } };
      const once = key();
      const taken = await suite.provider.reverse(part, once);
      expect(taken).toMatchObject({
        amount: 1000,
        metadata: { reversal_key: '1' },
        balanceTransaction: { type: 'transfer_refund', sourceId: taken.id, amount: 1000, net: 1000 },
      });
      expect(await suite.provider.reverse(part, once)).toEqual(taken);
      const rest = await suite.provider.reverse({ ...part, amount: amount - 1000 }, key());
      expect((await suite.provider.getTransfer(id)).reversals).toEqual([taken, rest]);
      await expect(suite.provider.reverse({ ...part, amount: 1 }, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      expect(await typesAbout(id)).toEqual(['transfer.created', 'transfer.reversed', 'transfer.reversed']);
    });

    it('arrive at the bank by payouts, after which they cannot be reversed', async () => {
      const payee = await makePayee();
      const { id } = await makeTransfer(payee);
      await suite.play.payBank(payee);
      const [payout, ...others] = await payoutsOf(payee);
      expect(others).toEqual([]);
      expect(payout).toMatchObject({
        status: 'paid',
        failureMessage: null,
        transferIds: [id],
        retriedIds: [],
        createdAt: expect.any(Date),
      });
      const told = (await suite.play.events()).find(({ objectId }) => objectId === payout?.id);
      expect(told).toMatchObject({ type: 'payout.paid', accountId: payee });
      const all = { transferId: id, amount: 4000, metadata: {} };
      await expect(suite.provider.reverse(all, key())).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('come back from the bank, can then be reversed, and go on with the next payout', async () => {
      const payee = await makePayee();
      const { id } = await makeTransfer(payee);
      await suite.play.payBank(payee);
      await suite.play.failBank(payee);
      const [failed] = await payoutsOf(payee);
      expect(failed).toMatchObject({
        status: 'failed',
        failureMessage: expect.any(String),
        transferIds: [id],
      });
      expect(await typesAbout(String(failed?.id))).toEqual(['payout.paid', 'payout.failed']);
      await suite.provider.reverse({ transferId: id, amount: 1000, metadata: {} }, key());
      await suite.play.mendBank(payee);
      await suite.play.payBank(payee);
      const next = (await payoutsOf(payee)).find((each) => each.id !== failed?.id);
      expect(next).toMatchObject({ status: 'paid', transferIds: [], retriedIds: [failed?.id] });
    });
  });
}
