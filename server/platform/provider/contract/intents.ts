import { describe, expect, it } from 'vitest';
import { CURRENCIES, decimalOf, moneyText } from '#domain/money.ts';
import { MINIMUM_CENTS } from '#domain/payments/limits.ts';
import { type PaymentIntent, ProviderError } from '../payment-provider.ts';
import { GOOD_CARD, type ProviderSuite } from './suite.ts';

export function describeIntents(name: string, suite: ProviderSuite): void {
  const { key, ordered, makeIntent, makePaid, typesAbout } = suite;

  describe(`${name}: payment intents`, () => {
    it('are created once per key, also in parallel, and returned in their current state', async () => {
      const [order, again] = [await ordered(), key()];
      const made = await Promise.all(
        Array.from({ length: 5 }, () => suite.provider.createIntent(order, again)),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      const [intent] = made;
      expect(intent).toMatchObject({
        status: 'requires_payment',
        amount: 5000,
        amountReceived: 0,
        currency: 'USD',
        customerId: order.customerId,
        chargeId: null,
        chargedAt: null,
        card: null,
        balanceTransaction: null,
        lastError: null,
        live: false,
      });
      expect(intent?.metadata).toEqual(order.metadata);
      await suite.play.pay(String(intent?.clientSecret), GOOD_CARD);
      expect(await suite.provider.createIntent(order, again)).toMatchObject({
        id: intent?.id,
        status: 'succeeded',
        amountReceived: 5000,
      });
    });

    it('are refused when a key is reused with other parameters', async () => {
      const [order, again] = [await ordered(), key()];
      await suite.provider.createIntent(order, again);
      await expect(suite.provider.createIntent({ ...order, amount: 6000 }, again)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'idempotency_error',
      });
    });

    // Proves BOOK-12
    it.each(CURRENCIES)(
      'are refused below the least amount in %s, in words for the advertiser',
      async (currency) => {
        const least = MINIMUM_CENTS[currency];
        expect(await makeIntent({ amount: least, currency })).toMatchObject({ amount: least, currency });
        const refused = await makeIntent({ amount: least - 1, currency }).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(ProviderError);
        expect(refused).toMatchObject({ kind: 'invalid', code: 'amount_too_small' });
        expect((refused as ProviderError).userMessage).toContain(moneyText(decimalOf(least), currency));
      },
    );

    it('name the charge, its time and the card when they are paid, and later the fee', async () => {
      const paid = await makePaid();
      expect(paid).toMatchObject({
        status: 'succeeded',
        amountReceived: 5000,
        chargeId: expect.any(String),
        chargedAt: expect.any(Date),
        card: { brand: 'visa', last4: '4242', fingerprint: expect.any(String) },
        balanceTransaction: null,
        lastError: null,
      });
      await suite.play.makeFeesKnown();
      const { balanceTransaction } = await suite.provider.getIntent(paid.id);
      expect(balanceTransaction).toMatchObject({
        type: 'charge',
        sourceId: paid.chargeId,
        amount: 5000,
        fee: 175,
        net: 4825,
        currency: 'USD',
        exchangeRate: null,
        availableAt: expect.any(Date),
      });
      expect(await typesAbout(paid.id)).toContain('payment_intent.succeeded');
      expect(await typesAbout(String(paid.chargeId))).toContain('charge.updated');
    });

    it('keep the reason of a decline and the declined card, and can then be paid with another', async () => {
      const { id, clientSecret } = await makeIntent();
      await suite.play.pay(clientSecret, '4000000000009995');
      const declined = await suite.provider.getIntent(id);
      expect(declined).toMatchObject({
        status: 'requires_payment',
        chargeId: null,
        chargedAt: null,
        card: { last4: '9995' },
        lastError: {
          code: 'card_declined',
          declineCode: 'insufficient_funds',
          message: 'Your card has insufficient funds.',
        },
      });
      expect(await typesAbout(id)).toContain('payment_intent.payment_failed');
      await suite.play.pay(clientSecret, GOOD_CARD);
      const paid = await suite.provider.getIntent(id);
      expect(paid).toMatchObject({ status: 'succeeded', lastError: null, card: { last4: '4242' } });
      expect(paid.card?.fingerprint).not.toBe(declined.card?.fingerprint);
    });

    it('wait for the bank of a card with 3-D Secure', async () => {
      const { id, clientSecret } = await makeIntent();
      await suite.play.pay(clientSecret, '4000000000003220');
      expect(await suite.provider.getIntent(id)).toMatchObject({ status: 'requires_action', chargeId: null });
      await suite.play.authenticate(clientSecret, 'fail');
      expect(await suite.provider.getIntent(id)).toMatchObject({
        status: 'requires_payment',
        lastError: { code: 'payment_intent_authentication_failure' },
      });
      await suite.play.pay(clientSecret, '4000000000003220');
      await suite.play.authenticate(clientSecret, 'complete');
      expect(await suite.provider.getIntent(id)).toMatchObject({ status: 'succeeded', amountReceived: 5000 });
    });

    it('take no card after cancellation, can be canceled twice, and not once they are paid', async () => {
      const { id, clientSecret } = await makeIntent();
      expect(await suite.provider.cancelIntent(id)).toMatchObject({ id, status: 'canceled' });
      expect(await suite.provider.cancelIntent(id)).toMatchObject({ id, status: 'canceled' });
      await suite.play.pay(clientSecret, GOOD_CARD).catch(() => {});
      expect(await suite.provider.getIntent(id)).toMatchObject({ status: 'canceled', amountReceived: 0 });
      expect(await typesAbout(id)).toContain('payment_intent.canceled');
      await expect(suite.provider.cancelIntent((await makePaid()).id)).rejects.toMatchObject({
        kind: 'conflict',
      });
    });

    it('are listed from an instant on, newest first, with our ids', async () => {
      const since = new Date((await makeIntent()).createdAt.getTime());
      const later = await makeIntent({ metadata: { payment_id: 'found' } });
      const found: PaymentIntent[] = [];
      for await (const intent of suite.provider.intentsSince(since)) found.push(intent);
      const at = (id: string) => found.findIndex((intent) => intent.id === id);
      expect(found[at(later.id)]?.metadata).toEqual({ payment_id: 'found' });
      expect(
        found.every((intent, index) => +intent.createdAt <= +(found[index - 1]?.createdAt ?? Infinity)),
      ).toBe(true);
      expect(found.every(({ createdAt }) => createdAt >= new Date(Math.floor(+since / 1000) * 1000))).toBe(
        true,
      );
    });

    it('are not found by an id that the provider does not know', async () => {
      await expect(suite.provider.getIntent('pi_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });
  });
}
