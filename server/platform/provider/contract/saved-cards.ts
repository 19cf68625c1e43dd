import { describe, expect, it } from 'vitest';
import { AUTHENTICATION_REQUIRED, type PaymentIntent } from '../payment-provider.ts';
import { GOOD_CARD, type ProviderSuite } from './suite.ts';

const DECLINED_LATER = '4000000000000341';
const ALWAYS_CHALLENGED = '4000002760003184';
const RETURN_URL = 'https://market.example/checkout/1';

export function describeSavedCards(name: string, suite: ProviderSuite): void {
  const { key, makeCustomer, makeSavedCard, ordered } = suite;

  const intentOf = async (customerId: string): Promise<PaymentIntent> =>
    await suite.provider.createIntent({ ...(await ordered()), customerId }, key());
  const chargeWith = async (number: string, under = key()) => {
    const { customerId, cardId } = await makeSavedCard(number);
    const { id } = await intentOf(customerId);
    const charge = { intentId: id, cardId, returnUrl: RETURN_URL };
    return { charge, intent: await suite.provider.chargeSaved(charge, under) };
  };

  describe(`${name}: saved cards`, () => {
    it('are set up once per key, and show the card once it is saved', async () => {
      const [order, again] = [{ customerId: await makeCustomer(), metadata: { consent_id: '1' } }, key()];
      const { id, clientSecret } = await suite.provider.createSetup(order, again);
      expect(await suite.provider.createSetup(order, again)).toMatchObject({ id, clientSecret });
      expect(await suite.provider.getSetup(id)).toMatchObject({
        status: 'requires_card',
        customerId: order.customerId,
        card: null,
        metadata: order.metadata,
      });
      await suite.play.saveCard(clientSecret, '4000000000000002');
      expect(await suite.provider.getSetup(id)).toMatchObject({ status: 'requires_card', card: null });
      await suite.play.saveCard(clientSecret, GOOD_CARD);
      expect(await suite.provider.getSetup(id)).toMatchObject({
        status: 'succeeded',
        card: {
          id: expect.any(String),
          brand: 'visa',
          last4: '4242',
          expMonth: 12,
          expYear: 2040,
          fingerprint: expect.any(String),
        },
      });
    });

    it('wait for the bank of a card with 3-D Secure', async () => {
      const customerId = await makeCustomer();
      const { id, clientSecret } = await suite.provider.createSetup({ customerId, metadata: {} }, key());
      await suite.play.saveCard(clientSecret, ALWAYS_CHALLENGED);
      expect(await suite.provider.getSetup(id)).toMatchObject({ status: 'requires_action', card: null });
      await suite.play.authenticateSetup(clientSecret, 'fail');
      expect(await suite.provider.getSetup(id)).toMatchObject({ status: 'requires_card', card: null });
      await suite.play.saveCard(clientSecret, ALWAYS_CHALLENGED);
      await suite.play.authenticateSetup(clientSecret, 'complete');
      expect(await suite.provider.getSetup(id)).toMatchObject({
        status: 'succeeded',
        card: { last4: '3184' },
      });
    });

    it('are charged without their owner, once per key, also in parallel', async () => {
      const again = key();
      const { charge, intent } = await chargeWith(GOOD_CARD, again);
      expect(intent).toMatchObject({ status: 'succeeded', amountReceived: 5000, card: { last4: '4242' } });
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => suite.provider.chargeSaved(charge, again)),
      );
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 'succeeded', chargeId: intent.chargeId });
      expect(await suite.provider.chargeSaved(charge, key())).toMatchObject({ chargeId: intent.chargeId });
    });

    it('may be declined later, and the intent can then be paid in the browser', async () => {
      const again = key();
      const { charge, intent } = await chargeWith(DECLINED_LATER, again);
      const declined = { status: 'requires_payment', lastError: { code: 'card_declined' }, chargeId: null };
      expect(intent).toMatchObject(declined);
      expect(await suite.provider.chargeSaved(charge, again)).toMatchObject(declined);
      await suite.play.pay(intent.clientSecret, GOOD_CARD);
      expect(await suite.provider.getIntent(intent.id)).toMatchObject({ status: 'succeeded' });
    });

    it('may need their owner at every charge', async () => {
      const { intent } = await chargeWith(ALWAYS_CHALLENGED);
      expect(intent).toMatchObject({
        status: 'requires_payment',
        lastError: { code: AUTHENTICATION_REQUIRED },
        chargeId: null,
      });
    });

    it('ask their owner who is there, instead of a decline', async () => {
      const { customerId, cardId } = await makeSavedCard(ALWAYS_CHALLENGED);
      const { id, clientSecret } = await intentOf(customerId);
      const charge = { intentId: id, cardId, returnUrl: RETURN_URL, isPresent: true };
      expect(await suite.provider.chargeSaved(charge, key())).toMatchObject({ status: 'requires_action' });
      await suite.play.authenticate(clientSecret, 'complete');
      expect(await suite.provider.getIntent(id)).toMatchObject({ status: 'succeeded' });
    });

    it('charge neither a canceled intent, nor for another customer, nor after they are forgotten', async () => {
      const { customerId, cardId } = await makeSavedCard(GOOD_CARD);
      const canceled = await intentOf(customerId);
      await suite.provider.cancelIntent(canceled.id);
      const charge = (intentId: string) =>
        suite.provider.chargeSaved({ intentId, cardId, returnUrl: RETURN_URL }, key());
      expect(await charge(canceled.id)).toMatchObject({ status: 'canceled', amountReceived: 0 });
      const others = await intentOf(await makeCustomer());
      await expect(charge(others.id)).rejects.toMatchObject({ kind: 'invalid' });
      await suite.provider.forgetCard(cardId);
      await suite.provider.forgetCard(cardId);
      await suite.provider.forgetCard('pm_unknown');
      await expect(charge((await intentOf(customerId)).id)).rejects.toMatchObject({ kind: 'invalid' });
    });
  });
}
