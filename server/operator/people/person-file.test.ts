/** The file of a person, and what a suspension costs before it is decided. */
import { beforeAll, describe, expect, it } from 'vitest';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendAct } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeProduct, makeAd, approve, pay } from '#server/testing/story.ts';
import { holdByOperator } from '../money/books.ts';

const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null };

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let other: Client;
let zone: { id: number; publicId: string };
let websiteId: number;
beforeAll(async () => {
  [seller, buyer, other] = [
    await server.signIn('seller'),
    await server.signIn('buyer'),
    await server.signIn('both'),
  ];
  const first = await makeLiveAd(seller, buyer, { product: { ...VIEWS, price: '100.00' } });
  zone = first.zone;
  websiteId = first.website.id;
  const product = await makeProduct(seller, first.zone, { ...VIEWS, price: '10.00' });
  for (const advertiser of [buyer, other]) {
    const ad = await makeAd(advertiser, product);
    await approve(seller, ad);
    await pay(advertiser, ad);
  }
  await countAt(server.ctx, first.ad, server.ctx.now().toISOString(), 30);
  await accrueDue(server.ctx, { early: true });
  // Counted since, and not posted yet.
  await countAt(server.ctx, first.ad, new Date(server.ctx.now().getTime() + 1).toISOString(), 4);
});

async function openslot(...words: string[]) {
  const { code, out, err } = await runOpenslot([...words, '--json'], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
  });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

const suspendDry = async (...words: string[]) =>
  await openslot('suspend', ...words, '--reason', 'Copied pages', '--dry-run');

describe('the file of a person', () => {
  it('has role, websites, ads, spend, earnings, holds and acts', async () => {
    await holdByOperator(
      server.ctx,
      { id: null },
      { of: 'person', id: seller.user.id, reason: 'A look at it' },
    );
    const publisher = await openslot('show', 'person', seller.user.email);
    expect(publisher).toMatchObject({
      id: seller.user.id,
      role: 'seller',
      websites: [{ id: websiteId, name: 'The Daily Slot', status: 'active' }],
      ads: [],
      spend: '0.00',
      earnings: (await seller.get('/api/analytics/earnings')).body.totalEarnings,
    });
    // The website is not verified. Each ad has a hold of its own, and the operator's covers all of them.
    expect(publisher.holds.map(({ reason, amount }: Record<string, string>) => [reason, amount])).toEqual([
      ['unverified_site', '25.50'],
      ['unverified_site', '0.00'],
      ['unverified_site', '0.00'],
      ['operator', '25.50'],
    ]);
    expect(publisher.earnings).toBe('102.00');
    expect(publisher.acts.map(({ act }: { act: string }) => act)).toEqual(['hold']);
    const advertiser = await openslot('show', 'person', buyer.user.email);
    expect(advertiser).toMatchObject({ role: 'buyer', websites: [], spend: '110.00', earnings: '0.00' });
    expect(advertiser.ads).toHaveLength(2);
    expect(advertiser.holds).toEqual([]);

    const { client } = await makeOperator(server);
    const { body } = await client.get(`/api/operator/people/${seller.user.id}`);
    expect(body).toMatchObject({
      name: seller.user.email,
      websites: [{ id: websiteId, name: 'The Daily Slot', isSuspended: false }],
      earnings: '102.00',
      // The operator's hold covers those of single ads.
      onHold: '25.50',
      suspension: null,
    });
    expect(body.timeline).toContainEqual(
      expect.objectContaining({ kind: 'act', by: 'command line', detail: 'A look at it' }),
    );
    const sold = body.timeline.filter(({ kind }: { kind: string }) => kind === 'payment');
    expect(sold.map(({ text, sum }: { text: string; sum: object }) => [text, sum])).toEqual([
      ['Sold', { amount: '10.00', currency: 'USD' }],
      ['Sold', { amount: '10.00', currency: 'USD' }],
      ['Sold', { amount: '100.00', currency: 'USD' }],
    ]);
  });
});

describe('what a suspension costs', () => {
  it('is said before it, in the console and by --dry-run: campaigns, advertisers, and what they get back', async () => {
    const nothing = { refunds: '0.00', dryRun: true };
    for (const words of [
      ['website', String(websiteId)],
      ['zone', zone.publicId],
    ])
      expect(await suspendDry(...words)).toMatchObject({ campaigns: 3, advertisers: 2, ...nothing });
    // An advertiser's campaigns are not ended.
    expect(await suspendDry('person', buyer.user.email)).toMatchObject({ campaigns: 0, ...nothing });
    expect(await suspendDry('person', seller.user.email)).toMatchObject({
      campaigns: 3,
      advertisers: 2,
      refunds: '86.00',
      dryRun: true,
    });
    expect((await server.ctx.db.selectFrom('refunds').selectAll().execute()).length).toBe(0);

    const operator = await makeOperator(server);
    const path = `/operator/people/${seller.user.id}`;
    const consequenceOf = async (at: string): Promise<string | undefined> =>
      ((await operator.client.get(`/api${at}`)).body.acts as { path: string; consequence: string }[]).find(
        (act) => act.path === `/api${at}/suspend`,
      )?.consequence;
    const consequence = await consequenceOf(path);
    expect(consequence).toContain('3 campaigns, $86.00 back to 2 advertisers.');
    expect(await consequenceOf(`/operator/zones/${zone.id}`)).toContain(
      '3 campaigns of 2 advertisers paused, nothing refunded.',
    );
    await confirmOperator(server, operator);
    // An operator who has read something else is asked again, and nothing happens.
    const suspendAs = async (read: string) =>
      await sendAct(operator.client, `${path}/suspend`, { reason: 'Copied pages', consequence: read });
    expect(await suspendAs('No running campaign is affected.')).toMatchObject({
      status: 409,
      body: { consequence },
    });
    expect(await server.ctx.db.selectFrom('refunds').selectAll().execute()).toEqual([]);
    expect(await suspendAs(consequence ?? '')).toMatchObject({ status: 200 });
    const refunds = await server.ctx.db.selectFrom('refunds').select('amountCents').execute();
    expect(refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(8600);
    expect(await consequenceOf(path)).toBe(undefined);
    const after = (await operator.client.get(`/api${path}`)).body;
    expect(after).toMatchObject({ suspension: { reason: 'Copied pages' } });
    const back = after.timeline.filter(({ kind }: { kind: string }) => kind === 'refund');
    expect(back.map(({ sum }: { sum: { amount: string } }) => sum.amount)).toHaveLength(3);
  });
});
