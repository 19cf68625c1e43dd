/** The single steps of a payment, for tests that stop between them. */
import type { Ad } from '#domain/ads/contract.ts';
import type { Context } from '#server/platform/context.ts';
import { type PaymentProvider, ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { Answer, Client } from '../client.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '../story.ts';

export const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };

/** An approved ad on a new website and ad zone. */
export async function makeApprovedAd(
  seller: Client,
  buyer: Client,
  fields: {
    product?: Record<string, unknown>;
    ad?: Record<string, unknown>;
    website?: Record<string, unknown>;
  } = {},
): Promise<Ad> {
  const zone = await makeZone(seller, await makeWebsite(seller, fields.website));
  return await approve(
    seller,
    await makeAd(buyer, await makeProduct(seller, zone, fields.product), fields.ad),
  );
}

export async function beginPayment(buyer: Client, ad: Ad, amount: unknown = ad.totalAmount): Promise<Answer> {
  return await buyer.post('/api/create-payment-intent', { amount, adPublicId: ad.publicId });
}

/** Starts the payment and confirms it with a card. The browser would report the `paymentIntentId` to the server. */
export async function payByCard(
  buyer: Client,
  ad: Ad,
  card: Record<string, unknown> = {},
): Promise<{ clientSecret: string; paymentIntentId: string; answer: Answer }> {
  const { clientSecret } = (await beginPayment(buyer, ad)).body as { clientSecret: string };
  const answer = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD, ...card });
  return { clientSecret, paymentIntentId: clientSecret.split('_secret_')[0] as string, answer };
}

/** Runs `work` while `changes` replaces some calls of the provider, such as with a network error or a wrong answer. */
export async function withProvider<T>(
  ctx: Context,
  changes: (real: PaymentProvider) => Partial<PaymentProvider>,
  work: () => Promise<T>,
): Promise<T> {
  const real = ctx.payments;
  ctx.payments = { ...real, ...changes(real) };
  try {
    return await work();
  } finally {
    ctx.payments = real;
  }
}

/** The call of the provider does its work, and then its answer is lost. */
export const losesAnswer =
  <Given extends unknown[]>(call: (...given: Given) => Promise<unknown>) =>
  async (...given: Given): Promise<never> => {
    await call(...given);
    return await outOfReach();
  };

export const outOfReach = (): Promise<never> =>
  Promise.reject(new ProviderError('unavailable', 'socket hang up'));

export const refused = (): Promise<never> => Promise.reject(new ProviderError('invalid', 'Refused'));
