import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { AdZone, MarketplaceWebsite } from '#domain/inventory/contract.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import type { VoteKind } from '#domain/delivery/votes.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { measureAgain } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { measureZones } from './measure-zones.ts';

const server = useOwnServer({ start: new Date('2027-05-20T12:00:00Z') });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

type Counted = [hour: string, kind: EventKind | VoteKind | 'decision', reason: Reason | '', n: number];

async function count(zoneId: number, adId: number | null, rows: Counted[]): Promise<void> {
  await server.ctx.db
    .insertInto('deliveryHourly')
    .values(rows.map(([hour, kind, reason, n]) => ({ hour: new Date(hour), zoneId, adId, kind, reason, n })))
    .execute();
}

async function readZone(website: { publicId: string }): Promise<AdZone> {
  return (await buyer.get(`/api/websites/${website.publicId}/ad-zones`)).body[0];
}

async function readCard(website: { publicId: string }): Promise<MarketplaceWebsite> {
  const list = (await buyer.get('/api/websites')).body as MarketplaceWebsite[];
  const one = (await buyer.get(`/api/websites/${website.publicId}`)).body as MarketplaceWebsite;
  expect(list.find(({ publicId }) => publicId === website.publicId)).toEqual(one);
  return one;
}

it('shows beside the declared figure what the zones and their website measured, or null', async () => {
  const { website, zone, ad } = await makeLiveAd(seller, buyer, { website: { monthlyVisitors: 30_000 } });
  await measureZones(server.ctx);
  expect((await readZone(website)).measured).toBeNull();
  expect((await readCard(website)).measured).toBeNull();

  await count(zone.id, ad.id, [
    // Before the 28 days, and today: neither counts.
    ['2027-04-22T23:00:00Z', 'view', '', 9000],
    ['2027-05-20T00:00:00Z', 'view', '', 9000],
    ['2027-05-18T10:00:00Z', 'view', '', 100],
    ['2027-05-19T10:00:00Z', 'view', '', 60],
    ['2027-05-19T10:00:00Z', 'view', 'bot', 30],
    ['2027-05-19T10:00:00Z', 'view', 'over_goal', 10],
    ['2027-05-19T10:00:00Z', 'view', 'duplicate', 7],
    ['2027-05-19T10:00:00Z', 'rendered', '', 9000],
    ['2027-05-19T11:00:00Z', 'click', '', 8],
    ['2027-05-19T11:00:00Z', 'click', 'frequency', 2],
    ['2027-05-19T11:00:00Z', 'click', 'expired', 5],
  ]);
  // Shares are those of the networks' votes.
  await count(zone.id, null, [
    ['2027-04-22T23:00:00Z', 'vote_rendered', '', 9000],
    ['2027-05-18T10:00:00Z', 'vote_rendered', '', 60],
    ['2027-05-18T10:00:00Z', 'vote_viewable', '', 30],
    ['2027-05-19T10:00:00Z', 'vote_judged', '', 42],
    ['2027-05-19T11:00:00Z', 'vote_judged', 'bot', 8],
  ]);
  // Nothing changes until the next UTC day has begun and its last events have been counted.
  await measureZones(server.ctx);
  server.clock.set(new Date('2027-05-21T00:04:59Z'));
  await measureZones(server.ctx);
  expect((await readZone(website)).measured).toBeNull();
  await server.ctx.db
    .deleteFrom('deliveryHourly')
    .where('hour', '=', new Date('2027-05-20T00:00:00Z'))
    .execute();
  server.clock.advance(MINUTE_MS);
  await Promise.all([measureZones(server.ctx), measureZones(server.ctx)]);
  const measured = {
    days: 3,
    // The days had 100, 60 and no views.
    viewsPerDay: 60,
    viewability: 0.5,
    // Of 160 views, 8 were clicked, which is too few to know a rate.
    clickRate: null,
    invalidShare: 8 / 50,
  };
  expect((await readZone(website)).measured).toEqual(measured);
  const card = await readCard(website);
  expect(card.measured).toEqual(measured);
  expect(card.monthlyVisitors).toBe(30_000);
  expect(card.forecast).toMatchObject({ basis: 'zone', viewsPerDay: { low: 0, likely: 60 } });
  expect((await seller.get('/api/websites/my')).body).toContainEqual(
    expect.objectContaining({ publicId: website.publicId, measured }),
  );

  // A second zone on sale is forecast from the first one; the website's measure stays.
  const second = await makeZone(seller, website);
  expect((await readCard(website)).forecast?.basis).toBe('zone');
  await makeProduct(seller, second);
  expect(await readCard(website)).toMatchObject({ measured, forecast: { basis: 'site' } });
});

// Proves WARD-110
it('takes what signals withdrew together for invalid traffic, and what a network had beyond its fair share for nothing', async () => {
  server.clock.set(new Date('2027-05-21T12:00:00Z'));
  const { website, zone, ad } = await makeLiveAd(seller, buyer);
  const at = '2027-05-20T10:00:00Z';
  await count(zone.id, ad.id, [[at, 'view', '', 400]]);
  await count(zone.id, null, [
    [at, 'vote_judged', '', 90],
    [at, 'vote_judged', 'bot', 10],
  ]);
  const { db } = server.ctx;
  const withdraw = async (signals: object[], n: number, overrules: number | null = null) => {
    const { rows } = await sql<{ id: number }>`
      insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals, overrules, made_by, reason)
        values (${zone.id}, ${at}, ${at}::timestamptz + interval '1 hour', ${at}, ${JSON.stringify(signals)}::jsonb,
          ${overrules}, ${overrules && 'operator'}, ${overrules && 'Its audience'})
        returning id`.execute(db);
    await sql`insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
      values (${rows[0]!.id}, ${at}, ${ad.id}, 'view', ${zone.id}, ${n})`.execute(db);
    return rows[0]!.id;
  };
  const invalidShare = async () => {
    await measureAgain(server.ctx);
    return (await readZone(website)).measured?.invalidShare;
  };
  expect(await invalidShare()).toBe(0.1);
  await withdraw([{ signal: 'share', value: 208, bound: 8 }], 200);
  expect(await invalidShare()).toBe(0.1);
  // Half of the 200 views that are left, so half of the 90 votes that nothing filtered.
  const made = await withdraw([{ signal: 'browser' }, { signal: 'delay' }], 100);
  expect(await invalidShare()).toBe(0.55);
  await withdraw([], -100, made);
  expect(await invalidShare()).toBe(0.1);
});

it('has no forecast for a website without a zone that can be booked', async () => {
  const website = await makeWebsite(seller, { monthlyVisitors: 30_000 });
  expect((await readCard(website)).forecast).toBeNull();
  const zone = await makeZone(seller, website);
  expect(zone).toMatchObject({ measured: null, forecast: { basis: 'declared' } });
  await makeProduct(seller, zone);
  expect((await readCard(website)).forecast?.basis).toBe('declared');
  const paused = (await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false })).body as AdZone;
  expect(paused.forecast.basis).toBe('declared');
  expect((await readCard(website)).forecast).toBeNull();
});
