/** The waiting list over HTTP. The tests run its job themselves and move the marketplace's clock. */
import { beforeAll, expect, it } from 'vitest';
import { OFFER_MS, startOfDay } from '#domain/ads/booking.ts';
import type { Calendar, WaitingEntry } from '#domain/ads/booking-contract.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { DAY_MS, addDays, later, utcDay } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { offerDueDays } from './waiting-list.ts';

const server = useOwnServer();
let seller: Client;
let first: Client;
let second: Client;
let third: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  first = await server.signIn('buyer', { email: 'first@example.test' });
  second = await server.signIn('buyer', { email: 'second@example.test' });
  third = await server.signIn('buyer', { email: 'third@example.test' });
});

const inDays = (count: number) => addDays(utcDay(server.clock.now()), count);
const join = (client: Client, product: Product, startDate: string, quantity = 1) =>
  client.post(`/api/ad-zones/${product.adZoneId}/waiting-list`, {
    productId: product.id,
    quantity,
    startDate,
  });
const mine = async (client: Client, { id }: { id: number }): Promise<WaitingEntry | undefined> =>
  ((await client.get('/api/waiting-list')).body as WaitingEntry[]).find((entry) => entry.id === id);
const submit = (client: Client, product: Product, startDate: string) =>
  client.post('/api/ads', {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: 'text',
    title: 'Tea',
    description: 'Leaves.',
    targetUrl: 'https://tea.example/',
    startDate,
  });
const countOffers = async (address: string) =>
  (await mailTo(server.ctx, address)).filter(({ kind }) => kind === 'days-offered').length;

/** A zone with slots whose next three days from `start` on are full. */
async function makeFull(slots = 1): Promise<{ zone: AdZone; product: Product; start: string; ads: Ad[] }> {
  const zone = await makeZone(seller, await makeWebsite(seller), { slots });
  const product = await makeProduct(seller, zone, { duration: 3, maxQuantity: 3 });
  const start = inDays(3);
  const ads = [];
  for (let count = 0; count < slots; count++)
    ads.push(await makeAd(await server.signIn('buyer'), product, { startDate: start }));
  return { zone, product, start, ads };
}
const reject = (ad: Ad | undefined) =>
  seller.put(`/api/ads/${ad?.id}/reject`, { rejectionReason: 'Not for us' });

it('takes people in the order in which they come, once each, for days that are not free', async () => {
  const { zone, product, start } = await makeFull();
  const entry = await join(first, product, start);
  expect(entry).toMatchObject({
    status: 201,
    body: {
      position: 1,
      state: 'waiting',
      startDate: start,
      endDate: addDays(start, 2),
      offeredUntil: null,
      productId: product.id,
      adZonePublicId: zone.publicId,
    },
  });
  expect((await join(second, product, addDays(start, 2))).body.position).toBe(2);
  expect(await join(first, product, addDays(start, 1))).toMatchObject({
    status: 409,
    body: { reason: 'waiting' },
  });
  expect(await join(third, product, addDays(start, 3))).toMatchObject({
    status: 409,
    body: { reason: 'free' },
  });
  expect((await join(third, product, addDays(start, -3), 2)).body).toMatchObject({
    endDate: addDays(start, 2),
    position: 3,
  });
  await seller.patch(`/api/ad-zones/${zone.id}`, { blockedDays: [addDays(start, 9)] });
  expect(await join(third, product, addDays(start, 8))).toMatchObject({
    status: 409,
    body: { reason: 'day_blocked', day: addDays(start, 9) },
  });
  for (const startDate of [inDays(-1), inDays(181), 'soon'])
    expect((await join(third, product, startDate)).status).toBe(400);
  for (const quantity of [0, 1.5, 4, 10_001, '2'])
    expect(
      (
        await third.post(`/api/ad-zones/${zone.id}/waiting-list`, {
          productId: product.id,
          quantity,
          startDate: start,
        })
      ).status,
    ).toBe(400);
  expect((await join(third, { ...product, id: 999_999 }, start)).status).toBe(400);
  expect((await join(third, { ...product, adZoneId: 999_999 }, start)).status).toBe(404);
  const unlimited = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  expect((await join(third, unlimited, start)).status).toBe(400);
});

it('offers free days in order, each person 24 hours ahead of the next, who cannot book them before', async () => {
  const { product, start, ads } = await makeFull();
  const { body: one } = await join(first, product, start);
  const { body: two } = await join(second, product, start);
  expect(await offerDueDays(server.ctx)).toBe(0);
  await reject(ads[0]);
  expect(await offerDueDays(server.ctx)).toBe(1);
  expect(await offerDueDays(server.ctx)).toBe(0);
  const offered = await mine(first, one);
  expect(offered).toMatchObject({ state: 'offered', position: 1 });
  const until = new Date(offered?.offeredUntil as string);
  expect(until.getTime() - server.clock.now().getTime()).toBeGreaterThan(OFFER_MS - DAY_MS / 24);
  expect(await mine(second, two)).toMatchObject({ state: 'waiting', position: 2 });
  expect([await countOffers('first@example.test'), await countOffers('second@example.test')]).toEqual([1, 0]);

  const stateOfStart = async () => {
    const { days } = (await server.anyone().get(`/api/ad-zones/${product.adZoneId}/calendar`))
      .body as Calendar;
    return days.find(({ date }) => date === start);
  };
  expect(await stateOfStart()).toMatchObject({ state: 'held', held: 1 });
  for (const client of [second, third])
    expect(await submit(client, product, addDays(start, 1))).toMatchObject({
      status: 409,
      body: { reason: 'day_offered', day: addDays(start, 1), nextFreeDay: addDays(start, 3) },
    });

  server.clock.set(until);
  // Also before the job has run.
  expect(await stateOfStart()).toMatchObject({ state: 'free', held: 0 });
  expect(await offerDueDays(server.ctx)).toBe(1);
  expect(await mine(first, one)).toMatchObject({ state: 'expired' });
  expect(await mine(second, two)).toMatchObject({ state: 'offered', position: 1 });
  expect(await countOffers('second@example.test')).toBe(1);
  expect((await submit(first, product, start)).body.reason).toBe('day_offered');
  expect(await submit(second, product, start)).toMatchObject({
    status: 201,
    body: { startDate: startOfDay(start).toISOString() },
  });
  expect(await mine(second, two)).toMatchObject({ state: 'booked' });
});

it('offers the rest to the next person at once when somebody books fewer slots than are free', async () => {
  const { product, start, ads } = await makeFull(2);
  const { body: one } = await join(first, product, start);
  const { body: two } = await join(second, product, start);
  for (const ad of ads) await reject(ad);
  await offerDueDays(server.ctx);
  expect(await mine(second, two)).toMatchObject({ state: 'waiting' });
  expect((await submit(first, product, start)).status).toBe(201);
  expect(await mine(first, one)).toMatchObject({ state: 'booked' });
  expect(await mine(second, two)).toMatchObject({ state: 'offered' });
  expect((await submit(second, product, start)).status).toBe(201);
  expect((await submit(third, product, start)).body.reason).toBe('day_full');
});

// Proves OP-107
it('is in the export of a person, and goes with their account', async () => {
  const { product, start } = await makeFull();
  const person = await server.signIn('buyer');
  await join(person, product, start);
  expect((await person.post('/api/user/export-data')).body.waitingList).toMatchObject([{ startDate: start }]);
  expect((await person.delete('/api/user/account')).status).toBe(200);
  expect((await join(second, product, start)).body.position).toBe(1);
});

it('lets go only the person who waits, and offers their days to the next one', async () => {
  const { product, start, ads } = await makeFull();
  const { body: one } = await join(first, product, start);
  const { body: two } = await join(second, product, start);
  await reject(ads[0]);
  await offerDueDays(server.ctx);
  expect((await second.delete(`/api/waiting-list/${one.id}`)).status).toBe(404);
  expect((await first.delete(`/api/waiting-list/${one.id}`)).status).toBe(200);
  expect((await first.delete(`/api/waiting-list/${one.id}`)).status).toBe(404);
  expect(await mine(first, one)).toBeUndefined();
  expect(await mine(second, two)).toMatchObject({ state: 'offered' });

  // An offer that nobody takes up ends at the latest with its first day.
  server.clock.set(later(startOfDay(start), DAY_MS));
  await offerDueDays(server.ctx);
  expect(await mine(second, two)).toMatchObject({ state: 'expired' });
});
