/** A second creative of a campaign, from its submission to the verdict (docs/decisions/071-review-clock.md). */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ad, Submission } from '#domain/ads/contract.ts';
import type { Variant } from '#domain/ads/variants-contract.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { adRow, BROWSER } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { approve, makeAd, makeLiveAd } from '#server/testing/story.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { reportedCase } from '#server/market/transparency/moderate.ts';
import { rejectUnansweredVariants } from './decide.ts';

const server = useOwnAdServer();

const SECOND = {
  title: 'Coffee, one week free',
  description: 'Try it.',
  targetUrl: 'https://coffee.example/free?from={ad}',
};

async function campaign(fields: Parameters<typeof makeLiveAd>[2] = {}) {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const live = await makeLiveAd(seller, buyer, { website: { url: 'https://daily.example' }, ...fields });
  return { seller, buyer, ...live };
}

async function add(buyer: Client, ad: Pick<Ad, 'publicId'>, fields: object = {}): Promise<Variant> {
  const answer = await buyer.post(`/api/ads/${ad.publicId}/variants`, { ...SECOND, ...fields });
  if (answer.status !== 201) throw new Error(`The second creative answered ${answer.status}: ${answer.text}`);
  return answer.body as Variant;
}

/** A campaign that shows two creatives. */
async function withTwo(fields: Parameters<typeof makeLiveAd>[2] = {}) {
  const made = await campaign(fields);
  const variant = await add(made.buyer, made.ad);
  expect((await made.seller.put(`/api/ads/${variant.publicId}/approve`)).status).toBe(200);
  await server.app.refreshDelivery();
  return { ...made, variant };
}

const lastMailTo = async ({ user }: Client) => (await mailTo(server.ctx, user.email)).at(-1);

let visitors = 0;
/** Shows the zone to another visitor, who sees the ad and clicks if `clicks` says so. */
async function visit(zone: { publicId: string }, clicks: (title: string) => boolean = () => false) {
  const visitor = { userAgent: `${BROWSER} shopper ${++visitors}` };
  const [ad] = await server.ask([zone.publicId], visitor);
  if (!ad?.view || !ad.click) throw new Error(`The zone shows no ad: ${JSON.stringify(ad)}`);
  server.clock.advance(2000);
  await server.view(ad.view, visitor);
  const title = ad.title as string;
  const { location } = clicks(title) ? await server.click(ad.click, visitor) : { location: null };
  return { title, why: ad.why as string, location, click: ad.click };
}

const resultsOf = async (buyer: Client, ad: Pick<Ad, 'publicId'>) =>
  (await buyer.get(`/api/ads/${ad.publicId}/results`)).body;

describe('a second creative', () => {
  it('is reviewed like an ad, in the publisher’s list, with the first one beside it', async () => {
    const { seller, buyer, ad, zone } = await campaign();
    const variant = await add(buyer, ad);
    expect(variant).toMatchObject({
      ...SECOND,
      ad: ad.publicId,
      status: 'pending',
      decidedAt: null,
      imageUrl: null,
    });
    const { body: listed } = await seller.get('/api/ads/pending');
    expect(listed).toHaveLength(1);
    const [shown] = listed as Submission[];
    expect(shown).toMatchObject({
      publicId: variant.publicId,
      id: variant.id,
      title: SECOND.title,
      status: 'pending',
      advertiser: expect.any(Object),
      variantOf: { publicId: ad.publicId, title: ad.title, targetUrl: ad.targetUrl },
    });
    expect((await seller.get('/api/waiting')).body.steps).toContainEqual(
      expect.objectContaining({ kind: 'review', id: variant.id, title: SECOND.title }),
    );
    expect((await seller.get(`/api/ads/${variant.id}/details`)).body).toEqual(shown);
    expect((await buyer.get(`/api/ads/${variant.publicId}/details`)).status).toBe(200);
    expect((await lastMailTo(seller))?.subject).toContain('second creative is waiting');

    // Before the approval, visitors see the first one only.
    await server.app.refreshDelivery();
    for (let at = 0; at < 6; at += 1) expect((await visit(zone)).title).toBe(ad.title);

    const { status, body } = await seller.put(`/api/ads/${variant.id}/approve`, { version: shown!.version });
    expect([status, body.publicId, body.status]).toEqual([200, variant.publicId, 'approved']);
    expect((await lastMailTo(buyer))?.subject).toContain('second creative was approved');
    expect((await seller.get('/api/ads/pending')).body).toEqual([]);
    expect((await seller.put(`/api/ads/${variant.id}/approve`)).status).toBe(409);
    expect((await seller.put(`/api/ads/${variant.id}/reject`, { rejectionReason: 'No' })).status).toBe(409);
  });

  it('is rejected with a reason, and another one may follow', async () => {
    const { seller, buyer, ad } = await campaign();
    const { publicId } = await add(buyer, ad);
    expect((await seller.put(`/api/ads/${publicId}/reject`, { rejectionReason: ' ' })).status).toBe(400);
    expect((await seller.put(`/api/ads/${publicId}/reject`, { rejectionReason: 'Too loud' })).status).toBe(
      200,
    );
    expect((await lastMailTo(buyer))?.text).toContain('Too loud');
    const again = await add(buyer, ad);
    expect((await buyer.get(`/api/ads/${ad.id}/variants`)).body).toMatchObject([
      { publicId: again.publicId, status: 'pending' },
      { publicId, status: 'rejected', rejectionReason: 'Too loud' },
    ]);
    expect((await buyer.get(`/api/ads/${ad.publicId}`)).body).toMatchObject({
      status: 'active',
      title: ad.title,
    });
  });

  it('is rejected if nobody answers in time', async () => {
    const { buyer, ad } = await campaign();
    const { publicId } = await add(buyer, ad);
    expect(await rejectUnansweredVariants(server.ctx)).toBe(0);
    server.clock.advance(5 * DAY_MS + 1000);
    expect(await rejectUnansweredVariants(server.ctx)).toBeGreaterThan(0);
    expect((await buyer.get(`/api/ads/${ad.id}/variants`)).body).toMatchObject([
      { publicId, status: 'rejected', rejectionReason: 'The publisher did not answer within 5 days' },
    ]);
  });

  it('is approved at once by a publisher who trusts the advertiser for its host', async () => {
    const { seller, buyer, ad } = await campaign();
    const first = await add(buyer, ad);
    await seller.put(`/api/ads/${first.id}/approve`, { trust: true });
    await buyer.delete(`/api/ads/${ad.id}/variants/${first.id}`);
    expect(await add(buyer, ad, { title: 'Another' })).toMatchObject({ status: 'approved' });
    expect((await lastMailTo(seller))?.subject).toContain('you trust');
    const { status } = await buyer.delete(`/api/ads/${ad.id}/variants/${first.id}`);
    expect(status).toBe(409);
  });

  it('belongs to a running campaign of its advertiser, which has one at a time', async () => {
    const { seller, buyer, ad, product } = await campaign();
    const [stranger, path] = [await server.signIn('buyer'), `/api/ads/${ad.publicId}/variants`];
    for (const call of [stranger.post(path, SECOND), stranger.get(path), seller.get(path)])
      expect((await call).status).toBe(404);
    expect((await seller.post(path, SECOND)).status).toBe(403);
    expect((await server.anyone().post(path, SECOND)).status).toBe(401);

    const unpaid = await makeAd(buyer, product);
    expect((await buyer.post(`/api/ads/${unpaid.id}/variants`, SECOND)).status).toBe(409);
    await approve(seller, unpaid);
    expect((await buyer.post(`/api/ads/${unpaid.id}/variants`, SECOND)).status).toBe(409);

    const { title, description, targetUrl } = ad;
    for (const wrong of [
      {},
      { ...SECOND, title: '' },
      { ...SECOND, description: 'x'.repeat(501) },
      { ...SECOND, targetUrl: 'http://192.168.1.1/' },
      { ...SECOND, targetUrl: 'https://{site}/' },
      { title, description, targetUrl },
    ])
      expect((await buyer.post(path, wrong)).status).toBe(400);
    const made = await Promise.all(Array.from({ length: 4 }, () => buyer.post(path, SECOND)));
    expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409, 409,
    ]);
    const [variant] = (await buyer.get(path)).body as Variant[];

    const removal = `${path}/${variant!.publicId}`;
    expect((await stranger.delete(removal)).status).toBe(404);
    expect((await buyer.delete(`/api/ads/${unpaid.id}/variants/${variant!.publicId}`)).status).toBe(404);
    for (const other of [seller, await server.signIn('seller')])
      expect((await other.delete(removal)).status).toBe(403);
    const otherSeller = await server.signIn('seller');
    expect((await otherSeller.put(`/api/ads/${variant!.id}/approve`)).status).toBe(404);
    expect((await otherSeller.get(`/api/ads/${variant!.id}/details`)).status).toBe(404);
    expect((await buyer.delete(removal)).body).toMatchObject({ status: 'removed', removedFor: 'advertiser' });
    expect((await buyer.delete(removal)).status).toBe(409);
    expect((await seller.get('/api/ads/pending')).body).toEqual([]);
    expect((await seller.put(`/api/ads/${variant!.id}/approve`)).status).toBe(409);

    const last = await add(buyer, ad);
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
    expect((await seller.put(`/api/ads/${last.id}/approve`)).status).toBe(409);
    expect((await seller.get('/api/ads/pending')).body).toEqual([]);
    expect((await buyer.post(path, SECOND)).status).toBe(409);
  });

  it('follows the rules of the website', async () => {
    const { seller, buyer, ad, website } = await campaign();
    await seller.patch(`/api/websites/${website.id}`, { rules: { words: ['free'] } });
    const answer = await buyer.post(`/api/ads/${ad.id}/variants`, SECOND);
    expect([answer.status, answer.body.rule]).toEqual([400, 'free']);
  });

  it('can be followed by seven others, and by no more', async () => {
    const { buyer, ad } = await campaign();
    for (let at = 0; at < 8; at += 1) {
      const { id } = await add(buyer, ad, { title: `Try ${at}` });
      expect((await buyer.delete(`/api/ads/${ad.id}/variants/${id}`)).status).toBe(200);
    }
    expect((await buyer.post(`/api/ads/${ad.id}/variants`, SECOND)).status).toBe(409);
  });

  // Proves RES-46
  it('is shown in turn with the first one, and leads to its own target', async () => {
    const { buyer, ad, zone, variant } = await withTwo();
    const seen: Awaited<ReturnType<typeof visit>>[] = [];
    for (let at = 0; at < 20; at += 1) seen.push(await visit(zone, () => true));
    const of = (title: string) => seen.filter((each) => each.title === title);
    expect([of(ad.title).length, of(SECOND.title).length]).toEqual([10, 10]);
    expect(of(ad.title)[0]?.location).toBe('https://coffee.example/start');
    expect(of(SECOND.title)[0]?.location).toBe(`https://coffee.example/free?from=${variant.publicId}`);
    // Pairs in random order: not always the same one first.
    const firsts = seen.filter((_, at) => at % 2 === 0).map(({ title }) => title);
    expect(new Set(firsts).size).toBe(2);

    const late = await visit(zone);
    await visit(zone);
    await buyer.delete(`/api/ads/${ad.id}/variants/${variant.id}`);
    await server.app.refreshDelivery();
    for (let at = 0; at < 6; at += 1) expect((await visit(zone)).title).toBe(ad.title);
    // A page that is still open leads to the target of what it shows.
    const { location } = await server.click(late.click);
    expect(location).toContain(late.title === ad.title ? '/start' : '/free');
  });

  // Proves RES-46
  it('changes nothing about the money: views of both are delivered, and never more than bought', async () => {
    const bought = { pricingModel: 'per_impression', price: '20.00', impressions: 30, duration: undefined };
    const { buyer, ad, zone } = await withTwo({ product: bought });
    for (let at = 0; at < 29; at += 1) await visit(zone);
    const before = await resultsOf(buyer, ad);
    await Promise.all(Array.from({ length: 4 }, () => visit(zone).catch(() => null)));
    const row = await adRow(server.ctx, ad.id);
    expect([row.totalImpressions, row.status]).toEqual([30, 'completed']);
    const { creatives } = await resultsOf(buyer, ad);
    const sum = (all: { impressions: number }[]) =>
      all.reduce((total, { impressions }) => total + impressions, 0);
    expect([sum(before.creatives), sum(creatives)]).toEqual([29, 30]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from ad_events where ad_id = ${ad.id} and kind = 'view' and reason is null`.execute(
      server.ctx.db,
    );
    expect(rows[0]?.n).toBe(30);
  });

  // Proves RES-46
  it('is compared with the first one by what was counted while both were shown', async () => {
    const { seller, buyer, ad, zone } = await campaign();
    await buyer.put(`/api/ads/${ad.id}/landings`, { enabled: true });
    for (let at = 0; at < 3; at += 1) await visit(zone, () => true);
    expect(await resultsOf(buyer, ad)).toMatchObject({ creatives: [], verdict: null });
    const variant = await add(buyer, ad);
    await seller.put(`/api/ads/${variant.publicId}/approve`);
    await server.app.refreshDelivery();
    let osid = '';
    for (let at = 0; at < 44; at += 1) {
      const { title, location } = await visit(zone, (shown) => shown === SECOND.title);
      if (title === SECOND.title) osid = new URL(location!).searchParams.get('osid')!;
    }
    // Views that are reported too fast count for neither.
    for (let at = 0; at < 2; at += 1) {
      const visitor = { userAgent: `${BROWSER} hasty ${at}` };
      await server.view((await server.decide(zone.publicId, visitor)).view, visitor);
    }
    await server.caller.post(`/api/serve/landings/${osid}`, {});
    await server.caller.post('/api/serve/conversions', { osid, value: '10.00', ad: variant.publicId });
    const results = await resultsOf(buyer, ad);
    expect(results).toMatchObject({
      creatives: [
        { ref: ad.publicId, title: ad.title, impressions: 22, clicks: 0, landings: 0, conversions: 0 },
        {
          ref: variant.publicId,
          title: SECOND.title,
          impressions: 22,
          clicks: 22,
          landings: 1,
          conversions: 1,
        },
      ],
      verdict: variant.publicId,
    });
    expect((await adRow(server.ctx, ad.id)).totalImpressions).toBe(47);

    // What follows another second creative is another comparison.
    await buyer.delete(`/api/ads/${ad.id}/variants/${variant.id}`);
    expect(await resultsOf(buyer, ad)).toEqual(results);
    const next = await add(buyer, ad, { title: 'Third' });
    await seller.put(`/api/ads/${next.publicId}/approve`);
    await server.app.refreshDelivery();
    for (let at = 0; at < 2; at += 1) await visit(zone);
    expect(await resultsOf(buyer, ad)).toMatchObject({
      creatives: [
        { ref: ad.publicId, impressions: 1, clicks: 0 },
        { ref: next.publicId, impressions: 1, clicks: 0 },
      ],
      verdict: null,
    });
  });

  // Proves RES-46
  it('loses the same part of its figures as the first one if traffic is withdrawn', async () => {
    const { buyer, ad, zone } = await withTwo();
    for (let at = 0; at < 40; at += 1) await visit(zone, (title) => title === SECOND.title);
    const hour = new Date(Math.floor(server.clock.now().getTime() / 3_600_000) * 3_600_000);
    const { rows } = await sql<{ hour: Date; n: number }>`
      select hour, n::integer as n from delivery_hourly
        where ad_id = ${ad.id} and kind = 'view' and reason = '' order by hour`.execute(server.ctx.db);
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(40);
    await sql`
      with made as (
        insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
          values (${ad.adZoneId}, ${rows[0]!.hour}, ${later(hour, 3_600_000)}, ${server.clock.now()}, '["few"]') returning id)
      insert into withdrawn_hours (withdrawal_id, hour, ad_id, kind, zone_id, n)
        select made.id, ${rows[0]!.hour}, ${ad.id}, 'view', ${ad.adZoneId}, 10 from made`.execute(
      server.owner,
    );
    await sql`select adjust_counters((select max(id) from withdrawals), ${server.clock.now()})`.execute(
      server.ctx.db,
    );
    expect((await adRow(server.ctx, ad.id)).totalImpressions).toBe(30);
    const { creatives } = await resultsOf(buyer, ad);
    expect(creatives).toMatchObject([
      { impressions: 15, clicks: 0 },
      { impressions: 15, clicks: 20 },
    ]);
  });

  it('has its own ‘Why this ad?’ and report, and is in the archive with the first one', async () => {
    const { ad, zone, variant, buyer } = await withTwo();
    await visit(zone);
    await visit(zone);
    const anyone = server.anyone();
    const why = await anyone.get(`/api/serve/why/${variant.publicId}`);
    expect(why.status).toBe(200);
    expect(why.text).toContain(SECOND.title);
    expect(why.text).toContain(`/report-ad/${variant.publicId}`);
    expect(why.text).toContain(`/ad-archive/${ad.publicId}`);
    expect((await anyone.get(`/report-ad/${variant.publicId}`)).text).toContain(SECOND.title);
    const archived = await anyone.get(`/ad-archive/${ad.publicId}`);
    expect(archived.text).toContain(ad.title);
    expect(archived.text).toContain(SECOND.title);
    expect(archived.text).toContain('coffee.example/free');

    // One that no visitor has seen has neither.
    await buyer.delete(`/api/ads/${ad.id}/variants/${variant.id}`);
    const hidden = await add(buyer, ad, { title: 'Never seen' });
    expect((await anyone.get(`/api/serve/why/${hidden.publicId}`)).status).toBe(404);
    expect((await anyone.get(`/report-ad/${hidden.publicId}`)).status).toBe(404);
    expect((await anyone.get(`/ad-archive/${ad.publicId}`)).text).not.toContain('Never seen');

    await server.ctx.db
      .updateTable('ads')
      .set({
        status: 'completed',
        endedReason: 'taken_down',
        takenDownReason: 'Fraud',
        endDate: server.clock.now(),
      })
      .where('id', '=', ad.id)
      .execute();
    expect((await anyone.get(`/ad-archive/${ad.publicId}`)).text).not.toContain(SECOND.title);
  });

  it('is on the report of its campaign', async () => {
    const { buyer, ad, zone } = await withTwo();
    await visit(zone);
    await visit(zone, () => true);
    const { url } = (await buyer.post(`/api/ads/${ad.publicId}/report-links`, {})).body;
    const { text } = await server.anyone().get(new URL(url).pathname);
    expect(text).toContain(SECOND.title);
    expect(text).toContain('There is no difference beyond chance.');
  });

  it('is named in a visitor’s report, and on the operator’s page of its ad', async () => {
    const { ad, variant, zone } = await withTwo();
    await visit(zone);
    const path = `/report-ad/${variant.publicId}`;
    const form = { id: randomUUID(), reason: 'misleading', details: '' };
    const sent = await fetch(server.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
      headers: { origin: server.url },
    });
    expect(sent.status).toBe(303);
    expect(await reportedCase(server.ctx, ad.id)).toMatchObject({
      ad: { publicId: ad.publicId },
      seconds: [{ title: SECOND.title }],
      reports: [{ reason: 'misleading', creative: SECOND.title }],
    });
  });

  it('is in the export of its advertiser’s data', async () => {
    const { buyer, variant } = await withTwo();
    await buyer.post('/api/user/reauthenticate', { password: PASSWORD });
    const { secondCreatives } = (await buyer.post('/api/user/export-data')).body;
    expect(secondCreatives).toMatchObject([{ publicId: variant.publicId, title: SECOND.title }]);
  });

  it('cannot be changed in the database, and its status moves as the state table says', async () => {
    const { variant } = await withTwo();
    const change = async (set: Partial<Pick<Variant, 'title' | 'status'>>) =>
      await server.ctx.db.updateTable('adVariants').set(set).where('id', '=', variant.id).execute();
    await expect(change({ title: 'Other' })).rejects.toThrow('is fixed');
    await expect(change({ status: 'pending' })).rejects.toThrow('cannot go from approved to pending');
  });
});
