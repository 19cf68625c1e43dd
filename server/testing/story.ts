/** The steps from a website to a paid ad as calls of the API. Each throws if its call fails. */
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone, Product, Website } from '#domain/inventory/contract.ts';
import type { Answer, Client } from './client.ts';

function expectOk(answer: Answer, what: string): Answer {
  if (answer.status >= 300) throw new Error(`${what} answered ${answer.status}: ${answer.text}`);
  return answer;
}

export async function makeWebsite(seller: Client, fields: Record<string, unknown> = {}): Promise<Website> {
  const body = { name: 'The Daily Slot', url: 'https://daily.example', category: 'Technology', ...fields };
  return expectOk(await seller.post('/api/websites', body), 'Creating a website').body;
}

export async function makeZone(
  seller: Client,
  website: Pick<Website, 'id'>,
  fields: Record<string, unknown> = {},
): Promise<AdZone> {
  const body = {
    websiteId: website.id,
    name: 'Sidebar',
    zoneType: 'rectangle',
    width: 300,
    height: 250,
    ...fields,
  };
  return expectOk(await seller.post('/api/ad-zones', body), 'Creating a zone').body;
}

export async function makeProduct(
  seller: Client,
  zone: AdZone,
  fields: Record<string, unknown> = {},
): Promise<Product> {
  const body = {
    adZoneId: zone.id,
    adType: 'text',
    price: '100.00',
    pricingModel: 'per_day',
    duration: 1,
    ...fields,
  };
  return expectOk(await seller.post('/api/ad-zone-products', body), 'Creating a pricing option').body;
}

export async function makeAd(
  buyer: Client,
  product: Product,
  fields: Record<string, unknown> = {},
): Promise<Ad> {
  const body = {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: product.adType,
    title: 'Fresh coffee, delivered',
    description: 'Beans roasted on Monday, at your door on Wednesday.',
    targetUrl: 'https://coffee.example/start',
    totalAmount: product.price,
    status: 'pending',
    ...fields,
  };
  return expectOk(await buyer.post('/api/ads', body), 'Submitting an ad').body;
}

export async function approve(seller: Client, ad: Ad): Promise<Ad> {
  return expectOk(await seller.put(`/api/ads/${ad.id}/approve`), 'Approving an ad').body;
}

/** Pays with a sandbox card that succeeds; the ad comes back active. */
export async function pay(buyer: Client, ad: Ad): Promise<Ad> {
  const { clientSecret } = expectOk(
    await buyer.post('/api/create-payment-intent', { amount: ad.totalAmount, adPublicId: ad.publicId }),
    'Creating a payment intent',
  ).body;
  const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };
  const { paymentIntentId } = expectOk(
    await buyer.post('/api/sandbox/confirm', { clientSecret, ...card }),
    'The card',
  ).body;
  return expectOk(await buyer.post('/api/payment-success', { paymentIntentId }), 'Reporting the payment').body
    .ad;
}

/** Creates a website, an ad zone, a pricing option and a paid, active ad. */
export async function makeLiveAd(
  seller: Client,
  buyer: Client,
  fields: {
    product?: Record<string, unknown>;
    ad?: Record<string, unknown>;
    website?: Record<string, unknown>;
    zone?: Record<string, unknown>;
  } = {},
): Promise<{ website: Website; zone: AdZone; product: Product; ad: Ad }> {
  const website = await makeWebsite(seller, fields.website);
  const zone = await makeZone(seller, website, fields.zone);
  const product = await makeProduct(seller, zone, fields.product);
  const ad = await makeAd(buyer, product, fields.ad);
  await approve(seller, ad);
  return { website, zone, product, ad: await pay(buyer, ad) };
}
