/** The mail about a publisher's week: who gets it, once, and with the figures of which calls. */
import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { runDueJobs } from '#server/app/jobs/run-due.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import type { Client } from '#server/testing/client.ts';
import { chooseTimezone, countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeZone, pay } from '#server/testing/story.ts';
import { mailPublisherWeek } from './publisher-week.ts';

const views = { pricingModel: 'per_impression', price: '20.00', impressions: 10_000, duration: undefined };

/** A Monday, long after the week that the migration has marked as told. */
const START = new Date('2031-03-03T10:00:00Z');
const server = useOwnServer({ start: START });

const mailsTo = async (client: Client) =>
  (await mailTo(server.ctx, client.user.email)).filter(({ kind }) => kind === 'publisher-week');

let monday: Date;
/** Each test has the next week. Those before are done. */
beforeEach(async () => {
  const today = new Date(server.ctx.now().toISOString().slice(0, 10));
  monday = later(today, ((8 - today.getUTCDay()) % 7 || 7) * DAY_MS);
  server.clock.set(later(monday, 14 * HOUR_MS));
  await mailPublisherWeek(server.ctx);
});
const due = () => later(monday, 7 * DAY_MS + 12.1 * HOUR_MS);
const dayOf = (at: Date) =>
  at.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

async function see(...zones: { id: number }[]): Promise<void> {
  await server.ctx.db
    .updateTable('adZones')
    .set({ tagSeenAt: server.ctx.now() })
    .where(
      'id',
      'in',
      zones.map(({ id }) => id),
    )
    .execute();
}

it('comes once on Monday at noon, with what was earned and where, what waits, and what is free', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad, zone, website } = await makeLiveAd(seller, buyer, { product: views });
  const banner = await makeZone(seller, website, { name: 'Banner' });
  const product = await makeProduct(seller, banner, views);
  const other = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
  await makeAd(buyer, product);
  await makeZone(seller, website, { name: 'Footer' });
  await countAt(server.ctx, ad, later(monday, DAY_MS).toISOString(), 3000);
  await countAt(server.ctx, other, later(monday, DAY_MS).toISOString(), 1000);
  // The next week.
  await countAt(server.ctx, ad, later(monday, 8 * DAY_MS).toISOString(), 500);
  server.clock.set(later(due(), -HOUR_MS));
  await see(zone, banner);
  await accrueDue(server.ctx, { early: true });
  await mailPublisherWeek(server.ctx);
  expect(await mailsTo(seller)).toEqual([]);
  server.clock.set(due());
  await Promise.all([1, 2, 3].map(async () => await mailPublisherWeek(server.ctx)));
  server.clock.advance(DAY_MS);
  await mailPublisherWeek(server.ctx);

  const [mail, ...more] = await mailsTo(seller);
  expect(more).toEqual([]);
  expect(await mailsTo(buyer)).toEqual([]);
  expect(mail?.subject).toBe(`Your ad zones from ${dayOf(monday)} to ${dayOf(later(monday, 6 * DAY_MS))}`);
  const week = {
    from: monday.toISOString().slice(0, 10),
    to: later(monday, 6 * DAY_MS)
      .toISOString()
      .slice(0, 10),
  };
  const rows = (
    await seller.get(`/api/analytics/breakdown?side=seller&by=zone&from=${week.from}&to=${week.to}`)
  ).body as { name: string; amount: string }[];
  expect(rows.map(({ name, amount }) => [name, amount])).toEqual([
    ['Sidebar', '5.10'],
    ['Banner', '1.70'],
  ]);
  const { steps } = (await seller.get('/api/waiting')).body as { steps: { kind: string; amount: string }[] };
  expect(steps.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['review', null],
    ['payout', '7.65'],
    ['price', null],
  ]);
  for (const text of [
    'You earned $6.80 last week, $5.10 of it with “Sidebar” on The Daily Slot.',
    '1 ad waits for your answer, $7.65 waits for your payout account, and 1 ad zone waits for a price.',
    'Free to sell: “Sidebar” on The Daily Slot now, and 1 more ad zone.',
    `Open your results:\n${server.ctx.config.publicUrl}/results`,
    'because “Campaign updates” is on',
  ])
    expect(mail?.text).toContain(text);
});

it('says so when nothing was earned, nothing waits and everything is sold, and has the free day of slots', async () => {
  const [full, slots] = [await server.signIn('seller'), await server.signIn('seller')];
  const buyer = await server.signIn('buyer');
  const week = { price: '70.00', duration: 7 };
  const booked = await makeLiveAd(slots, buyer, { zone: { slots: 1 }, product: week });
  const paused = await makeLiveAd(full, buyer, { product: views });
  await see(booked.zone, paused.zone);
  expect((await full.patch(`/api/ad-zones/${paused.zone.id}`, { isActive: false })).status).toBe(200);
  server.clock.set(due());
  await see(booked.zone, paused.zone);
  await mailPublisherWeek(server.ctx);
  const text = (await mailsTo(full))[0]?.text;
  for (const sentence of ['You earned nothing last week.', 'Nothing waits for you.', 'Everything is sold.'])
    expect(text).toContain(sentence);
  const { nextFreeDay } = (await slots.get(`/api/ad-zones/${booked.zone.id}/calendar`)).body;
  expect((await mailsTo(slots))[0]?.text).toContain(
    `Free to sell: “Sidebar” on The Daily Slot from ${dayOf(new Date(nextFreeDay as string))}.`,
  );
});

it('has the days of the publisher’s timezone, and says all of it of one ad zone', async () => {
  const seller = await server.signIn('seller');
  await chooseTimezone(seller, 'America/New_York');
  const { ad, zone } = await makeLiveAd(seller, await server.signIn('buyer'), { product: views });
  // Late on Sunday in New York, and early on Monday there.
  await countAt(server.ctx, ad, later(monday, 7 * DAY_MS + 3 * HOUR_MS).toISOString(), 1000);
  await countAt(server.ctx, ad, later(monday, 7 * DAY_MS + 6 * HOUR_MS).toISOString(), 300);
  server.clock.set(due());
  await see(zone);
  await mailPublisherWeek(server.ctx);
  expect((await mailsTo(seller))[0]?.text).toContain(
    'You earned $1.70 last week, all of it with “Sidebar” on The Daily Slot.',
  );
});

it('leaves out who turned it off, is suspended, or has no tag of the last 28 days, and is a part of `jobs run`', async () => {
  const [wants, off, suspended, silent] = await Promise.all(
    [1, 2, 3, 4].map(async () => await server.signIn('seller')),
  );
  const buyer = await server.signIn('buyer');
  for (const seller of [silent, wants, off, suspended] as Client[]) {
    const { zone } = await makeLiveAd(seller, buyer, { product: views });
    await see(zone);
    // The others are seen four weeks later.
    if (seller === silent) server.clock.advance(28 * DAY_MS);
  }
  expect((await off!.patch('/api/user/settings', { campaignUpdates: false })).status).toBe(200);
  await server.ctx.db
    .updateTable('users')
    .set({ suspendedAt: server.ctx.now(), suspendedReason: 'Spam' })
    .where('id', '=', suspended!.user.id)
    .execute();
  server.clock.set(later(due(), 28 * DAY_MS));
  expect((await runDueJobs(server.ctx, server.databaseUrl)).failed).toEqual([]);
  const counts = await Promise.all(
    [wants, off, suspended, silent].map(async (seller) => (await mailsTo(seller!)).length),
  );
  expect(counts).toEqual([1, 0, 0, 0]);
});
