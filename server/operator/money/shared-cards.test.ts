/** One card of several people: in the sandbox each advertiser has cards of their own, so this is proven with Stripe. */
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { listHeld } from '#server/money/ledger/held.ts';
import type { Client } from '#server/testing/client.ts';
import { mailToOperator } from '#server/testing/mail/mail.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { movePayoutsTo } from '#server/testing/money/payouts.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';

const MASTERCARD = '5555555555554444';
const VISA = '4242424242424242';

const { server, stripe } = useServerWithStripe();
let seller: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
});

async function buy(from: Client, by: Client, card: string): Promise<Ad> {
  const ad = await makeApprovedAd(from, by);
  const { clientSecret } = (await beginPayment(by, ad)).body as { clientSecret: string };
  stripe.pay(clientSecret, card);
  const [paymentIntentId] = clientSecret.split('_secret_');
  expect((await by.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  return ad;
}

/** The ads whose earnings are on hold because publisher and advertiser seem to be the same person. */
async function samePerson(publisher: Client): Promise<number[]> {
  const held = await listHeld(server.ctx.db, { publisherId: publisher.user.id }, server.ctx.now());
  return held.filter(({ reason }) => reason === 'same_person').map(({ adId }) => adId);
}

const payOutTo = async (who: Client, destination: string) =>
  await movePayoutsTo(server, stripe.movePayouts, who, destination);

// Proves PYEE-06
it('holds the earnings of people who sell to themselves, and of ads paid with a card of the publisher', async () => {
  const [publisher, advertiser] = [await server.signIn('both'), await server.signIn('buyer')];
  const own = await buy(publisher, publisher, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([own.id]);
  await buy(publisher, advertiser, VISA);
  expect(await samePerson(publisher)).toEqual([own.id]);
  const theirs = await buy(publisher, advertiser, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([own.id, theirs.id]);
  const told = (await mailToOperator(server.ctx, 'money-held')).map(({ text }) => text);
  for (const { id } of [own, theirs])
    expect(told.filter((text) => text.includes(`The earnings of ad ${id} are on hold`))).toHaveLength(1);
});

// Proves PYEE-06
it('holds earlier sales when the publisher pays with a card of their advertiser, and not again once released', async () => {
  const [publisher, advertiser] = [await server.signIn('both'), await server.signIn('buyer')];
  const sold = await buy(publisher, advertiser, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([]);
  await buy(seller, publisher, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([sold.id]);
  expect(await samePerson(seller)).toEqual([]);
  await server.ctx.db
    .updateTable('holds')
    .set({ releasedAt: server.ctx.now() })
    .where('adId', '=', sold.id)
    .where('reason', '=', 'same_person')
    .execute();
  await buy(seller, publisher, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([]);

  const cards = async () =>
    await server.ctx.db
      .selectFrom('payments')
      .select('card')
      .where('userId', '=', publisher.user.id)
      .where('card', 'is not', null)
      .execute();
  expect((await cards()).every(({ card }) => !card?.includes('4444'))).toBe(true);
});

// Proves PYEE-06
it('holds earnings paid with a card of another account of the payee', async () => {
  const [publisher, second] = [await server.signIn('both'), await server.signIn('both')];
  const advertiser = await server.signIn('buyer');
  await payOutTo(publisher, 'bank of two accounts');
  await buy(seller, second, MASTERCARD);
  const sold = await buy(publisher, advertiser, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([]);
  await payOutTo(second, 'bank of two accounts');
  expect(await samePerson(publisher)).toEqual([sold.id]);
});
