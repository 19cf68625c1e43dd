/** Starts, slots, blocked days and the calendar over HTTP. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { startOfDay } from '#domain/ads/booking.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, addDays, later, utcDay } from '#domain/time.ts';
import { expireUnpaidAds } from '#server/money/checkout/expire-unpaid.ts';
import { beginPayment } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import {
  approve,
  makeAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
  makeLiveAd,
} from '#server/testing/story.ts';
import { completeDueAds } from '../life/complete.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let rival: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  rival = await server.signIn('buyer');
});

const today = () => utcDay(server.clock.now());
const inDays = (count: number) => addDays(today(), count);
const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;

async function makeSlots(
  slots: number | null,
  duration = 3,
  fields: Record<string, unknown> = {},
  option: Record<string, unknown> = {},
): Promise<{ zone: AdZone; product: Product }> {
  const zone = await makeZone(seller, await makeWebsite(seller), { slots, ...fields });
  return { zone, product: await makeProduct(seller, zone, { duration, ...option }) };
}

function submit(client: Client, product: Product, fields: Record<string, unknown> = {}) {
  return client.post('/api/ads', {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: product.adType,
    title: 'Fresh coffee, delivered',
    description: 'Beans roasted on Monday, at your door on Wednesday.',
    targetUrl: 'https://coffee.example/start',
    ...fields,
  });
}

async function calendar(zone: AdZone, query = ''): Promise<Record<string, string>> {
  const { days } = (await server.anyone().get(`/api/ad-zones/${zone.publicId}/calendar${query}`)).body as {
    days: { date: string; state: string; held: number; sold: number }[];
  };
  return Object.fromEntries(
    days.flatMap(({ date, state, held, sold }) =>
      state === 'free' && held + sold === 0 ? [] : [[date, `${state} ${held} ${sold}`]],
    ),
  );
}

describe('a start', () => {
  it('is a day from today to 180 days ahead, for every pricing model', async () => {
    const { zone, product } = await makeSlots(null);
    const views = await makeProduct(seller, zone, {
      pricingModel: 'per_impression',
      duration: null,
      impressions: 1000,
    });
    for (const option of [product, views]) {
      for (const startDate of [inDays(-1), inDays(181), '2026-02-30', 'tomorrow', '', 7])
        expect((await submit(buyer, option, { startDate })).status).toBe(400);
      for (const startDate of [today(), inDays(180)])
        expect(await submit(buyer, option, { startDate })).toMatchObject({
          status: 201,
          body: { startDate: startOfDay(startDate).toISOString(), status: 'pending' },
        });
      expect(await submit(buyer, option, { startDate: null })).toMatchObject({
        status: 201,
        body: { startDate: null, endDate: null },
      });
    }
  });

  // Proves REFU-05
  it('keeps a paid ad from running before its day: its clock stands, and a cancel refunds all', async () => {
    const { product } = await makeSlots(null);
    const start = inDays(10);
    const ad = await makeAd(buyer, product, { startDate: start });
    expect(ad.endDate).toBe(startOfDay(addDays(start, 3)).toISOString());
    await approve(seller, ad);
    expect(await pay(buyer, ad)).toMatchObject({
      status: 'active',
      startDate: startOfDay(start).toISOString(),
      endDate: startOfDay(addDays(start, 3)).toISOString(),
      silentDays: 0,
    });
    server.clock.advance(2 * DAY_MS);
    expect(await completeDueAds(server.ctx)).toBe(0);
    // The ad server reads a payment a moment after it.
    const showing = async () => (await buyer.get(`/api/ads/${ad.id}/showing`)).body.rule;
    await expect.poll(showing).toBe('not_started');
    const quote = (await buyer.get(`/api/ads/${ad.id}/refund-quote`)).body;
    expect(quote).toMatchObject({ delivered: 0, refundAmount: '100.00' });
    expect(await buyer.post(`/api/ads/${ad.id}/cancel`, { refundAmount: '100.00' })).toMatchObject({
      status: 200,
      body: { status: 'completed', refund: { amount: '100.00' } },
    });
  });

  it('is not moved by a pause that is over before it, and is the end of a pause that is not', async () => {
    const { zone, product } = await makeSlots(null);
    const start = inDays(2);
    const ad = await makeAd(buyer, product, { startDate: start });
    await approve(seller, ad);
    await pay(buyer, ad);
    const pause = async (isActive: boolean) => await seller.patch(`/api/ad-zones/${zone.id}`, { isActive });
    await pause(false);
    server.clock.advance(DAY_MS);
    await pause(true);
    expect((await read(ad)).endDate).toBe(startOfDay(addDays(start, 3)).toISOString());
    await pause(false);
    server.clock.set(later(startOfDay(start), 5 * HOUR_MS));
    await pause(true);
    // The clock of the test runs on, so the pause may be some milliseconds longer.
    const end = later(startOfDay(addDays(start, 3)), 5 * HOUR_MS).toISOString();
    expect((await read(ad)).endDate?.slice(0, 18)).toBe(end.slice(0, 18));
  });
});

describe('a zone with slots', () => {
  it('holds a slot on each day from the submission on, sells it with the payment, and frees it at the end', async () => {
    const { zone, product } = await makeSlots(1);
    const start = inDays(5);
    const ad = await makeAd(buyer, product, { startDate: start });
    const days = [start, addDays(start, 1), addDays(start, 2)];
    const allAre = (text: string) => Object.fromEntries(days.map((day) => [day, text]));
    expect(await calendar(zone)).toEqual(allAre('held 1 0'));
    await approve(seller, ad);
    expect(await calendar(zone)).toEqual(allAre('held 1 0'));
    await pay(buyer, ad);
    expect(await calendar(zone)).toEqual(allAre('sold 0 1'));
    await buyer.post(`/api/ads/${ad.id}/cancel`, { refundAmount: '100.00' });
    expect(await calendar(zone)).toEqual({});
  });

  it('refuses a full day, and names it and the next start from which all days are free', async () => {
    const { product } = await makeSlots(1);
    const start = inDays(5);
    await makeAd(rival, product, { startDate: start });
    expect(await submit(buyer, product, { startDate: inDays(3) })).toMatchObject({
      status: 409,
      body: { reason: 'day_full', day: start, nextFreeDay: addDays(start, 3) },
    });
    expect((await submit(buyer, product, { startDate: inDays(2) })).status).toBe(201);
  });

  it('gives an ad without a start the first free days, today at the earliest', async () => {
    const { product } = await makeSlots(1, 7);
    const starts: (string | null)[] = [];
    for (let count = 0; count < 3; count++) starts.push((await makeAd(buyer, product)).startDate);
    expect(starts).toEqual([0, 7, 14].map((days) => startOfDay(inDays(days)).toISOString()));
  });

  it('gives the last slot to exactly one of several people who take it at once', async () => {
    const { zone, product } = await makeSlots(2, 2);
    const startDate = inDays(20);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => submit(index % 2 ? buyer : rival, product, { startDate })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ body }) => body.reason === 'day_full')).toHaveLength(6);
    expect(await calendar(zone)).toEqual({ [startDate]: 'held 2 0', [inDays(21)]: 'held 2 0' });
  });

  it('frees the days of a rejected ad, and gives it the next free ones when it is submitted again', async () => {
    const { zone, product } = await makeSlots(1);
    const startDate = inDays(1);
    const ad = await makeAd(buyer, product, { startDate });
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too loud' });
    expect(await calendar(zone)).toEqual({});
    await makeAd(rival, product, { startDate });
    const { title, description, targetUrl } = ad;
    const again = await buyer.put(`/api/ads/${ad.id}`, { title: `${title}!`, description, targetUrl });
    expect(again.body.startDate).toBe(startOfDay(inDays(4)).toISOString());
  });

  it('takes the days of the whole quantity', async () => {
    const { zone, product } = await makeSlots(1, 2, {}, { maxQuantity: 5 });
    const ad = await makeAd(buyer, product, { quantity: 3, startDate: inDays(1) });
    expect(ad).toMatchObject({ duration: 6, endDate: startOfDay(inDays(7)).toISOString() });
    expect(Object.keys(await calendar(zone))).toEqual([1, 2, 3, 4, 5, 6].map(inDays));
    expect((await submit(rival, product, { startDate: inDays(6) })).body).toMatchObject({
      day: inDays(6),
      nextFreeDay: inDays(7),
    });
  });

  it('does not limit ads by the view', async () => {
    const { zone, product } = await makeSlots(1);
    await makeAd(buyer, product, { startDate: today() });
    const views = await makeProduct(seller, zone, {
      pricingModel: 'per_impression',
      duration: null,
      impressions: 1000,
    });
    expect((await submit(buyer, views, { startDate: today() })).status).toBe(201);
  });

  it('refuses by the database itself what no statement may write', async () => {
    const { zone, product } = await makeSlots(1);
    const ad = await makeAd(buyer, product, { startDate: inDays(3) });
    const other = await makeAd(buyer, product, { startDate: inDays(9) });
    const take = async (adId: number, day: string, slot: number) =>
      await server.ctx.db
        .insertInto('bookedDays')
        .values({ zoneId: zone.id, day, slot, adId, takenAt: server.clock.now() })
        .execute();
    await expect(take(other.id, inDays(3), 1)).rejects.toThrow('booked_days_pkey');
    await expect(take(other.id, inDays(3), 2)).rejects.toThrow('sells no slot 2');
    await expect(take(ad.id, inDays(3), 1)).rejects.toThrow('booked_days');
    const change = async (fields: object) =>
      await server.ctx.db.updateTable('adZones').set(fields).where('id', '=', zone.id).execute();
    await expect(change({ blockedDays: [inDays(3)] })).rejects.toThrow('sold more than it would sell');
    await expect(change({ slots: null })).rejects.toThrow('sold more than it would sell');
  });
});

describe('the payment of an ad with slots', () => {
  it('is possible for three days after the approval (`payBy`); then a late charge is refunded, the ad is rejected, and the days are free again', async () => {
    const { zone, product } = await makeSlots(1);
    const ad = await makeAd(buyer, product, { startDate: inDays(30) });
    expect(ad.payBy).toBeNull();
    const approved = await approve(seller, ad);
    const payBy = later(new Date(approved.updatedAt), 3 * DAY_MS);
    expect(approved.payBy).toBe(payBy.toISOString());
    const { clientSecret } = (await beginPayment(buyer, ad)).body;
    server.clock.set(later(payBy, -1000));
    expect(await expireUnpaidAds(server.ctx)).toBe(0);
    expect((await beginPayment(buyer, ad)).status).toBe(200);
    server.clock.set(payBy);
    expect((await beginPayment(buyer, ad)).status).toBe(409);

    // A card that goes through at the last moment, before the job has freed the days.
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };
    const { paymentIntentId } = (await buyer.post('/api/sandbox/confirm', { clientSecret, ...card })).body;
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(409);
    expect((await read(ad)).status).toBe('approved');
    const refunds = await server.ctx.db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.paymentId')
      .select(['refunds.amountCents'])
      .where('payments.adId', '=', ad.id)
      .execute();
    expect(refunds).toEqual([{ amountCents: 10_000 }]);

    expect(await expireUnpaidAds(server.ctx)).toBe(1);
    expect(await read(ad)).toMatchObject({
      status: 'rejected',
      payBy: null,
      rejectionReason: 'Payment was not made within 3 days, so the booked days are free again',
    });
    expect(await calendar(zone)).toEqual({});
  });

  it('starts the ad at once if its day has passed and the days from today on are free, and is refused otherwise', async () => {
    const { zone, product } = await makeSlots(1, 2);
    const late = await makeAd(buyer, product, { startDate: today() });
    const other = await makeAd(rival, product, { startDate: inDays(2) });
    await approve(seller, late);
    server.clock.advance(DAY_MS);
    // Its second day is today, and the day after is held by the other ad.
    expect(await beginPayment(buyer, late)).toMatchObject({
      status: 409,
      body: { reason: 'day_full', day: inDays(1), nextFreeDay: inDays(3) },
    });
    await seller.put(`/api/ads/${other.id}/reject`, { rejectionReason: 'No' });
    const paid = await pay(buyer, late);
    expect(paid.startDate).toBe(paid.updatedAt);
    expect(paid.endDate).toBe(later(new Date(paid.updatedAt), 2 * DAY_MS).toISOString());
    expect(await calendar(zone)).toMatchObject({ [today()]: 'sold 0 1', [inDays(1)]: 'sold 0 1' });
  });

  it('lets the days of a running ad follow its pauses, as far as slots are free', async () => {
    const { zone, product } = await makeSlots(1, 2);
    server.clock.set(later(startOfDay(inDays(1)), HOUR_MS));
    const ad = await makeAd(buyer, product);
    await approve(seller, ad);
    await pay(buyer, ad);
    // It began at one o'clock, so it also runs on the first hour of the third day.
    expect(Object.keys(await calendar(zone))).toEqual([today(), inDays(1), inDays(2)]);
    await makeAd(rival, product, { startDate: inDays(4) });
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    server.clock.advance(3 * DAY_MS);
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
    // It now ends in the first hour of the fifth day from its start. The day before is sold to another ad.
    expect(await calendar(zone)).toEqual({
      [today()]: 'sold 0 1',
      [inDays(1)]: 'held 1 0',
      [inDays(2)]: 'held 1 0',
    });
  });
});

it('an ad that runs longer while its zone gives up the limit runs on without slots', async () => {
  const { zone, product } = await makeSlots(2, 2);
  const ad = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
  const [change, extension] = [await server.app.pool.connect(), await server.app.pool.connect()];
  try {
    await change.query('begin');
    await change.query('select lock_calendar($1)', [zone.id]);
    await change.query('delete from booked_days where zone_id = $1', [zone.id]);
    await change.query('update ad_zones set slots = null where id = $1', [zone.id]);
    const longer = extension.query(
      `with longer as (update ads set end_date = end_date + interval '1 day' where id = $1 returning id)
        select follow_end_dates(array_agg(id), now()) from longer`,
      [ad.id],
    );
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`.execute(
          server.ctx.db,
        );
        return rows.length;
      })
      .toBe(1);
    await change.query('commit');
    await longer;
  } finally {
    change.release();
    extension.release();
  }
  const booked = server.ctx.db.selectFrom('bookedDays').select('day').where('zoneId', '=', zone.id);
  expect(await booked.execute()).toEqual([]);
});

describe('what a publisher changes', () => {
  it('is the number of slots, from 1 to 100 or without a limit, and never fewer than are held or sold', async () => {
    const { zone, product } = await makeSlots(3);
    for (const slots of [0, 101, 1.5, '2', -1])
      expect((await seller.patch(`/api/ad-zones/${zone.id}`, { slots })).status).toBe(400);
    const ads = [];
    for (let count = 0; count < 3; count++) ads.push(await makeAd(buyer, product, { startDate: inDays(2) }));
    expect(await seller.patch(`/api/ad-zones/${zone.id}`, { slots: 2 })).toMatchObject({
      status: 409,
      body: { day: inDays(2) },
    });
    // The slot that is left has the highest number.
    for (const ad of ads.slice(0, 2))
      await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too loud' });
    expect(await seller.patch(`/api/ad-zones/${zone.id}`, { slots: 1 })).toMatchObject({
      status: 200,
      body: { slots: 1, blockedDays: [] },
    });
    expect((await submit(buyer, product, { startDate: inDays(2) })).status).toBe(409);
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { slots: null })).body.slots).toBeNull();
    expect((await submit(buyer, product, { startDate: inDays(2) })).status).toBe(201);
    expect((await calendar(zone))[inDays(2)]).toBe('free 2 0');
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { slots: 1 })).status).toBe(409);
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { slots: 2 })).status).toBe(200);
    expect((await calendar(zone))[inDays(2)]).toBe('held 2 0');
    expect((await seller.get(`/api/websites/${zone.websiteId}/ad-zones`)).body[0]).toMatchObject({
      slots: 2,
    });
  });

  it('is the days on which nothing is sold by the day, unless they are held or sold', async () => {
    const { zone, product } = await makeSlots(1);
    const blocked = [inDays(6), inDays(4), inDays(6)];
    expect(await seller.patch(`/api/ad-zones/${zone.id}`, { blockedDays: blocked })).toMatchObject({
      status: 200,
      body: { blockedDays: [inDays(4), inDays(6)], slots: 1 },
    });
    expect(await submit(buyer, product, { startDate: inDays(2) })).toMatchObject({
      status: 409,
      body: { reason: 'day_blocked', day: inDays(4), nextFreeDay: inDays(7) },
    });
    await makeAd(buyer, product, { startDate: inDays(1) });
    expect(await seller.patch(`/api/ad-zones/${zone.id}`, { blockedDays: [inDays(2)] })).toMatchObject({
      status: 409,
      body: { reason: 'day_held', day: inDays(2) },
    });
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { blockedDays: ['2026-13-01'] })).status).toBe(
      400,
    );
  });

  it('also blocks days of a zone without a limit', async () => {
    const { zone, product } = await makeSlots(null, 3, { blockedDays: [inDays(1)] });
    expect(zone.blockedDays).toEqual([inDays(1)]);
    expect((await submit(buyer, product, { startDate: today() })).body.reason).toBe('day_blocked');
    expect((await makeAd(buyer, product)).startDate).toBe(startOfDay(inDays(2)).toISOString());
    expect(
      await seller.patch(`/api/ad-zones/${zone.id}`, { blockedDays: [inDays(1), inDays(3)] }),
    ).toMatchObject({ status: 409, body: { day: inDays(3) } });
  });
});

it('a zone gets slots while an ad runs on into a blocked day, which then has none', async () => {
  const { zone, product } = await makeSlots(null, 1);
  const ad = await makeAd(buyer, product);
  await approve(seller, ad);
  // It began within today, so it also runs on a part of tomorrow.
  await pay(buyer, ad);
  await sql`update ad_zones set blocked_days = array[${inDays(1)}::date] where id = ${zone.id}`.execute(
    server.ctx.db,
  );
  expect((await seller.patch(`/api/ad-zones/${zone.id}`, { slots: 1 })).status).toBe(200);
  expect(await calendar(zone)).toEqual({ [today()]: 'sold 0 1', [inDays(1)]: 'blocked 0 0' });
});

describe('the calendar', () => {
  it('is public: 90 days from today, or at most 400, without a cookie', async () => {
    const { zone } = await makeSlots(2, 3, { blockedDays: [inDays(1)] });
    const path = `/api/ad-zones/${zone.publicId}/calendar`;
    const answer = await server.anyone().get(path);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.body).toMatchObject({ timezone: 'UTC', slots: 2, nextFreeDay: today() });
    expect(answer.body.days).toHaveLength(90);
    expect(answer.body.days[0]).toEqual({ date: today(), state: 'free', held: 0, sold: 0 });
    expect(answer.body.days[1]).toEqual({ date: inDays(1), state: 'blocked', held: 0, sold: 0 });
    const range = (await server.anyone().get(`${path}?from=${inDays(-1)}&to=${inDays(398)}`)).body.days;
    expect(range).toHaveLength(400);
    expect(range[0]).toMatchObject({ date: inDays(-1), state: 'past' });
    for (const query of [
      `?from=${inDays(0)}&to=${inDays(400)}`,
      `?from=${inDays(1)}&to=${inDays(0)}`,
      '?from=1',
      '?to=2026-02-30',
    ])
      expect((await server.anyone().get(path + query)).status).toBe(400);
    expect((await server.anyone().get('/api/ad-zones/999999/calendar')).status).toBe(404);
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    expect((await server.anyone().get(path)).status).toBe(404);
    expect((await seller.get(path)).status).toBe(200);
  });

  it('is also an iCalendar file, in which only the publisher reads the titles of the ads', async () => {
    const { zone, product } = await makeSlots(1);
    await makeAd(buyer, product, { startDate: inDays(1), title: 'Coffee, and more; \\ slow' });
    const path = `/api/ad-zones/${zone.publicId}/calendar.ics`;
    const file = await server.anyone().get(path);
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(file.text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    expect(file.text).toContain(`DTSTART;VALUE=DATE:${inDays(1).replaceAll('-', '')}\r\n`);
    expect(file.text).toContain(`DTEND;VALUE=DATE:${inDays(4).replaceAll('-', '')}\r\n`);
    expect(file.text).toContain('SUMMARY:Held\r\n');
    expect(file.text).not.toContain('Coffee');
    expect((await buyer.get(path)).text).not.toContain('Coffee');
    expect((await seller.get(path)).text).toContain(String.raw`SUMMARY:Held: Coffee\, and more\; \\ slow`);
    expect((await server.anyone().get(`${path}?from=x`)).status).toBe(400);
    expect((await server.anyone().get('/api/ad-zones/nothing/calendar.ics')).status).toBe(404);
  });
});

it('gives the days of an own ad as an iCalendar file once they are known, and nobody else’s', async () => {
  const { product } = await makeSlots(1, 3);
  const ad = await makeAd(buyer, product, { startDate: inDays(2), title: 'Coffee' });
  const path = `/api/ads/${ad.publicId}/calendar.ics`;
  const { headers, text } = await buyer.get(path);
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  for (const line of [
    `UID:${ad.publicId}@openslot`,
    `DTSTART;VALUE=DATE:${inDays(2).replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${inDays(5).replaceAll('-', '')}`,
    `SUMMARY:Coffee: ${ad.adZoneName} on ${ad.websiteName}`,
  ])
    expect(text).toContain(`${line}\r\n`);
  expect((await rival.get(path)).status).toBe(404);
  expect((await server.anyone().get(path)).status).toBe(401);
  const withoutStart = await makeAd(buyer, (await makeSlots(null)).product);
  expect(await buyer.get(`/api/ads/${withoutStart.id}/calendar.ics`)).toMatchObject({
    status: 404,
    body: { message: 'This ad has no start yet.' },
  });
});

it('gives an ad that ended within its first day that day', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  const live = await server.ctx.db
    .selectFrom('ads')
    .select('startDate')
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
  const start = live.startDate!;
  await server.ctx.db
    .updateTable('ads')
    .set({ endDate: new Date(start.getTime() + 1000) })
    .where('id', '=', ad.id)
    .execute();
  const { text } = await buyer.get(`/api/ads/${ad.publicId}/calendar.ics`);
  const [, first, end] = /DTSTART;VALUE=DATE:(\d+)\r\nDTEND;VALUE=DATE:(\d+)/.exec(text) ?? [];
  expect(first).toBe(start.toISOString().slice(0, 10).replaceAll('-', ''));
  expect(Number(end)).toBeGreaterThan(Number(first));
});

describe('an unapproved ad', () => {
  it('holds 14 days before its approval, also together with others of its advertiser, and all of its days from the approval on', async () => {
    const { zone, product } = await makeSlots(1, 7, {}, { maxQuantity: 52 });
    const attack = await makeAd(buyer, product, { quantity: 52, startDate: today() });
    expect(Object.keys(await calendar(zone, `?to=${inDays(370)}`))).toEqual(
      Array.from({ length: 14 }, (_, day) => inDays(day)),
    );
    // A second one holds nothing. An honest order gets the days.
    const second = await makeAd(buyer, product, { startDate: inDays(30) });
    expect(Object.keys(await calendar(zone))).toHaveLength(14);
    const honest = await makeAd(rival, product, { startDate: inDays(20) });
    expect(Object.keys(await calendar(zone))).toHaveLength(21);

    const refused = await seller.put(`/api/ads/${attack.id}/approve`);
    expect(refused).toMatchObject({ status: 409, body: { reason: 'day_full', day: inDays(20) } });
    expect(refused.body.message).toContain(
      'Reject it, and the advertiser can resubmit it with another start',
    );
    expect((await read(attack)).status).toBe('pending');
    expect(Object.keys(await calendar(zone))).toHaveLength(21);

    await approve(seller, second);
    expect(Object.keys(await calendar(zone))).toHaveLength(28);
    await approve(seller, honest);
    await seller.put(`/api/ads/${attack.id}/reject`, { rejectionReason: 'No' });
    const content = { title: 'T', description: 'D', targetUrl: 'https://coffee.example/' };
    const start = { ...content, startDate: inDays(20) };
    expect((await buyer.put(`/api/ads/${attack.id}`, start)).status).toBe(409);
    const moved = await buyer.put(`/api/ads/${attack.id}`, { ...content, startDate: inDays(60) });
    expect(moved).toMatchObject({ status: 200, body: { startDate: startOfDay(inDays(60)).toISOString() } });
    await approve(seller, attack);
    expect(Object.keys(await calendar(zone, `?from=${inDays(60)}&to=${inDays(459)}`))).toHaveLength(364);
  });
});
