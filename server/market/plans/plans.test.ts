import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { centsOf } from '#domain/money.ts';
import type { Plan } from '#domain/plans/contract.ts';
import { addDays, utcDay } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';

const server = useOwnServer({ env: { RATE_LIMIT_FACTOR: '1' } });
let seller: Client;
let buyer: Client;
let places: { zone: AdZone; product: Product }[];

beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer');
  places = [];
  for (const name of ['One', 'Two', 'Three']) {
    const zone = await makeZone(seller, await makeWebsite(seller, { name }));
    places.push({ zone, product: await makeProduct(seller, zone, { price: '25.00', duration: 7 }) });
  }
});

const CREATIVE = {
  adType: 'text',
  title: 'Fresh coffee',
  description: 'Roasted on Monday.',
  targetUrl: 'https://coffee.example/start',
};

const at = (place: number) => ({
  adZoneId: places[place]?.zone.publicId,
  productId: places[place]?.product.id,
});

const bodyOf = (fields: Record<string, unknown> = {}) => ({
  requestId: randomUUID(),
  name: 'Spring',
  creative: CREATIVE,
  placements: [at(0), at(1), at(2)],
  ...fields,
});

async function countRows(): Promise<{ plans: number; ads: number }> {
  const count = async (table: 'plans' | 'ads') =>
    Number(
      (
        await server.ctx.db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  return { plans: await count('plans'), ads: await count('ads') };
}

it('submits an ad for each placement, and each publisher reviews and is mailed about their own', async () => {
  const answer = await buyer.post('/api/plans', bodyOf());
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    publicId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Spring',
    total: '75.00',
  });
  const { publicId, ads } = answer.body as { publicId: string; ads: Ad[] };
  expect(
    ads.map(({ websiteName, status, totalAmount, title, plan }) => ({
      websiteName,
      status,
      totalAmount,
      title,
      plan,
    })),
  ).toEqual(
    ['One', 'Two', 'Three'].map((websiteName) => ({
      websiteName,
      status: 'pending',
      totalAmount: '25.00',
      title: 'Fresh coffee',
      plan: publicId,
    })),
  );
  const mails = await mailTo(server.ctx, 'publisher@example.test');
  expect(mails.filter(({ kind }) => kind === 'ad-submitted')).toHaveLength(3);
  expect((await buyer.get('/api/ads/my')).body[0]).toMatchObject({ plan: publicId });
});

it('buys the quantity of each placement, at its price', async () => {
  const [{ zone }] = places as [(typeof places)[number]];
  const { id: productId } = await makeProduct(seller, zone, {
    price: '10.00',
    duration: 7,
    maxQuantity: 10,
    volumePrices: [{ fromQuantity: 5, price: '8.00' }],
  });
  const placements = [1, 5].map((quantity) => ({ adZoneId: zone.publicId, productId, quantity }));
  const { body } = await buyer.post('/api/plans', bodyOf({ placements }));
  expect(body).toMatchObject({
    total: '50.00',
    ads: [
      { quantity: 1, totalAmount: '10.00', duration: 7 },
      { quantity: 5, totalAmount: '40.00', duration: 35, unitPrice: '8.00' },
    ],
  });
  const refused = await buyer.post(
    '/api/plans',
    bodyOf({ placements: [{ ...placements[0], quantity: 11 }] }),
  );
  expect(refused).toMatchObject({
    status: 400,
    body: { placements: [{ index: 0, message: 'Choose a quantity of 1 to 10.' }] },
  });
});

it('answers a repeated request with the plan that it made, and refuses another body with its id', async () => {
  const body = bodyOf();
  const first = await buyer.post('/api/plans', body);
  const before = await countRows();
  const again = await buyer.post('/api/plans', { ...body, unknown: 'field' });
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ publicId: first.body.publicId, total: '75.00' });
  expect(again.body.ads.map(({ id }: Ad) => id)).toEqual(first.body.ads.map(({ id }: Ad) => id));
  expect((await buyer.post('/api/plans', { ...body, name: 'Summer' })).status).toBe(409);
  expect((await buyer.post('/api/plans', { ...body, placements: [at(0)] })).status).toBe(409);
  expect(await countRows()).toEqual(before);
  // The id is the client's own, so another advertiser can have the same.
  const other = await (await server.signIn('buyer')).post('/api/plans', body);
  expect([other.status, other.body.publicId === first.body.publicId]).toEqual([201, false]);
});

it('makes one plan of twenty submissions at once', async () => {
  const someone = await server.signIn('buyer');
  const before = await countRows();
  const body = bodyOf();
  const answers = await Promise.all(Array.from({ length: 20 }, () => someone.post('/api/plans', body)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array(19).fill(200),
    201,
  ]);
  expect(new Set(answers.map((answer) => answer.body.publicId)).size).toBe(1);
  expect(await countRows()).toEqual({ plans: before.plans + 1, ads: before.ads + 3 });
});

it('locks its ad zones by ascending id before it submits, so that it does not deadlock with others', async () => {
  const [first, , last] = places.map(({ zone }) => zone.id) as [number, number, number];
  const holder = await server.app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from ad_zones where id = $1 for update', [first]);
    const answer = buyer.post('/api/plans', bodyOf({ placements: [at(2), at(0)] }));
    await expect
      .poll(async () => {
        const { rows } = await server.app.pool.query(
          `select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%ad_zones%'`,
        );
        return rows.length;
      })
      .toBe(1);
    // The plan waits for the first ad zone, so it holds no other.
    await holder.query('select from ad_zones where id = $1 for update nowait', [last]);
    await holder.query('commit');
    expect((await answer).status).toBe(201);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

describe('refuses, and makes nothing of', () => {
  async function refused(fields: Record<string, unknown>, by = buyer) {
    const before = await countRows();
    const answer = await by.post('/api/plans', bodyOf(fields));
    expect(await countRows()).toEqual(before);
    const { message, placements } = answer.body as { message: string; placements?: object[] };
    expect(message).toMatch(/\w/);
    return { status: answer.status, message, placements };
  }

  it('placements that a single ad could not have, with all faults at once', async () => {
    const faulty = [
      at(0),
      { ...at(1), productId: places[0]?.product.id },
      at(2),
      { ...at(2), adZoneId: 999_999 },
    ];
    expect(await refused({ placements: faulty })).toEqual({
      status: 400,
      message: '2 of 4 ad zones can’t take this ad, so nothing was submitted. Change or remove them.',
      placements: [
        {
          index: 1,
          message: 'This pricing option is not available. Please choose another one.',
          reason: null,
        },
        { index: 3, message: 'This ad zone is not available. Please choose another one.', reason: null },
      ],
    });
  });

  it('a price that has changed, with 409', async () => {
    expect(await refused({ placements: [at(0), { ...at(1), expectedPrice: '24.00' }] })).toMatchObject({
      status: 409,
      placements: [
        { index: 1, message: 'The price is now $25.00. Please check the order and submit it again.' },
      ],
    });
  });

  it('placements that are not whole, naming their place', async () => {
    const placements = [
      at(0),
      { adZoneId: 'x', productId: 1 },
      { ...at(1), quantity: 0 },
      { ...at(2), startDate: 'soon' },
    ];
    expect(await refused({ placements })).toMatchObject({
      status: 400,
      placements: [{ index: 1 }, { index: 2 }, { index: 3 }],
    });
  });

  it('a creative that breaks a rule of single ads', async () => {
    expect((await refused({ creative: { ...CREATIVE, title: ' ' } })).message).toBe('Title is required');
    expect((await refused({ creative: { ...CREATIVE, targetUrl: 'javascript:alert(1)' } })).status).toBe(400);
    expect(await refused({ creative: { ...CREATIVE, adType: 'video' } })).toMatchObject({
      status: 400,
      placements: [{ index: 0 }, { index: 1 }, { index: 2 }],
    });
  });

  it('no placement, a shortlist of 1,000, and an id or a name that is none', async () => {
    expect(await refused({ placements: [] })).toMatchObject({
      status: 400,
      message: 'Choose at least one ad zone',
    });
    expect(await refused({ placements: Array(1000).fill(at(0)) })).toMatchObject({
      status: 400,
      message: 'A plan can have at most 100 ad zones. Remove some, or submit several plans.',
    });
    expect((await refused({ requestId: 'mine' })).status).toBe(400);
    expect((await refused({ name: '  ' })).message).toBe('Name the plan');
  });

  it('more ads than may wait for approval', async () => {
    const crowded = await server.signIn('buyer');
    const [ad] = (await crowded.post('/api/plans', bodyOf({ placements: [at(0)] }))).body.ads as [Ad];
    await sql`insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
        commission_amount, pricing_model, duration)
      select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, duration from ads, generate_series(1, 198) where ads.id = ${ad.id}`.execute(
      server.ctx.db,
    );
    expect(await refused({}, crowded)).toMatchObject({
      status: 409,
      placements: [1, 2].map((index) => ({
        index,
        message: expect.stringMatching(/^200 of your ads are waiting/),
      })),
    });
  });

  it('a visitor (401) and a publisher (403)', async () => {
    expect((await refused({}, server.anyone())).status).toBe(401);
    expect((await refused({}, seller)).status).toBe(403);
  });
});

it('sends each ad zone its own image, or that of the creative', async () => {
  const options = await Promise.all(
    places.slice(0, 2).map(({ zone }) => makeProduct(seller, zone, { adType: 'image' })),
  );
  const [common, own] = [await upload(buyer), await upload(buyer)];
  const placements = [
    { ...at(0), productId: options[0]?.id },
    { ...at(1), productId: options[1]?.id, imageUrl: own },
  ];
  const creative = { ...CREATIVE, adType: 'image', imageUrl: common };
  const answer = await buyer.post('/api/plans', bodyOf({ creative, placements }));
  expect(answer.body.ads.map(({ imageUrl }: Ad) => imageUrl)).toEqual([common, own]);
  const foreign = await upload(await server.signIn('buyer'));
  const stolen = [placements[0], { ...placements[1], imageUrl: foreign }];
  expect((await buyer.post('/api/plans', bodyOf({ creative, placements: stolen }))).body).toMatchObject({
    placements: [{ index: 1, message: 'Please upload an image for your ad' }],
  });
});

describe('the report of a plan', () => {
  let plan: Plan;
  beforeAll(async () => {
    const made = (await buyer.post('/api/plans', bodyOf({ name: 'Report' }))).body as {
      publicId: string;
      ads: Ad[];
    };
    const [first, second, third] = made.ads as [Ad, Ad, Ad];
    await pay(buyer, await approve(seller, first));
    await pay(buyer, await approve(seller, second));
    await seller.put(`/api/ads/${third.id}/reject`, { rejectionReason: 'Too loud' });
    const quote = await buyer.get(`/api/ads/${second.publicId}/refund-quote`);
    await buyer.post(`/api/ads/${second.publicId}/cancel`, {
      refundAmount: quote.body.refundAmount,
    });
    plan = (await buyer.get(`/api/plans/${made.publicId}`)).body as Plan;
  });

  it('has the ads of the plan and sums of their money', () => {
    expect(plan).toMatchObject({
      name: 'Report',
      total: '75.00',
      paid: '50.00',
      impressions: 0,
      clicks: 0,
      cpm: null,
      cpc: null,
    });
    expect(plan.ads.map(({ status }) => status)).toEqual(['active', 'completed', 'rejected']);
    const [paid, delivered, notDelivered, refunded] = [
      plan.paid,
      plan.delivered,
      plan.notDelivered,
      plan.refunded,
    ].map(centsOf);
    expect(refunded).toBe(centsOf(plan.ads[1]?.refund?.amount ?? '0.00'));
    expect(refunded).toBeGreaterThan(2400);
    expect(notDelivered).toBeGreaterThan(2400);
    expect((delivered as number) + (notDelivered as number) + (refunded as number)).toBe(paid);
    for (const field of ['paid', 'delivered', 'notDelivered', 'refunded'] as const) {
      const parts = plan.ads.map((ad) => centsOf(ad[field]));
      expect(parts.reduce((sum, cents) => sum + cents, 0)).toBe(centsOf(plan[field]));
      expect(parts[2]).toBe(0);
    }
  });

  it('counts the views and clicks of its ads, and what they cost', async () => {
    const ad = plan.ads[0] as Ad;
    await server.ctx.db
      .updateTable('ads')
      .set({ totalImpressions: 2000, totalClicks: 4 })
      .where('id', '=', ad.id)
      .execute();
    const shown = (await buyer.get(`/api/plans/${plan.publicId}`)).body as Plan;
    const cents = centsOf(shown.delivered);
    expect(shown).toMatchObject({ impressions: 2000, clicks: 4 });
    expect(centsOf(shown.cpm as string)).toBe(Math.round(cents / 2));
    expect(centsOf(shown.cpc as string)).toBe(Math.round(cents / 4));
  });

  it('is in the list of its advertiser, newest first in pages, and 404 for everybody else', async () => {
    const page = await buyer.get('/api/plans?limit=1');
    expect((page.body as Plan[]).map(({ publicId }) => publicId)).toEqual([plan.publicId]);
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect(((await buyer.get(next)).body as Plan[])[0]?.publicId).not.toBe(plan.publicId);
    expect(((await buyer.get('/api/plans?limit=100')).body as Plan[])[0]).toMatchObject({
      publicId: plan.publicId,
      paid: '50.00',
      ads: [{}, {}, {}],
    });
    const other = await server.signIn('buyer');
    expect((await other.get('/api/plans')).body).toEqual([]);
    for (const each of [other, seller])
      expect((await each.get(`/api/plans/${plan.publicId}`)).status).toBe(404);
    expect((await buyer.get('/api/plans/999999')).status).toBe(404);
    expect((await server.anyone().get(`/api/plans/${plan.publicId}`)).status).toBe(401);
  });
});

describe('the choices for a shortlist', () => {
  const choicesOf = async (refs: readonly string[], by = buyer) =>
    await by.get(`/api/plans/choices?refs=${refs.join(',')}`);

  it('are the bookable ad zones of the named websites and ad zones, each once, with their pricing options', async () => {
    const website = await makeWebsite(seller, { name: 'Wide' });
    const [first, second, free] = [
      await makeZone(seller, website),
      await makeZone(seller, website, { name: 'Second' }),
      await makeZone(seller, website, { name: 'Without a price' }),
    ];
    const product = await makeProduct(seller, first);
    await makeProduct(seller, first, { isActive: false });
    await makeProduct(seller, second);
    const answer = await choicesOf([website.publicId, first.publicId, free.publicId, randomUUID()]);
    expect(answer.body).toMatchObject([
      {
        website: { publicId: website.publicId, name: 'Wide', isVerified: false },
        zone: { publicId: first.publicId, width: 300, height: 250, liveAds: 0 },
        products: [{ id: product.id, price: '100.00' }],
      },
      { zone: { publicId: second.publicId } },
    ]);
    expect(answer.body[0].products).toHaveLength(1);
    expect(answer.text).not.toContain('embedCode');
    await seller.patch(`/api/ad-zones/${first.id}`, { isActive: false });
    expect((await choicesOf([first.publicId])).body).toEqual([]);
  });

  it('name the days that are closed to the caller, as runs', async () => {
    const zone = await makeZone(seller, await makeWebsite(seller));
    const product = await makeProduct(seller, zone, { duration: 7 });
    const open = await choicesOf([zone.publicId]);
    expect(open.body).toMatchObject([{ closed: [], holdsDays: false }]);
    const today = utcDay(server.ctx.now());
    const blocked = [addDays(today, 3), addDays(today, 4)];
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { slots: 1, blockedDays: blocked })).status).toBe(
      200,
    );
    const startDate = addDays(today, 10);
    const placements = [{ adZoneId: zone.publicId, productId: product.id, startDate }];
    expect((await buyer.post('/api/plans', bodyOf({ placements }))).status).toBe(201);
    expect((await choicesOf([zone.publicId])).body).toMatchObject([
      {
        holdsDays: true,
        closed: [
          { from: blocked[0], to: blocked[1] },
          { from: startDate, to: addDays(startDate, 6) },
        ],
      },
    ]);
  });

  it('refuse more than 100 references, and those that are none', async () => {
    const many = await choicesOf(Array.from({ length: 101 }, () => randomUUID()));
    expect([many.status, many.body.message]).toEqual([
      400,
      'A plan can have at most 100 ad zones. Remove some, or submit several plans.',
    ]);
    expect((await choicesOf(['1'])).status).toBe(400);
    expect((await buyer.get('/api/plans/choices')).status).toBe(400);
    expect((await choicesOf([])).body).toEqual([]);
  });
});
