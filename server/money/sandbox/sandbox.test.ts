import { beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_CARDS } from '#domain/payments/sandbox-cards.ts';
import { beginPayment, CARD, makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

const confirm = (client: Client, clientSecret: string, card: object = {}) =>
  client.post('/api/sandbox/confirm', { clientSecret, ...CARD, ...card });
const authenticate = (client: Client, clientSecret: string, outcome: string) =>
  client.post('/api/sandbox/authenticate', { clientSecret, outcome });
const intentOf = async (id: string) => server.ctx.payments.getIntent(id);

describe('a sandbox card', () => {
  // Proves PAY-07
  it.each(SANDBOX_CARDS.map(({ number, outcome }) => [number, outcome] as const))(
    '%s has its documented outcome',
    async (number, outcome) => {
      const ad = await makeApprovedAd(seller, buyer);
      const { answer, paymentIntentId } = await payByCard(buyer, ad, { number });
      if (outcome.result === 'declined') {
        const { code, declineCode, message } = outcome;
        expect(answer.status).toBe(402);
        expect(answer.body).toEqual({ message, code, ...(declineCode && { declineCode }) });
        expect((await intentOf(paymentIntentId)).status).toBe('requires_payment');
      } else {
        const status = outcome.result === 'succeeds' ? 'succeeded' : 'requires_action';
        expect(answer).toMatchObject({ status: 200, body: { paymentIntentId, status } });
      }
    },
  );

  // Proves PAY-07
  it('can be replaced by another card for the same intent after a decline', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const declined = await payByCard(buyer, ad, { number: '4000000000009995' });
    expect(declined.answer.status).toBe(402);
    const { answer, clientSecret } = await payByCard(buyer, ad);
    expect(clientSecret).toBe(declined.clientSecret);
    expect(answer).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  });

  // Proves PAY-07
  it('is refused if its number could be real, and no card number is stored', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const real = await payByCard(buyer, ad, { number: '4539 5787 6362 1486' });
    expect(real.answer).toMatchObject({
      status: 402,
      body: { code: 'sandbox_card_only', message: expect.stringContaining('Never enter a real card') },
    });
    expect((await payByCard(buyer, ad, { number: '4242424242424241' })).answer.body.code).toBe(
      'incorrect_number',
    );
    expect((await payByCard(buyer, ad)).answer.status).toBe(200);
    const { db } = server.ctx;
    const kept = JSON.stringify([
      await db.selectFrom('sandboxObjects').selectAll().execute(),
      await db.selectFrom('providerEvents').selectAll().execute(),
      await db.selectFrom('payments').selectAll().execute(),
    ]);
    expect(kept).toContain('"last4":"4242"');
    // Ids and timestamps may contain any digits, so remove them before looking for card data.
    const rest = kept
      .replaceAll(/sbx_[\w-]+/g, '')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
      .replaceAll(/"network":"[\w-]+"/g, '');
    for (const trace of [/\d{6,}/, /1486/, /4241/, /"cvc"/, /"number"/, /exp(Month|Year)/i])
      expect(rest).not.toMatch(trace);
  });

  // Proves PAY-07
  it('is refused if it is expired or malformed', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    expect((await payByCard(buyer, ad, { expYear: 2020 })).answer).toMatchObject({
      status: 402,
      body: { code: 'invalid_expiry_year' },
    });
    for (const card of [
      { expMonth: 13 },
      { expMonth: 0 },
      { cvc: '12' },
      { cvc: 'abc' },
      { number: '4'.repeat(41) },
      { number: 4242 },
    ]) {
      expect((await payByCard(buyer, ad, card)).answer.status).toBe(400);
    }
    expect((await payByCard(buyer, ad, { expYear: 40 })).answer.status).toBe(200);
  });
});

describe('the 3-D Secure challenge', () => {
  const challenged = async () =>
    payByCard(buyer, await makeApprovedAd(seller, buyer), { number: '4000000000003220' });

  // Proves PAY-07
  it('must be completed before the payment succeeds', async () => {
    const { clientSecret, paymentIntentId } = await challenged();
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(402);
    expect(await authenticate(buyer, clientSecret, 'complete')).toMatchObject({
      status: 200,
      body: { paymentIntentId, status: 'succeeded' },
    });
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).body.ad.status).toBe('active');
  });

  // Proves PAY-07
  it('declines the payment when it fails, and another card can be used', async () => {
    const { clientSecret } = await challenged();
    expect(await authenticate(buyer, clientSecret, 'fail')).toMatchObject({
      status: 402,
      body: { code: 'payment_intent_authentication_failure' },
    });
    expect((await authenticate(buyer, clientSecret, 'complete')).status).toBe(409);
    expect((await confirm(buyer, clientSecret)).body.status).toBe('succeeded');
  });

  // Proves PAY-07
  it('refuses an answer when none was requested, and an unknown outcome', async () => {
    const ad = await makeApprovedAd(seller, buyer);
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    expect((await authenticate(buyer, clientSecret, 'complete')).status).toBe(409);
    expect((await authenticate(buyer, clientSecret, 'perhaps')).status).toBe(400);
  });
});

// Proves PAY-07
it('accepts a client secret only for the signed-in advertiser’s own payment', async () => {
  const { clientSecret } = (await beginPayment(buyer, await makeApprovedAd(seller, buyer))).body;
  const stranger = await server.signIn('buyer');
  for (const call of [
    confirm,
    (client: Client, secret: string) => authenticate(client, secret, 'complete'),
  ]) {
    expect((await call(stranger, clientSecret)).status).toBe(404);
    expect((await call(seller, clientSecret)).status).toBe(403);
    expect((await call(server.anyone(), clientSecret)).status).toBe(401);
    expect((await call(buyer, `${clientSecret}x`)).status).toBe(404);
    expect((await call(buyer, `${clientSecret.slice(0, -1)}!`)).status).toBe(404);
    expect((await call(buyer, clientSecret.split('_secret_')[0])).status).toBe(404);
    expect((await call(buyer, 'nonsense')).status).toBe(404);
  }
});

// Proves HOOK-01, PAY-07
it('charges an intent once for ten concurrent confirmations', async () => {
  const ad = await makeApprovedAd(seller, buyer);
  const { clientSecret } = (await beginPayment(buyer, ad)).body;
  const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(buyer, clientSecret)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const id = clientSecret.split('_secret_')[0];
  const events = await server.ctx.db.selectFrom('providerEvents').selectAll().execute();
  expect(
    events.filter(({ payload, type }) => type.endsWith('succeeded') && JSON.stringify(payload).includes(id)),
  ).toHaveLength(1);
});

describe('the limit on declines', () => {
  const strict = useOwnServer({ env: { RATE_LIMIT_FACTOR: '1' } });

  // Proves HOOK-07
  it('blocks all of the user’s cards after five declines within an hour, and only until the hour is over', async () => {
    const [publisher, person] = [await strict.signIn('seller'), await strict.signIn('buyer')];
    const ad = await makeApprovedAd(publisher, person);
    const { clientSecret } = (await beginPayment(person, ad)).body;
    const decline = { number: '4000000000000002' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => confirm(person, clientSecret, decline)),
    );
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);

    const refused = await confirm(person, clientSecret);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    const other = await makeApprovedAd(publisher, person);
    expect((await beginPayment(person, other)).status).toBe(429);
    const somebodyElse = await strict.signIn('buyer');
    expect((await payByCard(somebodyElse, await makeApprovedAd(publisher, somebodyElse))).answer.status).toBe(
      200,
    );

    strict.clock.advance(60 * 60 * 1000 + 1000);
    expect((await payByCard(person, ad)).answer.status).toBe(200);
  });

  it('counts the declines of a number for the person who rehearses with it, and not for others', async () => {
    const publisher = await strict.signIn('seller');
    const people = [await strict.signIn('buyer'), await strict.signIn('buyer')] as const;
    const tries = async (person: Client, times: number) => {
      const ad = await makeApprovedAd(publisher, person);
      const statuses: number[] = [];
      for (let n = 0; n < times; n++)
        statuses.push((await payByCard(person, ad, { number: '4000000000000127' })).answer.status);
      return [...statuses, (await beginPayment(person, ad)).status];
    };
    expect(await tries(people[0], 3)).toEqual([402, 402, 402, 200]);
    expect(await tries(people[1], 3)).toEqual([402, 402, 402, 200]);
    expect(await tries(people[0], 2)).toEqual([402, 402, 429]);
  });

  // Proves HOOK-07
  it('counts neither successful payments nor typing errors', async () => {
    const [publisher, person] = [await strict.signIn('seller'), await strict.signIn('buyer')];
    const ad = await makeApprovedAd(publisher, person);
    for (let n = 0; n < 7; n++) await payByCard(person, ad, { number: '4242424242424241' });
    for (let n = 0; n < 7; n++) {
      expect((await payByCard(person, await makeApprovedAd(publisher, person))).answer.status).toBe(200);
    }
  });
});

// Proves API-29, PAY-07
it('shows a page that says that it replaces the billing portal and that no money moves', async () => {
  const person = await server.signIn('buyer');
  await beginPayment(person, await makeApprovedAd(seller, person));
  const portal = await person.get('/api/billing/portal');
  expect(portal.status).toBe(303);
  const page = await person.get(portal.headers.get('location') as string);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.text).toContain('no money moves');
});
