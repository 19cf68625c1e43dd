/** GET /api/ads/{ref}/ledger: every cent of an ad, for each of its two sides. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct } from '#server/testing/story.ts';
import { accrueDue } from './accrue.ts';
import { post } from './post.ts';

const server = useOwnServer({ start: new Date('2026-03-02T00:10:00Z') });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

type Entry = { kind: string; amount: string; from: number | null; to: number | null; formula: string };
const read = async (client: Client, ad: Ad, query = '') =>
  await client.get(`/api/ads/${ad.publicId}/ledger${query}`);
const lines = (entries: Entry[]) =>
  entries.map(({ kind, from, to, amount }) => `${kind} ${from}-${to} ${amount}`);
const startOf = (ad: Ad) => new Date(ad.startDate as string);
const views = { pricingModel: 'per_impression', duration: null, impressions: 1000 };

async function filter(ad: Ad, at: Date, reason: string, n: number): Promise<void> {
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    values (date_trunc('hour', ${at}::timestamptz), ${ad.id}, ${ad.adZoneId}, 'view', ${reason}, ${n})`.execute(
    server.ctx.db,
  );
}

describe('the ledger of an ad', () => {
  // Proves LEDG-06
  it('shows each side its own part, with units, formulas and uncounted events', async () => {
    const { ad } = await makeLiveAd(seller, buyer, { product: views });
    const start = startOf(ad);
    await countAt(server.ctx, ad, start.toISOString(), 101, 0);
    await filter(ad, start, 'bot', 3);
    await filter(ad, later(start, HOUR_MS), 'too_fast', 2);
    server.clock.set(later(start, HOUR_MS));
    await accrueDue(server.ctx);
    server.clock.set(later(start, 1.5 * HOUR_MS));
    await countAt(server.ctx, ad, later(start, 1.2 * HOUR_MS).toISOString(), 99, 0);

    const { status, body } = await read(buyer, ad);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      currency: 'USD',
      side: 'buyer',
      bought: 1000,
      delivered: 200,
      total: '100.00',
      earned: '20.00',
      refunded: '0.00',
      open: '80.00',
      next: null,
    });
    expect(lines(body.entries)).toEqual([
      'paid null-null 100.00',
      'accrual 0-101 10.09',
      'accrual 101-200 9.91',
    ]);
    expect(body.entries[1]).toEqual({
      at: expect.any(String),
      recordedAt: expect.any(String),
      kind: 'accrual',
      from: 0,
      to: 101,
      of: 1000,
      amount: '10.09',
      formula: '⌊85.00 × 101 / 1,000⌋ + ⌊15.00 × 101 / 1,000⌋',
      notCounted: [{ reason: 'bot', count: 3 }],
      isPosted: true,
    });
    expect(body.entries[2]).toMatchObject({
      isPosted: false,
      notCounted: [{ reason: 'too_fast', count: 2 }],
    });

    const own = (await read(seller, ad)).body;
    expect(own).toMatchObject({ side: 'publisher', total: '85.00', earned: '17.00', open: '68.00' });
    expect(lines(own.entries)).toEqual([
      'paid null-null 85.00',
      'accrual 0-101 8.58',
      'accrual 101-200 8.42',
    ]);
    expect(own.entries[0].formula).toBe('100.00 − 15.00');
    expect(own.entries[2].formula).toBe('⌊85.00 × 200 / 1,000⌋ − ⌊85.00 × 101 / 1,000⌋');
    expect(JSON.stringify(own)).not.toContain('15.00 ×');

    const first = await read(buyer, ad, '?limit=1');
    expect(lines(first.body.entries)).toEqual(['paid null-null 100.00']);
    const [, link = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    expect(link).toContain(`cursor=${first.body.next}`);
    const last = await buyer.get(link);
    expect(last.headers.get('link')).toBeNull();
    const { body: second } = last;
    expect(second.next).toBeNull();
    expect(second.entries).toEqual(
      body.entries
        .slice(1)
        .map((each: Entry) =>
          expect.objectContaining({ ...each, at: expect.any(String), recordedAt: expect.any(String) }),
        ),
    );
    expect((await read(buyer, ad, '?cursor=nonsense')).status).toBe(400);
  });

  // Proves LEDG-06
  it('counts the seconds in which an ad by the day did not run', async () => {
    const { ad, zone } = await makeLiveAd(seller, buyer, { product: { duration: 2 } });
    await sql`insert into delivery_hourly (hour, zone_id, kind, reason, n)
      select date_trunc('hour', ${startOf(ad)}::timestamptz), ${ad.adZoneId}, 'decision', '', 1`.execute(
      server.ctx.db,
    );
    server.clock.set(later(startOf(ad), HOUR_MS));
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    server.clock.set(later(startOf(ad), 3 * HOUR_MS));
    const { body } = await read(seller, ad);
    const [, line] = body.entries;
    expect(line).toMatchObject({ kind: 'accrual', from: 0, of: 172_800, isPosted: false });
    expect(line.notCounted).toEqual([{ reason: 'not_running', count: expect.any(Number) }]);
    expect(line.to + line.notCounted[0].count).toBe(body.delivered + line.notCounted[0].count);
    expect(line.to + line.notCounted[0].count).toBeGreaterThanOrEqual(10_800);
    expect(body.delivered).toBeLessThan(3610);
  });

  // Proves LEDG-06
  it('shows the refund of the undelivered part: to the advertiser all of it, to the publisher their share', async () => {
    const { ad } = await makeLiveAd(seller, buyer, { product: { ...views, impressions: 3 } });
    await countAt(server.ctx, ad, startOf(ad).toISOString(), 1, 0);
    server.clock.set(later(startOf(ad), HOUR_MS));
    await accrueDue(server.ctx);
    const now = server.ctx.now();
    const entry = {
      book: 'sandbox',
      currency: 'USD',
      occurredAt: now,
      recordedAt: now,
      adId: ad.id,
    } as const;
    await server.ctx.db.transaction().execute(async (tx) => {
      await post(tx, {
        ...entry,
        kind: 'undelivered',
        externalRef: 'refund 1',
        entries: [
          { account: { kind: 'deferred_publisher', ownerId: ad.id }, amountCents: 5667 },
          { account: { kind: 'deferred_commission', ownerId: ad.id }, amountCents: 1000 },
          { account: { kind: 'refund_payable', ownerId: ad.id }, amountCents: -6667 },
        ],
      });
      await post(tx, {
        ...entry,
        kind: 'refund',
        externalRef: 'txn 1',
        entries: [
          { account: { kind: 'refund_payable', ownerId: ad.id }, amountCents: 6667 },
          { account: { kind: 'provider_balance', ownerId: null }, amountCents: -6667 },
        ],
      });
    });
    const { body } = await read(buyer, ad);
    expect(body).toMatchObject({ total: '100.00', earned: '33.33', refunded: '66.67', open: '0.00' });
    expect(lines(body.entries)).toEqual([
      'paid null-null 100.00',
      'accrual 0-1 33.33',
      'undelivered 1-3 66.67',
      'refund null-null 66.67',
    ]);
    expect(body.entries[2].formula).toBe('100.00 − ⌊85.00 × 1 / 3⌋ − ⌊15.00 × 1 / 3⌋');
    const own = (await read(seller, ad)).body;
    expect(own).toMatchObject({ total: '85.00', earned: '28.33', refunded: '56.67', open: '0.00' });
    expect(lines(own.entries)).toEqual([
      'paid null-null 85.00',
      'accrual 0-1 28.33',
      'undelivered 1-3 56.67',
    ]);
  });

  // Proves LEDG-06
  it('is shown to no other user, and an unpaid ad has none', async () => {
    const { ad, zone } = await makeLiveAd(seller, buyer, { product: views });
    expect((await read(await server.signIn('both'), ad)).status).toBe(404);
    expect((await read(buyer, ad, '?side=publisher')).status).toBe(404);
    expect((await read(server.anyone(), ad)).status).toBe(401);
    const unpaid = await approve(
      seller,
      await makeAd(buyer, await makeProduct(seller, zone, { adType: 'text' })),
    );
    expect(await read(buyer, unpaid)).toMatchObject({ status: 409 });
  });

  // Proves LEDG-06
  it('has two sides for an advertiser who bought from themselves', async () => {
    const both = await server.signIn('both');
    const { ad } = await makeLiveAd(both, both, { product: views });
    expect((await read(both, ad)).body.side).toBe('buyer');
    expect((await read(both, ad, '?side=publisher')).body).toMatchObject({
      side: 'publisher',
      total: '85.00',
    });
  });
});
