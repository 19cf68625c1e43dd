/** The files of websites, ad zones and ads. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeZone, pay } from '#server/testing/story.ts';

// They make things of every kind.
vi.setConfig({ testTimeout: 300_000 });

const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null };

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let website: { id: number; publicId: string; name: string };
let zone: { id: number; publicId: string; name: string };
let ad: Ad;
let other: { zone: { id: number; publicId: string }; ad: Ad };
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const live = await makeLiveAd(seller, buyer, { product: { ...VIEWS, price: '100.00' } });
  ({ website, zone, ad } = live);
  const second = await makeZone(seller, live.website, { name: 'Second' });
  const product = await makeProduct(seller, second, { ...VIEWS, price: '10.00' });
  const sold = await makeAd(buyer, product);
  await approve(seller, sold);
  await pay(buyer, sold);
  other = { zone: second, ad: sold };
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 30);
  await accrueDue(server.ctx, { early: true });
  const hour = new Date(Math.floor(server.ctx.now().getTime() / 3_600_000) * 3_600_000);
  const row = { zoneId: zone.id, hour };
  await server.ctx.db
    .insertInto('deliveryHourly')
    .values([
      { ...row, adId: ad.id, kind: 'decision', reason: '', n: 6 },
      { ...row, adId: null, kind: 'decision', reason: '', n: 2 },
      { ...row, adId: ad.id, kind: 'click', reason: '', n: 3 },
      { ...row, adId: ad.id, kind: 'click', reason: 'bot', n: 1 },
    ])
    .execute();
});

async function show(subject: string, name: string) {
  const { code, out, err } = await runOpenslot(['show', subject, name, '--json'], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
  });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('the file of a website, an ad zone or an ad', () => {
  it('has what is in it, spend, earnings, holds, traffic and proofs', async () => {
    const ofSite = await show('website', website.publicId);
    expect(ofSite).toMatchObject({ spend: '110.00', earnings: '93.50', status: 'active' });
    expect([idsOf(ofSite.zones), idsOf(ofSite.ads)]).toEqual([
      [other.zone.id, zone.id],
      [other.ad.id, ad.id],
    ]);
    expect(ofSite.holds.map(({ reason }: { reason: string }) => reason)).toContain('unverified_site');
    expect(ofSite.proofs).toMatchObject({ verifiedAt: null });
    expect(ofSite.traffic).toMatchObject({ days: 30, requests: 8, fill: 0.75, clicks: 3 });

    const ofZone = await show('zone', zone.publicId);
    expect(ofZone).toMatchObject({
      spend: '100.00',
      earnings: '85.00',
      websiteName: website.name,
      proofs: null,
    });
    expect([ofZone.zones, idsOf(ofZone.ads)]).toEqual([[], [ad.id]]);

    const ofAd = await show('ad', ad.publicId);
    expect(ofAd).toMatchObject({ spend: '100.00', earnings: '85.00', zoneName: zone.name, ads: [] });
    expect(ofAd.traffic).toMatchObject({ requests: null, fill: null, clicks: 3 });
    expect(ofAd.traffic.invalidShare).toBeGreaterThan(0);
    expect((await show('ad', other.ad.publicId)).traffic).toMatchObject({ clicks: 0, invalidShare: null });
    const held = async (name: string) =>
      (await show('ad', name)).holds.map((hold: { ad: string | null }) => hold.ad);
    expect(await held(ad.publicId)).toEqual([ad.publicId]);
  });

  it('is on its page in the console, with names in place of numbers', async () => {
    const { client } = await makeOperator(server);
    const file = async (path: string) => (await client.get(`/api/operator/${path}`)).body;
    const ofAd = await file(`ads/${ad.id}`);
    expect(ofAd).toMatchObject({
      zone: { id: zone.id, name: zone.name },
      website: { id: website.id, name: website.name },
      owner: { id: buyer.user.id, email: buyer.user.email },
      creatives: [{ title: ad.title }],
      spend: '100.00',
      left: '70.00',
      suspension: null,
    });
    expect(ofAd.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['payment', 'begin']);
    const ofSite = await file(`websites/${website.id}`);
    expect(ofSite).toMatchObject({
      ownership: 'not verified, not checked yet',
      traffic: { requests: 8, fill: 0.75 },
      zones: [{ id: other.zone.id, name: 'Second' }, { id: zone.id }],
    });
    expect(await file(`zones/${zone.id}`)).toMatchObject({ ads: [{ id: ad.id }], spend: '100.00' });
  });

  it('of a person lists the devices that are signed in, and mails without their text', async () => {
    const file = await show('person', buyer.user.email);
    expect(file.signIns).toHaveLength(1);
    expect(file.mails.length).toBeGreaterThan(0);
    expect(Object.keys(file.mails[0]).toSorted()).toEqual(['createdAt', 'sentAt', 'state', 'subject']);
    expect(JSON.stringify(file)).not.toContain('bodyText');
    const { client } = await makeOperator(server);
    const { body } = await client.get(`/api/operator/people/${buyer.user.id}`);
    expect(body.signIns).toHaveLength(1);
    expect(body.mails[0]).toMatchObject({ subject: file.mails[0].subject });
    expect(JSON.stringify(body)).not.toContain('bodyText');
  });
});
