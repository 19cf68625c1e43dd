/**
 * The list 'Who may call what' of docs/requirements.md: every call of the specification for every kind of caller. It
 * does not read how routes are declared, so that it finds a wrong declaration. [OP-038]
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '#domain/accounts/roles.ts';
import { addPasskey, TestPasskey } from '#server/testing/accounts/passkeys.ts';
import { png } from '#server/testing/pictures.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';
import type { Client } from '#server/testing/client.ts';

/**
 * Only `seller` and `buyer` own objects of the story. They come last, because their calls change these objects. `none`
 * has no stored role, which counts as both.
 */
const CALLERS = ['visitor', 'otherBuyer', 'otherSeller', 'both', 'none', 'seller', 'buyer'] as const;
type Caller = (typeof CALLERS)[number];
type Statuses = Record<Caller, number>;

let callers: Record<Caller, Client>;
/** The objects that the calls below name in braces. The seller owns the zone, the buyer owns the ads. */
let story: Record<string, string | number>;

// Passkeys do not work on an IP address.
const server = useOwnServer({ host: 'localhost' });
beforeAll(async () => {
  callers = {
    visitor: server.anyone(),
    otherBuyer: await server.signIn('buyer'),
    otherSeller: await server.signIn('seller'),
    both: await server.signIn('both'),
    none: await server.signIn('both'),
    seller: await server.signIn('seller'),
    buyer: await server.signIn('buyer'),
  };
  const { none, seller, buyer } = callers;
  await server.ctx.db.updateTable('users').set({ role: null }).where('id', '=', none.user.id).execute();
  story = await makeStory(seller, buyer);
});

async function makeStory(seller: Client, buyer: Client): Promise<typeof story> {
  const website = await makeWebsite(seller);
  const zone = await makeZone(seller, website);
  const product = await makeProduct(seller, zone);
  const ads = {
    pending: await makeAd(buyer, product),
    good: await makeAd(buyer, product),
    bad: await makeAd(buyer, product),
    rejected: await makeAd(buyer, product),
    approved: await approve(seller, await makeAd(buyer, product)),
    paid: await approve(seller, await makeAd(buyer, product)),
  };
  await seller.put(`/api/ads/${ads.rejected.id}/reject`, { rejectionReason: 'Too loud' });
  const free = await makeZone(seller, website, { name: 'Free' });
  const image = await upload(buyer);
  const { id: passkey } = await addPasskey(buyer, 'Phone');
  return {
    passkey,
    website: website.id,
    websiteUuid: website.publicId,
    zone: zone.id,
    zoneUuid: zone.publicId,
    free: free.id,
    product: product.id,
    unknown: '00000000-0000-4000-8000-000000000000',
    image,
    paymentIntent: await confirmCard(buyer, ads.paid),
    consent: (await buyer.post('/api/payment-consents', { limit: '100.00', ads: [ads.pending.id] })).body.id,
    ...Object.fromEntries(
      Object.entries(ads).flatMap(([name, { id, publicId }]) => [
        [name, id],
        [`${name}Uuid`, publicId],
      ]),
    ),
  };
}

/** Confirms the payment at the provider, and does not report it to the server. */
async function confirmCard(buyer: Client, ad: { publicId: string; totalAmount: string }): Promise<string> {
  const claim = { amount: ad.totalAmount, adPublicId: ad.publicId };
  const { clientSecret } = (await buyer.post('/api/create-payment-intent', claim)).body;
  const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };
  return (await buyer.post('/api/sandbox/confirm', { clientSecret, ...card })).body.paymentIntentId;
}

const all = (status: number): Statuses =>
  Object.fromEntries(CALLERS.map((caller) => [caller, status])) as Statuses;
const signedIn = (status = 200): Statuses => ({ ...all(status), visitor: 401 });
const buyers = (status: number): Statuses => ({ ...signedIn(status), otherSeller: 403, seller: 403 });
const sellers = (status: number): Statuses => ({ ...signedIn(status), otherBuyer: 403, buyer: 403 });
/** Only the owner succeeds. Any other caller with the role gets 404. */
const adOwner = (status = 200): Statuses => ({ ...buyers(404), buyer: status });
const publisher = (status = 200): Statuses => ({ ...sellers(404), seller: status });

/** Replaces '{name}' by the value from the story. A string that is only '{name}' becomes a value of its own type. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => filled(part));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part)]));
  }
  if (typeof value !== 'string') return value;
  const only = /^\{(\w+)\}$/.exec(value)?.[1];
  if (only) return story[only];
  return value.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(story[name]));
}

const NEW_AD = {
  adZoneId: '{zone}',
  productId: '{product}',
  adType: 'text',
  title: 'T',
  description: 'D',
  targetUrl: 'https://a.test',
};
const NEW_PLAN = {
  requestId: '5f0c2d3e-8f64-4f0e-9d3b-0e6a3a9b6c11',
  name: 'P',
  creative: { adType: 'text', title: 'T', description: 'D', targetUrl: 'https://a.test' },
  placements: [{ adZoneId: '{zone}', productId: '{product}' }],
};
const NEW_WEBSITE = { name: 'W', url: 'https://w.test', category: 'Food' };
const NEW_ZONE = { name: 'Z', websiteId: '{website}', zoneType: 'banner', width: 728, height: 90 };
const NEW_PRODUCT = { adZoneId: '{zone}', adType: 'image', price: '5', pricingModel: 'per_day' };
const HOUSE_AD = { title: 'T', description: 'D', targetUrl: 'https://own.test' };
const OWN_IMAGE = { imagePath: '{image}', filename: 'a.png', fileSize: 1 };
/** A passkey that no account has. */
const NOBODY = new TestPasskey('http://localhost');
const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };
const CLAIM = { amount: '100.00', adPublicId: '{approvedUuid}' };

const TABLE: [call: string, statuses: Statuses, body?: object][] = [
  ['GET /api/auth/user', signedIn()],
  ['GET /api/user/settings', signedIn()],
  ['PATCH /api/user/settings', signedIn(), { currency: 'EUR' }],
  ['PATCH /api/user/profile', signedIn(), { firstName: 'Ann' }],
  ['POST /api/user/export-data', signedIn()],
  ['GET /api/user/billing', signedIn()],
  ['GET /api/user/confirmed', signedIn()],
  ['POST /api/user/reauthenticate', signedIn(), { password: PASSWORD }],
  ['POST /api/user/password', signedIn(), { currentPassword: PASSWORD, newPassword: PASSWORD }],
  ['GET /api/user/security-events', signedIn()],
  ['GET /api/user/operator-acts', signedIn()],
  ['POST /api/account/end-view', signedIn()],
  ['GET /api/user/second-factor', signedIn()],
  ['POST /api/user/second-factor', signedIn(400), { password: 'not this one' }],
  ['POST /api/user/second-factor/confirm', signedIn(409), { code: '123456' }],
  ['POST /api/user/second-factor/recovery-codes', signedIn(403), { password: PASSWORD, code: '123456' }],
  ['POST /api/user/second-factor/remove', signedIn(403), { password: PASSWORD, code: '123456' }],
  // The buyer has paid, so the payment provider has a customer record for them.
  ['GET /api/billing/portal', { ...signedIn(), buyer: 303 }],
  ['GET /api/analytics/earnings', signedIn()],
  ['GET /api/analytics/active-ad-zones', signedIn()],
  ['GET /api/getting-started', signedIn()],
  ['GET /api/analytics/spending', signedIn()],
  ['GET /api/ads/my', signedIn()],
  ['GET /api/ads/my/counts', signedIn()],
  ['GET /api/ads/pending', signedIn()],
  ['GET /api/ads/{pending}/details', { ...signedIn(404), seller: 200, buyer: 200 }],
  ['GET /api/ads/{pendingUuid}', { ...signedIn(404), buyer: 200 }],
  ['GET /api/ads/{pendingUuid}/showing', { ...signedIn(404), buyer: 200 }],
  ['GET /api/ads/{pendingUuid}/days', { ...signedIn(404), seller: 200, buyer: 200 }],
  ['GET /api/ads/{pendingUuid}/times', { ...signedIn(404), buyer: 200 }],
  // A pending ad without a chosen day has no start yet.
  ['GET /api/ads/{pendingUuid}/calendar.ics', signedIn(404)],
  ['GET /api/ads/{pendingUuid}/landings', { ...signedIn(404), buyer: 200 }],
  ['GET /api/ads/{pendingUuid}/results', { ...signedIn(404), buyer: 200 }],
  ['GET /api/ads/{pendingUuid}/variants', { ...signedIn(404), buyer: 200 }],
  // Only a paid campaign gets a second creative.
  [
    'POST /api/ads/{pendingUuid}/variants',
    adOwner(409),
    { title: 'Second', description: 'Another.', targetUrl: 'https://coffee.example' },
  ],
  ['DELETE /api/ads/{pendingUuid}/variants/{unknown}', buyers(404)],
  ['GET /api/ads/{pendingUuid}/report-links', { ...signedIn(404), buyer: 200 }],
  ['POST /api/ads/{pendingUuid}/report-links', { ...signedIn(404), buyer: 201 }, {}],
  ['GET /api/plans/{unknown}/report-links', signedIn(404)],
  ['POST /api/plans/{unknown}/report-links', signedIn(404), {}],
  ['DELETE /api/report-links/999', signedIn(404)],
  ['GET /reports/{unknown}', all(404)],
  ['PUT /api/ads/{pending}/landings', { ...signedIn(404), buyer: 200 }, { enabled: true }],
  ['GET /api/ad-zones/{zoneUuid}/showing', { ...signedIn(404), seller: 200 }],
  ['GET /api/analytics/results?side=seller&zone={zoneUuid}', { ...signedIn(404), seller: 200 }],
  ['GET /api/analytics/zones?from=2026-01-01&to=2026-01-02', signedIn()],
  ['GET /api/analytics/advertisers', signedIn()],
  ['GET /api/analytics/hours-without-tag?from=2026-01-01&to=2026-01-02', signedIn()],
  ['GET /api/analytics/agents?from=2026-01-01&to=2026-01-02', signedIn()],
  ['GET /api/analytics/price-trials', signedIn()],
  ['GET /api/analytics/placement-changes', signedIn()],
  ['GET /api/analytics/places', signedIn()],
  ['GET /api/analytics/pages?zone={zoneUuid}', { ...signedIn(404), seller: 200 }],
  ['GET /api/ads/{pendingUuid}/placement', { ...signedIn(404), buyer: 200 }],
  [
    'GET /api/analytics/two-counts?from=2026-01-01&to=2026-01-02&website={websiteUuid}',
    { ...signedIn(404), seller: 200 },
  ],
  ['GET /api/ads/{pendingUuid}/availability', { ...signedIn(404), buyer: 200, seller: 200 }],
  ['GET /api/ads/{pendingUuid}/similar-zones', { ...signedIn(404), buyer: 200 }],
  ['GET /api/ad-zones/{zoneUuid}/availability?product={product}', signedIn()],
  ['GET /api/ad-zones/{zoneUuid}/audience', signedIn()],
  ['GET /api/faults', sellers(200)],
  ['PATCH /api/faults/2147483647', sellers(404), { isExpected: true }],
  ['POST /api/ad-zones/{zoneUuid}/watch', { ...signedIn(404), seller: 200 }, { from: null }],
  // Not paid yet.
  ['GET /api/documents', signedIn()],
  ['GET /api/documents/R-2026-999999', signedIn(404)],
  ['GET /api/documents/R-2026-999999.pdf', signedIn(404)],
  ['GET /api/documents/R-2026-999999.xml', signedIn(404)],
  ['GET /api/documents/R-2026-999999/proof', signedIn(404)],
  ['GET /api/statements/2026-01', signedIn()],
  ['GET /api/statements/2026-01.csv', signedIn()],
  // No root has been signed yet.
  ['GET /.well-known/openslot-ledger', all(404)],
  ['GET /api/marketplace', all(200)],
  ['GET /pages/terms', all(404)],
  ['GET /operator-invitation?token=x', all(404)],
  ['POST /operator-invitation?token=x', signedIn(404), {}],
  // It needs METRICS_TOKEN, and then its token: server/operations/metrics/metrics.test.ts.
  ['GET /metrics', all(404)],
  ['GET /api/ads/{pending}/price', { ...signedIn(404), seller: 200, buyer: 200 }],
  ['GET /api/ads/{pending}/ledger', { ...signedIn(404), seller: 409, buyer: 409 }],
  ['PATCH /api/ads/{approved}', adOwner(409), { title: 'T' }],
  ['POST /api/ads/{paidUuid}/withdraw', { ...signedIn(404), buyer: 409 }],
  ['GET /api/trusted-advertisers', signedIn()],
  ['GET /api/blocked-advertisers', signedIn()],
  ['GET /api/conversion-key', signedIn()],
  ['DELETE /api/conversion-key', signedIn(404)],
  ['POST /api/conversion-key', buyers(201)],
  ['POST /api/blocked-advertisers', publisher(404), { ad: 999_999 }],
  ['DELETE /api/blocked-advertisers/999', signedIn(404)],
  ['DELETE /api/trusted-advertisers/999', signedIn(404)],
  ['PUT /api/ads/{good}/approve', publisher()],
  ['PUT /api/ads/{bad}/reject', publisher(), { rejectionReason: 'Too loud' }],
  ['PUT /api/ads/{approved}/approve', publisher(409)],
  ['PUT /api/ads/{approved}/reject', publisher(409), { rejectionReason: 'Too late' }],
  ['PUT /api/ads/{approved}/target/confirm', publisher(409), { host: 'a.test' }],
  ['PUT /api/ads/{approved}/target/refuse', publisher(409)],
  ['PUT /api/ads/{pending}', adOwner(409), { title: 'T', description: 'D', targetUrl: 'https://a.test' }],
  ['PUT /api/ads/{rejected}', adOwner(), { title: 'T', description: 'D', targetUrl: 'https://a.test' }],
  ['POST /api/ads', buyers(201), NEW_AD],
  ['GET /api/plans', signedIn()],
  ['GET /api/plans/choices?refs={zoneUuid}', signedIn()],
  ['GET /api/plans/{unknown}', signedIn(404)],
  ['POST /api/plans', buyers(201), NEW_PLAN],
  ['POST /api/ad-images/upload', signedIn()],
  ['GET /api/media-library', signedIn()],
  ['POST /api/media-library', { ...signedIn(404), buyer: 201 }, OWN_IMAGE],
  ['GET {image}', all(200)],
  ['GET /api/websites', signedIn()],
  ['GET /api/websites/my', signedIn()],
  ['GET /api/websites/{websiteUuid}/ad-zones', signedIn()],
  ['GET /api/websites/{websiteUuid}/ads-txt', publisher()],
  ['GET /api/websites/{websiteUuid}/verification', publisher()],
  ['POST /api/websites/{websiteUuid}/verification', publisher()],
  ['GET /api/ad-zones/{zoneUuid}/products', signedIn()],
  ['GET /api/ad-zones/overview', signedIn()],
  ['GET /api/ad-zones/{zoneUuid}/price-suggestion', publisher()],
  ['POST /api/websites', sellers(201), NEW_WEBSITE],
  ['POST /api/ad-zones', publisher(201), NEW_ZONE],
  ['POST /api/ad-zone-products', publisher(201), NEW_PRODUCT],
  ['GET /api/ad-zones/{zoneUuid}/calendar', all(200)],
  ['GET /api/ad-zones/{zoneUuid}/calendar.ics', all(200)],
  ['GET /api/ad-zones/{unknown}/calendar', all(404)],
  // The zone has no slots, so there is nothing to wait for.
  [
    'POST /api/ad-zones/{zone}/waiting-list',
    buyers(400),
    { productId: '{product}', startDate: '2026-12-01' },
  ],
  ['GET /api/waiting-list', signedIn()],
  ['DELETE /api/waiting-list/1', signedIn(404)],
  ['PUT /api/ad-zones/{zone}/house-ad', publisher(), HOUSE_AD],
  ['DELETE /api/ad-zones/{zone}/house-ad', publisher()],
  ['DELETE /api/ad-zones/{zone}', publisher(409)],
  ['DELETE /api/ad-zones/{free}', publisher()],
  ['GET /api/serve/zone/{zoneUuid}', all(200)],
  ['POST /api/create-payment-intent', adOwner(), CLAIM],
  ['POST /api/create-payment-intent', adOwner(409), { ...CLAIM, adPublicId: '{pendingUuid}' }],
  ['GET /api/websites/facets', signedIn()],
  ['GET /api/payments/saved-card', buyers(200)],
  ['POST /api/payments/saved-card', buyers(404), { adPublicId: '{unknown}', cardId: 1 }],
  ['POST /api/payment-success', adOwner(), { paymentIntentId: '{paymentIntent}' }],
  // A repeated report gets the same answer.
  ['POST /api/payment-success', adOwner(), { paymentIntentId: '{paymentIntent}' }],
  ['GET /api/billing/payments', signedIn()],
  ['GET /api/payouts', signedIn()],
  // No caller has a payout account yet.
  ['POST /api/payouts', signedIn(409), {}],
  ['POST /api/payouts/account', signedIn(), { country: 'DE' }],
  ['POST /api/payouts/account', signedIn(409), { country: 'FR' }],
  ['PUT /api/payouts/bank-account', signedIn(409), { holder: 'Pat', iban: 'DE89370400440532013000' }],
  ['POST /api/sandbox/onboarding', signedIn(), { outcome: 'complete' }],
  ['GET /api/ads/{paidUuid}/refund-quote', { ...signedIn(404), buyer: 200 }],
  ['GET /api/ads/{pendingUuid}/refund-quote', { ...signedIn(404), buyer: 409 }],
  ['POST /api/ads/{paidUuid}/pause', { ...signedIn(404), buyer: 200 }, {}],
  ['POST /api/ads/{paidUuid}/resume', { ...signedIn(404), buyer: 200 }],
  ['POST /api/ads/{pendingUuid}/pause', { ...signedIn(404), buyer: 409 }, {}],
  ['POST /api/ads/{paidUuid}/cancel', signedIn(400), { refundAmount: 'all' }],
  ['POST /api/ads/{pendingUuid}/cancel', { ...signedIn(404), buyer: 409 }, { refundAmount: '0.00' }],
  ['GET /api/analytics/transactions', signedIn()],
  ['GET /api/waiting', signedIn()],
  [
    'GET /api/analytics/series?side=seller&from=2026-01-01&to=2026-01-02&step=day&zone={zoneUuid}',
    { ...signedIn(404), seller: 200 },
  ],
  [
    'GET /api/analytics/counting?side=buyer&from=2026-01-01&to=2026-01-02&step=day&campaign={paidUuid}',
    { ...signedIn(404), buyer: 200 },
  ],
  [
    'GET /api/analytics/unusual-hours?from=2026-01-01&to=2026-01-02&zone={zoneUuid}',
    { ...signedIn(404), seller: 200 },
  ],
  [
    'GET /api/analytics/withdrawals?side=seller&from=2026-01-01&to=2026-01-02&zone={zoneUuid}',
    { ...signedIn(404), seller: 200 },
  ],
  [
    'GET /api/analytics/breakdown?side=buyer&from=2026-01-01&to=2026-01-02&by=zone&campaign={paidUuid}',
    { ...signedIn(404), buyer: 200 },
  ],
];

/** Calls that the specification does not name, such as pages and the ad server's. */
const MORE: typeof TABLE = [
  ['GET /api/health', all(200)],
  ['GET /api/health/delivery', all(200)],
  ['GET /api/health/live', all(200)],
  ['GET /api/health/ready', all(200)],
  ['GET /api/openapi.json', all(200)],
  ['GET /measurement', all(200)],
  ['GET /ad-archive', all(200)],
  ['GET /ad-archive/{unknown}', all(404)],
  ['GET /api/ad-space?website={websiteUuid}&zone={zoneUuid}', all(200)],
  ['GET /sites', all(200)],
  ['GET /brand/{unknown}', all(404)],
  ['GET /sites/{unknown}', all(404)],
  ['GET /sites/{unknown}/media-kit', all(404)],
  ['GET /sites/{unknown}/badge.svg', all(404)],
  ['GET /sitemaps/sites-7.xml', all(404)],
  ['GET /report-ad/{unknown}', all(404)],
  ['GET /report-ad/{unknown}/sent', all(404)],
  ['POST /report-ad/{unknown}', all(404), {}],
  ['GET /decision/{unknown}', all(404)],
  ['POST /decision/{unknown}', all(404), {}],
  ['GET /unsubscribe', all(404)],
  ['POST /unsubscribe', all(404), {}],
  ['GET /avatars/{unknown}', all(404)],
  ['PUT /api/uploads/{unknown}', all(404), {}],
  ['GET /api/sandbox/billing-portal', all(200)],
  ['GET /api/sandbox/onboarding', all(200)],
  ['GET /m/{unknown}', all(404)],
  ['GET /z/{unknown}', all(200)],
  ['GET /api/serve/ads', all(400)],
  ['POST /api/serve/view/x', all(400)],
  ['GET /api/serve/view/x', all(400)],
  ['GET /api/serve/click/x', all(302)],
  ['GET /api/serve/facts.js', all(200)],
  ['GET /api/serve/placement.js', all(200)],
  ['GET /api/serve/sample.js', all(200)],
  ['GET /api/serve/landing.js', all(200)],
  ['GET /api/serve/posts.js', all(200)],
  ['POST /api/serve/landings/x', all(204)],
  ['POST /api/serve/placement/x', all(400)],
  ['POST /api/serve/landings', all(400), { osid: 'x' }],
  ['POST /api/serve/conversions', all(404), { osid: 'x' }],
  ['GET /api/serve/vast/x', all(200)],
  ['GET /api/serve/vast-address/x', all(200)],
  ['GET /api/serve/vast-error/x', all(400)],
  ['GET /api/serve/why/{unknown}', all(404)],
  ['GET /api/payments/config', signedIn()],
  ['GET /api/payment-consents', signedIn()],
  ['POST /api/payment-consents', adOwner(201), { limit: '100.00', ads: ['{approvedUuid}'] }],
  ['POST /api/payment-consents/{consent}/confirm', { ...signedIn(404), buyer: 402 }],
  ['DELETE /api/payment-consents/{consent}', { ...signedIn(404), buyer: 200 }],
  ['GET /api/websites/{websiteUuid}', signedIn()],
  ['GET /api/websites/{website}/ads-txt', publisher()],
  ['POST /api/websites/{website}/ads-txt', publisher()],
  ['PATCH /api/websites/{website}', publisher(), { audience: 'Gardeners' }],
  ['DELETE /api/websites/{website}', publisher(409)],
  ['POST /api/websites/preview', sellers(400), { url: 'http://127.0.0.1:9/' }],
  ['POST /api/websites/{website}/picture', publisher(400), { imageUrl: 'http://127.0.0.1:9/a.png' }],
  ['PUT /api/websites/{website}/picture', publisher(415), {}],
  ['DELETE /api/websites/{website}/picture', publisher()],
  ['PUT /api/websites/{website}/page-views', publisher(), { days: [{ date: '2026-01-01', pageViews: 5 }] }],
  ['DELETE /api/websites/{website}/page-views', publisher()],
  ['GET /site-pictures/{unknown}', all(404)],
  ['PATCH /api/ad-zones/{zone}', publisher(), { name: 'Sidebar' }],
  ['PATCH /api/ad-zone-products/{product}', publisher(), { isActive: true }],
  ['POST /api/sandbox/confirm', buyers(404), { clientSecret: 'x', ...CARD }],
  ['POST /api/sandbox/authenticate', buyers(404), { clientSecret: 'x', outcome: 'fail' }],
  ['PUT /api/user/picture', signedIn(415), {}],
  ['DELETE /api/user/picture', signedIn()],
  ['GET /api/accounts', signedIn()],
  ['POST /api/account/switch', signedIn(), { account: null }],
  ['POST /api/account/switch', signedIn(403), { account: 999 }],
  ['POST /api/account/invitation', signedIn(404), { token: 'x'.repeat(22) }],
  ['POST /api/account/join', signedIn(404), { token: 'x'.repeat(22) }],
  ['DELETE /api/accounts/999', signedIn(404)],
  // server/people/members/members.test.ts plays the roles of members.
  ['GET /api/account/members', signedIn()],
  ['POST /api/account/members', signedIn(201), { email: 'colleague@example.test', role: 'read' }],
  ['PATCH /api/account/members/999', signedIn(404), { role: 'read' }],
  ['DELETE /api/account/members/999', signedIn(404)],
  ['GET /api/user/sessions', signedIn()],
  ['DELETE /api/user/sessions/{unknown}', signedIn(404)],
  ['DELETE /api/user/sessions', signedIn()],
  ['POST /api/user/email/take-back', signedIn(409)],
  ['GET /api/user/passkeys', signedIn()],
  ['POST /api/user/passkeys/options', signedIn()],
  ['POST /api/user/passkeys', signedIn(400), { credential: NOBODY.create('x') }],
  ['PATCH /api/user/passkeys/{passkey}', { ...signedIn(404), buyer: 200 }, { name: 'Laptop' }],
  ['POST /api/user/reauthenticate/passkey/options', { ...signedIn(409), buyer: 200 }],
  ['POST /api/user/reauthenticate/passkey', signedIn(400), { credential: NOBODY.get('x') }],
  ['DELETE /api/user/passkeys/{passkey}', { ...signedIn(404), buyer: 200 }],
  ['POST /api/auth/passkey/options', all(200)],
  ['POST /api/auth/passkey', all(400), { credential: NOBODY.get('x') }],
  ['POST /api/auth/verify-link', all(400), { token: 'x'.repeat(22) }],
  ['POST /api/auth/reset-link', all(400), { token: 'x'.repeat(22) }],
  ['POST /api/auth/restore-email', all(400), { token: 'x'.repeat(22) }],
];

/** Callers with and without a session get the same answer. */
const ALIKE: [call: string, status: number, body?: object][] = [
  ['POST /api/auth/check-email', 200, { email: 'free@example.test' }],
  ['POST /api/auth/register', 409, { email: '{own}', password: PASSWORD, firstName: 'A', lastName: 'B' }],
  ['POST /api/auth/verify-email', 400, { email: '{own}', code: 'AAAA' }],
  ['POST /api/auth/resend-code', 200, { email: '{own}' }],
  ['POST /api/auth/forgot-password', 200, { email: '{own}' }],
  ['POST /api/auth/reset-password', 400, { email: '{own}', code: 'AAAA', newPassword: PASSWORD }],
  ['POST /api/auth/login', 200, { email: '{own}', password: PASSWORD }],
  ['POST /api/auth/logout', 200],
  ['GET /api/logout', 302],
];

/** Calls that end accounts or change roles. They have a test of their own below. */
const OWN_TEST = ['POST /api/user/role', 'PATCH /api/user/role', 'DELETE /api/user/account'];

/** The template of each call above: of several that fit, the one with the fewest parameters, as the router chooses. */
function templatesOf(calls: readonly string[], templates: readonly string[]): Set<string> {
  const byParameters = templates.toSorted(
    (a, b) => a.split('{').length - b.split('{').length || b.length - a.length,
  );
  return new Set(
    calls.flatMap((call) => {
      const address = call.replace('{image}', '/ad-images/{unknown}').split('?')[0] ?? '';
      return (
        byParameters.find((each) =>
          new RegExp(
            `^${each.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
          ).test(address),
        ) ?? []
      );
    }),
  );
}

// Proves DOOR-06
it('has a row for every route of the server', async () => {
  const { paths } = (await server.anyone().get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const templates = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(templates).toEqual(
    expect.arrayContaining(
      server.app.routes.map(
        ({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`,
      ),
    ),
  );
  // server/operator/console/console.test.ts calls every page and call of the console as each kind of caller.
  const others = templates.filter((template) => !/ (\/api)?\/operator(\/|$)/.test(template));
  const rows = [...TABLE, ...MORE, ...ALIKE].map(([call]) => call);
  const covered = templatesOf([...rows, ...OWN_TEST], others);
  expect(others.filter((template) => !covered.has(template))).toEqual([]);
});

describe('access', () => {
  // Proves RUN-13, ROLE-18, OP-038, DOOR-06
  it.each([...TABLE, ...MORE])(
    '%s answers each kind of caller with the right status',
    async (call, expected, body) => {
      const [method = '', path] = call.split(' ');
      const statuses: Partial<Statuses> = {};
      for (const caller of CALLERS) {
        const answer = await callers[caller].send(method, filled(path) as string, filled(body));
        statuses[caller] = answer.status;
        if (answer.status === 401) expect(answer.body).toEqual({ message: 'Unauthorized' });
        else if (answer.status >= 400 && !answer.text.includes('<html'))
          expect(answer.body.message).toMatch(/\w/);
      }
      expect(statuses).toEqual(expected);
    },
  );

  // Proves API-30, API-32, ENT-36, API-34, API-35, ENT-33, API-48, OP-038
  it.each([
    [
      'GET /api/analytics/earnings',
      'seller',
      { totalEarnings: '85.00', delivered: '0.00', notDelivered: '85.00', thisMonth: '85.00' },
    ],
    [
      'GET /api/analytics/earnings',
      'buyer',
      { totalEarnings: '0.00', delivered: '0.00', notDelivered: '0.00', thisMonth: '0.00' },
    ],
    ['GET /api/analytics/active-ad-zones', 'seller', { count: 2 }],
    ['GET /api/analytics/active-ad-zones', 'both', { count: 0 }],
    ['GET /api/analytics/transactions', 'buyer', []],
    ['GET /api/analytics/transactions', 'both', []],
    ['GET /api/ads/my', 'seller', []],
    ['GET /api/ads/my', 'otherBuyer', []],
    ['GET /api/ads/pending', 'buyer', []],
    ['GET /api/ads/pending', 'otherSeller', []],
    ['GET /api/media-library', 'both', []],
    ['GET /api/websites/my', 'buyer', []],
  ] as const)('%s answers %s with their own data only', async (call, caller, expected) => {
    const answer = await callers[caller].get(call.replace('GET ', ''));
    if (call.endsWith('/my') && caller === 'otherBuyer') {
      // This buyer submitted ads in the table above.
      expect(new Set(answer.body.map(({ userId }: { userId: number }) => userId))).toEqual(
        new Set([callers[caller].user.id]),
      );
    } else expect(answer.body).toEqual(expected);
  });

  // Proves API-11, API-12, API-13, API-14, API-15, API-16, API-17, API-18, API-19, OP-038
  it.each(ALIKE)('%s answers visitors and signed-in users alike', async (call, status, body) => {
    const [method = '', path = ''] = call.split(' ');
    const someone = await server.signIn('both');
    const sent = JSON.parse(JSON.stringify(body ?? {}).replace('{own}', someone.user.email)) as object;
    for (const caller of [server.anyone(), someone]) {
      expect((await caller.send(method, path, method === 'GET' ? undefined : sent)).status).toBe(status);
    }
  });

  // Proves API-20, API-27, SET-07, OP-038
  it('lets users change only their own role and delete only their own account', async () => {
    for (const method of ['POST', 'PATCH']) {
      expect((await callers.visitor.send(method, '/api/user/role', { role: 'buyer' })).status).toBe(401);
    }
    expect((await callers.visitor.delete('/api/user/account')).status).toBe(401);
    for (const role of ROLES) {
      const someone = await server.signIn(role);
      for (const method of ['POST', 'PATCH']) {
        const answer = await someone.send(method, '/api/user/role', { role, userId: callers.buyer.user.id });
        expect([answer.status, answer.body.id]).toEqual([200, someone.user.id]);
      }
      expect((await someone.delete('/api/user/account')).status).toBe(200);
      expect((await someone.get('/api/auth/user')).status).toBe(401);
    }
  });

  // Proves API-43, OP-038
  it('accepts one upload at an upload address, from any caller who has it', async () => {
    const { uploadURL } = (await callers.buyer.post('/api/ad-images/upload')).body;
    const bytes = new Uint8Array(await png());
    const type = { 'content-type': 'image/png' };
    expect((await callers.visitor.put(uploadURL, bytes, type)).status).toBe(200);
    for (const caller of CALLERS) {
      expect((await callers[caller].put(uploadURL, bytes, type)).status).toBe(409);
    }
  });
});
