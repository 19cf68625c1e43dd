/** The provider's events: how they are received, and that any order, number and gap leads to the same end. */
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import type { Client } from '#server/testing/client.ts';
import { startStripeServer } from '#server/testing/stripe/stripe-server.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { checkPayments } from './check-payments.ts';
import { applyProviderEvent } from './events.ts';
import { expireUnpaidAds } from '../checkout/expire-unpaid.ts';
import { ledgerImbalances } from '../ledger/check.ts';

const VISA = '4242424242424242';
const DECLINED = '4000000000000002';

const { server, stripe } = useServerWithStripe();
const now = () => server.clock.now();
let seller: Client;
let buyer: Client;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  const zone = await makeZone(seller, await makeWebsite(seller));
  product = await makeProduct(seller, zone, { duration: 10 });
});

const approvedAd = async (): Promise<Ad> => await approve(seller, await makeAd(buyer, product));
const intentIdOf = async (client: Client, ad: Ad): Promise<{ clientSecret: string; id: string }> => {
  const { clientSecret } = (await beginPayment(client, ad)).body as { clientSecret: string };
  return { clientSecret, id: clientSecret.split('_secret_')[0] as string };
};
const adRow = (ad: Ad) =>
  server.ctx.db.selectFrom('ads').selectAll().where('id', '=', ad.id).executeTakeFirstOrThrow();
const paymentOf = (ad: Ad) =>
  server.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('adId', '=', ad.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
const inbox = () => server.ctx.db.selectFrom('providerEvents').selectAll().orderBy('receivedAt').execute();
const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  server.anyone().post(path, body, { 'content-type': 'application/json; charset=utf-8', ...headers });
const signed = (body: string, secret?: string, at?: Date) => ({
  'stripe-signature': stripe.sign(body, secret, at),
});
let events = 0;
const eventBody = (fields: Record<string, unknown> = {}) =>
  JSON.stringify(
    {
      id: `evt_made_${++events}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_of_another_installation', object: 'payment_intent', metadata: {} } },
      ...fields,
    },
    null,
    2,
  );
/** The events that earlier tests received. */
let before = new Set<string>();
/** Handles each event that this test has received, also again. */
const doAll = async () => {
  for (const { id } of await inbox()) if (!before.has(id)) await applyProviderEvent(server.ctx, id);
};

beforeEach(async () => {
  before = new Set((await inbox()).map(({ id }) => id));
  stripe.webhooks = { isLost: true };
});
afterEach(() => {
  stripe.faults.length = 0;
});

describe.each(['/api/webhooks/stripe', '/api/webhooks/stripe-connect'])('%s', (path) => {
  const secret = () =>
    stripe.env[path.endsWith('connect') ? 'STRIPE_CONNECT_WEBHOOK_SECRET' : 'STRIPE_WEBHOOK_SECRET'];

  // Proves HOOK-11
  it('stores a signed event once, without a session and whatever the origin', async () => {
    const body = eventBody();
    const headers = {
      ...signed(body, secret()),
      origin: 'https://elsewhere.example',
      'sec-fetch-site': 'cross-site',
    };
    const before = (await inbox()).length;
    const answers = await Promise.all([1, 2, 3].map(() => post(path, body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]?.headers.get('set-cookie')).toBeNull();
    expect((await inbox()).length).toBe(before + 1);
  });

  // Proves HOOK-11
  it('accepts an unknown type, and does not keep an event of the other mode', async () => {
    const before = (await inbox()).length;
    const unknown = eventBody({ type: 'moon.risen', data: { object: { object: 'moon' } } });
    expect((await post(path, unknown, signed(unknown, secret()))).status).toBe(200);
    const live = eventBody({ livemode: true });
    expect((await post(path, live, signed(live, secret()))).status).toBe(200);
    expect((await inbox()).length).toBe(before + 1);
  });

  // Proves HOOK-11
  it('refuses an event that is unsigned, signed with a wrong secret, too old or changed, and counts it', async () => {
    const body = eventBody();
    const old = new Date(now().getTime() - 6 * MINUTE_MS);
    const source = path.endsWith('connect') ? 'connect' : 'account';
    const refused = async () =>
      Number(
        (
          await server.ctx.db
            .selectFrom('webhookRefusals')
            .select((row) => row.fn.sum('refused').as('n'))
            .where('source', '=', source)
            .executeTakeFirstOrThrow()
        ).n ?? 0,
      );
    const before = { rows: (await inbox()).length, refused: await refused() };
    for (const [text, headers] of [
      [body, {}],
      [body, { 'stripe-signature': 'nonsense' }],
      [body, signed(body, 'whsec_another')],
      [body, signed(body, secret(), old)],
      [`${body} `, signed(body, secret())],
      ['', signed(body, secret())],
      ['{}', signed('{}', secret())],
    ] as const) {
      const answer = await post(path, text, headers);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('signature');
    }
    expect((await inbox()).length).toBe(before.rows);
    expect(await refused()).toBe(before.refused + 7);
  });

  // Proves HOOK-11
  it('answers 400 to a signed event that cannot be stored, or that is dated ahead, and stores nothing', async () => {
    const before = (await inbox()).length;
    for (const body of [
      eventBody().replace(/"created": \d+/, '"created": 1e300'),
      eventBody({ created: 'soon' }),
      eventBody({ id: 'evt_\u0000' }),
      eventBody({ type: 'charge.\u0000' }),
      eventBody({ account: 'acct_\u0000' }),
      eventBody({ data: { object: { id: 'pi_1', metadata: { payment_id: '\u0000' } } } }),
      eventBody({ data: { object: { id: 'x'.repeat(9000), metadata: {} } } }),
      'null',
    ]) {
      const answer = await post(path, body, signed(body, secret()));
      expect([body.slice(0, 80), answer.status]).toEqual([body.slice(0, 80), 400]);
    }
    const body = eventBody();
    const ahead = new Date(server.ctx.realNow().getTime() + 6 * MINUTE_MS);
    expect((await post(path, body, signed(body, secret(), ahead))).status).toBe(400);
    expect((await inbox()).length).toBe(before);
  });

  // Proves HOOK-11
  it('refuses a body above 256 kB', async () => {
    const body = eventBody({ padding: 'x'.repeat(257 * 1024) });
    expect((await post(path, body, signed(body, secret()))).status).toBe(413);
  });
});

// Proves HOOK-11
it('does not exist while the sandbox is the provider', async () => {
  const sandbox = await untilTestEnds(startTestServer());
  for (const path of ['/api/webhooks/stripe', '/api/webhooks/stripe-connect'])
    expect((await sandbox.anyone().post(path, {})).status).toBe(404);
});

describe('an event', () => {
  // Proves HOOK-01
  it('makes the ad live within seconds while the worker is running, without the browser', async () => {
    const own = await untilTestEnds(startStripeServer());
    const running = await untilTestEnds(startTestServer({ env: own.env, jobs: true }));
    own.webhooks.account = `${running.url}/api/webhooks/stripe`;
    const [publisher, person] = [await running.signIn('seller'), await running.signIn('buyer')];
    const ad = await makeApprovedAd(publisher, person);
    const { clientSecret } = (await beginPayment(person, ad)).body;
    own.pay(clientSecret, VISA);
    await expect.poll(async () => (await person.get(`/api/ads/${ad.id}`)).body.status).toBe('active');
  });

  // Proves HOOK-01
  it('finds its payment by our metadata if we never learned the id of the intent', async () => {
    const ad = await approvedAd();
    const { id, clientSecret } = await intentIdOf(buyer, ad);
    await sql`alter table payments disable trigger user`.execute(server.owner);
    await server.ctx.db.updateTable('payments').set({ intentId: null }).where('intentId', '=', id).execute();
    await sql`alter table payments enable trigger user`.execute(server.owner);
    stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
    stripe.pay(clientSecret, VISA);
    await stripe.delivered();
    await doAll();
    expect(await paymentOf(ad)).toMatchObject({ intentId: id, status: 'succeeded' });
    expect((await adRow(ad)).status).toBe('active');
  });

  // Proves HOOK-01
  it('that is lost is fetched from the provider after ten minutes', async () => {
    const ad = await approvedAd();
    const { clientSecret } = await intentIdOf(buyer, ad);
    await checkPayments(server.ctx);
    stripe.pay(clientSecret, VISA);
    await server.ctx.db
      .updateTable('payments')
      .set({ nextCheckAt: null })
      .where('adId', '=', ad.id)
      .execute();
    server.clock.advance(11 * MINUTE_MS);
    await checkPayments(server.ctx);
    expect((await adRow(ad)).status).toBe('active');
  });

  // Proves HOOK-01
  it('that fails does not hold up the others, waits longer each time, and is done in the end', async () => {
    const bad = Array.from({ length: 20 }, (_, n) => `evt_bad_${n}`);
    await server.ctx.db
      .insertInto('providerEvents')
      .values(
        bad.map((id) => ({
          id,
          source: 'account',
          type: 'charge.dispute.created',
          payload: JSON.stringify({ objectId: 'dp_unknown', metadata: {} }),
          createdAt: now(),
          receivedAt: now(),
        })),
      )
      .execute();
    const ad = await approvedAd();
    const { clientSecret } = await intentIdOf(buyer, ad);
    stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
    stripe.pay(clientSecret, VISA);
    await stripe.delivered();
    await checkPayments(server.ctx);
    expect((await adRow(ad)).status).toBe('active');
    const left = await server.ctx.db
      .selectFrom('providerEvents')
      .select(['tries', 'nextTryAt', 'lastError'])
      .where('id', 'in', bad)
      .where('doneAt', 'is', null)
      .execute();
    expect(left).toHaveLength(bad.length);
    for (const { tries, nextTryAt, lastError } of left) {
      expect(tries).toBe(1);
      expect(nextTryAt?.getTime()).toBeGreaterThan(now().getTime());
      expect(lastError).toContain('No such dispute');
    }
    const calls = stripe.requests.length;
    await checkPayments(server.ctx);
    expect(stripe.requests.length - calls).toBeLessThan(10);
    await server.ctx.db.deleteFrom('providerEvents').where('id', 'in', bad).execute();
  });
});

describe('the fee of a charge', () => {
  const feesOf = async (ad: Ad) => {
    const rows = await server.ctx.db
      .selectFrom('ledgerPostings as p')
      .innerJoin('ledgerTx as t', 't.id', 'p.txId')
      .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
      .select(['a.kind', 'p.amountCents'])
      .where('t.kind', '=', 'fee')
      .where('t.adId', '=', ad.id)
      .orderBy('a.kind')
      .execute();
    return rows.map(({ kind, amountCents }) => `${kind} ${amountCents}`);
  };

  // Proves HOOK-14
  it.each(['an event', 'a check'])('is booked once, when the provider knows it, by %s', async (by) => {
    const ad = await approvedAd();
    const { id, clientSecret } = await intentIdOf(buyer, ad);
    stripe.pay(clientSecret, VISA);
    expect((await buyer.post('/api/payment-success', { paymentIntentId: id })).status).toBe(200);
    expect(await feesOf(ad)).toEqual([]);
    if (by === 'an event') stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
    stripe.makeFeesKnown();
    await stripe.delivered();
    server.clock.advance(6 * MINUTE_MS);
    if (by === 'an event') await doAll();
    await checkPayments(server.ctx);
    await doAll();
    expect(await feesOf(ad)).toEqual([
      'processing_fees 320',
      'provider_balance 9680',
      'provider_clearing -10000',
    ]);
    expect((await paymentOf(ad)).nextCheckAt).toBeNull();
  });

  // Proves HOOK-14
  it('in a currency that the ledger does not have keeps no ad from going live', async () => {
    const { answer } = await payAbroad({ currency: 'chf', rate: 0.8 });
    expect(answer.status).toBe(200);
  });

  // Proves HOOK-14
  it('in another currency goes through fx', async () => {
    const { other } = await payAbroad({ currency: 'eur', rate: 0.9 });
    const rows = await other.ctx.db
      .selectFrom('ledgerPostings as p')
      .innerJoin('ledgerTx as t', 't.id', 'p.txId')
      .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
      .select(['a.kind', 'a.currency', 'p.amountCents'])
      .where('t.kind', '=', 'fee')
      .orderBy('p.amountCents')
      .execute();
    expect(rows.map(({ kind, currency, amountCents }) => `${kind} ${amountCents} ${currency}`)).toEqual([
      'provider_clearing -10000 USD',
      'fx -9000 EUR',
      'processing_fees 320 EUR',
      'provider_balance 8680 EUR',
      'fx 10000 USD',
    ]);
    expect(await ledgerImbalances(other.ctx.db)).toEqual([]);
  });
});

/** Pays for an ad of another marketplace, whose provider takes its fees in this currency. Returns the answer to the browser. */
async function payAbroad(feeCurrency: { currency: string; rate: number }) {
  const foreign = await untilTestEnds(startStripeServer({ feeCurrency }));
  const other = await untilTestEnds(startTestServer({ env: foreign.env }));
  const [publisher, person] = [await other.signIn('seller'), await other.signIn('buyer')];
  const ad = await makeApprovedAd(publisher, person);
  const { clientSecret } = (await beginPayment(person, ad)).body;
  foreign.pay(clientSecret, VISA);
  foreign.makeFeesKnown();
  const paymentIntentId = clientSecret.split('_secret_')[0];
  return { other, answer: await person.post('/api/payment-success', { paymentIntentId }) };
}

describe('a payment that is being processed', () => {
  it('is answered with 202, keeps its ad from expiring, and makes it live when the bank agrees', async () => {
    const ad = await approvedAd();
    const { id, clientSecret } = await intentIdOf(buyer, ad);
    stripe.process(clientSecret);
    const waiting = await buyer.post('/api/payment-success', { paymentIntentId: id });
    expect(waiting).toMatchObject({
      status: 202,
      body: { success: false, status: 'processing', message: expect.stringContaining('processing') },
    });
    expect((await beginPayment(buyer, ad)).status).toBe(409);
    server.clock.advance(15 * DAY_MS);
    await expireUnpaidAds(server.ctx);
    expect((await adRow(ad)).status).toBe('approved');
    stripe.settle(id);
    expect((await buyer.post('/api/payment-success', { paymentIntentId: id })).status).toBe(200);
    expect((await adRow(ad)).status).toBe('active');
  });
});

describe('a dispute', () => {
  const paidAd = async () => {
    const ad = await approvedAd();
    const { id, clientSecret } = await intentIdOf(buyer, ad);
    stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
    stripe.pay(clientSecret, VISA);
    stripe.makeFeesKnown();
    await stripe.delivered();
    await doAll();
    return { ad, intentId: id };
  };
  const handled = async () => {
    await stripe.delivered();
    await doAll();
  };
  const holdsOf = async (ad: Ad) => {
    const rows = await server.ctx.db
      .selectFrom('holds')
      .select(['reason', 'releasedAt'])
      .where('adId', '=', ad.id)
      .where('reason', '<>', 'unverified_site')
      .execute();
    return rows.map(({ reason, releasedAt }) => `${reason} ${releasedAt ? 'released' : 'held'}`);
  };
  const moved = async (ad: Ad) => {
    const rows = await server.ctx.db
      .selectFrom('ledgerPostings as p')
      .innerJoin('ledgerTx as t', 't.id', 'p.txId')
      .innerJoin('ledgerAccounts as a', 'a.id', 'p.accountId')
      .select(['t.kind as entry', 'a.kind', 'p.amountCents'])
      .where('t.kind', 'like', 'dispute%')
      .where('t.adId', '=', ad.id)
      .orderBy('t.id')
      .orderBy('a.kind')
      .execute();
    return rows.map(({ entry, kind, amountCents }) => `${entry} ${kind} ${amountCents}`);
  };

  // Proves HOOK-12
  it('pauses the ad and its clock, holds its earnings, and ends with all of it when it is won', async () => {
    const { ad, intentId } = await paidAd();
    const before = (await adRow(ad)).endDate as Date;
    const { id } = stripe.dispute(intentId);
    await handled();
    expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({
      status: 'active',
      paused: 'dispute',
    });
    expect(await holdsOf(ad)).toEqual(['dispute held']);
    expect(await moved(ad)).toEqual([
      'dispute_withdrawn dispute_fees 1500',
      'dispute_withdrawn dispute_receivable 10000',
      'dispute_withdrawn provider_balance -11500',
    ]);
    server.clock.advance(20 * DAY_MS);
    stripe.closeDispute(id, 'won');
    await handled();
    const after = await adRow(ad);
    expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({ status: 'active', paused: null });
    expect(Math.round(((after.endDate as Date).getTime() - before.getTime()) / DAY_MS)).toBe(20);
    expect(await holdsOf(ad)).toEqual(['dispute released']);
    expect((await moved(ad)).slice(3)).toEqual([
      'dispute_reinstated dispute_fees -1500',
      'dispute_reinstated dispute_receivable -10000',
      'dispute_reinstated provider_balance 11500',
    ]);
  });

  // Proves HOOK-12, LEDG-10
  it('that is lost ends the ad and its hold, and is booked once', async () => {
    const { ad, intentId } = await paidAd();
    const { id } = stripe.dispute(intentId);
    await handled();
    const from = stripe.events.length;
    stripe.closeDispute(id, 'lost');
    await handled();
    for (const event of stripe.events.slice(from))
      await stripe.send({ ...event, id: `${event['id']}_again` });
    await handled();
    expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({
      status: 'completed',
      endedReason: 'fraud_warning',
    });
    expect(await holdsOf(ad)).toEqual(['dispute released']);
    expect((await moved(ad)).slice(3)).toEqual([
      'dispute_lost deferred_commission 1500',
      'dispute_lost deferred_publisher 8500',
      'dispute_lost dispute_receivable -10000',
    ]);
  });

  // Proves HOOK-12
  it('that is only an inquiry, or has an unknown status, moves no money and pauses the ad, too', async () => {
    for (const status of ['warning_needs_response', 'warning_a_new_word']) {
      const { ad, intentId } = await paidAd();
      stripe.dispute(intentId, status);
      await handled();
      expect((await adRow(ad)).disputedAt).not.toBeNull();
      expect(await moved(ad)).toEqual([]);
    }
  });

  // Proves HOOK-12
  it('leads to the same end in any order of its events, each of them twice, and by the last one alone', async () => {
    const { ad, intentId } = await paidAd();
    const from = stripe.events.length;
    stripe.webhooks = { isLost: true };
    const { id } = stripe.dispute(intentId);
    stripe.closeDispute(id, 'won');
    const all = stripe.events.slice(from);
    stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
    for (const event of [...all.toReversed(), ...all]) {
      await stripe.send(event);
      await handled();
    }
    expect((await adRow(ad)).disputedAt).toBeNull();
    expect(await holdsOf(ad)).toEqual([]);
    expect(await moved(ad)).toHaveLength(6);
  });
});

describe('any order, number and gap of events', () => {
  /** A small generator with a seed (mulberry32), so that a failure can be repeated. */
  const random = (seed: number) => () => {
    seed = (seed + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };

  // Proves HOOK-01, HOOK-05
  it.each(Array.from({ length: 8 }, (_, seed) => seed + 1))(
    'leads to the same end (seed %i)',
    async (seed) => {
      const next = random(seed);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
      const kinds = [
        'paid',
        'declined then paid',
        'canceled',
        'paid after the ad expired',
        'unpaid',
      ] as const;
      const stories: { kind: (typeof kinds)[number]; ad: Ad; id: string }[] = [];
      const from = stripe.events.length;
      for (let n = 0; n < 4; n++) {
        const kind = pick(kinds);
        const ad = await approvedAd();
        const { id, clientSecret } = await intentIdOf(buyer, ad);
        if (kind === 'declined then paid') expect(() => stripe.pay(clientSecret, DECLINED)).toThrow(/card/);
        if (kind === 'paid after the ad expired') {
          await server.ctx.db
            .updateTable('ads')
            .set({ approvedAt: new Date(now().getTime() - 15 * DAY_MS) })
            .where('id', '=', ad.id)
            .execute();
          await expireUnpaidAds(server.ctx);
        }
        if (kind.includes('paid') && kind !== 'unpaid') stripe.pay(clientSecret, VISA);
        if (kind === 'canceled') await server.ctx.payments.cancelIntent(id);
        stories.push({ kind, ad, id });
      }
      if (next() < 0.7) stripe.makeFeesKnown();
      // Some events are lost, some arrive twice, and none in its order.
      const sent = stripe.events.slice(from).filter(() => next() < 0.6);
      const shuffled = [...sent, ...sent.filter(() => next() < 0.3)].toSorted(() => next() - 0.5);
      stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
      for (const event of shuffled) {
        await stripe.send(event);
        if (next() < 0.3) await doAll();
        if (next() < 0.2) await checkPayments(server.ctx);
      }
      stripe.makeFeesKnown();
      await stripe.delivered();
      for (let n = 0; n < 6; n++) {
        server.clock.advance(11 * MINUTE_MS * 2 ** n);
        await checkPayments(server.ctx);
      }
      for (const { kind, ad } of stories) {
        const expected = {
          paid: ['active', 'succeeded'],
          'declined then paid': ['active', 'succeeded'],
          canceled: ['approved', 'canceled'],
          'paid after the ad expired': ['rejected', 'orphaned'],
          unpaid: ['approved', 'open'],
        }[kind];
        const status = (await adRow(ad)).status;
        expect({
          kind,
          end: [status === 'completed' ? 'active' : status, (await paymentOf(ad)).status],
        }).toEqual({
          kind,
          end: expected,
        });
      }
      expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
      const open = await server.ctx.db
        .selectFrom('providerEvents')
        .select('id')
        .where('doneAt', 'is', null)
        .execute();
      expect(open).toEqual([]);
    },
  );
});

// Proves FIELD-75
it('adopts a refund from Stripe’s dashboard by ‘charge.refunded’ alone, and again by nothing', async () => {
  const ad = await approvedAd();
  const { clientSecret, id } = await intentIdOf(buyer, ad);
  stripe.pay(clientSecret, VISA);
  stripe.makeFeesKnown();
  expect((await buyer.post('/api/payment-success', { paymentIntentId: id })).status).toBe(200);
  const earlier = stripe.events.length;
  stripe.refundOutside(id, 10_000);
  const [created, refunded] = stripe.events.slice(earlier);
  expect([created?.['type'], refunded?.['type']]).toEqual(['refund.created', 'charge.refunded']);
  stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
  const ended = async () => {
    await stripe.delivered();
    await doAll();
    const rows = await server.ctx.db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.paymentId')
      .select(['refunds.amountCents', 'refunds.status'])
      .where('payments.adId', '=', ad.id)
      .execute();
    const { status, endedReason } = await adRow(ad);
    return { status, endedReason, rows };
  };
  const adopted = {
    status: 'completed',
    endedReason: 'operator',
    rows: [{ amountCents: 10_000, status: 'done' }],
  };
  await stripe.send(refunded!);
  expect(await ended()).toEqual(adopted);
  await stripe.send(created!);
  await stripe.send(refunded!);
  expect(await ended()).toEqual(adopted);
});

// Proves LEDG-04
it('leaves the ledger in balance after all tests of this file', async () => {
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});
