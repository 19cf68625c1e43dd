/**
 * Every sum is the sum of what stands below it: over the sample data, and while money moves at random.
 * `SUMS_STEPS=500 SUMS_EVERY=1 SUMS_SEED=7 npx vitest run server/results/analytics/sums.test.ts` plays more.
 */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { ledgerImbalances } from '#server/money/ledger/check.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import { endOverdueAds } from '#server/money/refunds/endings.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import { addSampleData } from '#server/app/sample/sample-data.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt, refundPart } from '#server/testing/figures.ts';
import { onboard } from '#server/testing/money/payouts.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { expectSums } from '#server/testing/sums.ts';

const server = useOwnServer({
  env: { PAYOUT_HOLD_DAYS: '1', PAYOUT_FIRST_HOLD_DAYS: '2', PAYOUT_MINIMUM: '1.00' },
});
beforeAll(async () => {
  await addSampleData(server.ctx);
});

describe('the sums of the sample data', () => {
  // Proves FIG-02, FIG-03, FIG-04, FIG-05
  it.each([
    ['before the earnings are posted', 'bo', 'seller'],
    ['before the earnings are posted', 'bo', 'buyer'],
    ['after', 'pat', 'seller'],
    ['after', 'ada', 'buyer'],
  ] as const)('add up %s (%s, %s)', async (when, name, side) => {
    if (when === 'after') await accrueDue(server.ctx, { early: true });
    const client = server.anyone();
    await client.post('/api/auth/login', { email: `${name}@openslot.test`, password: SAMPLE_PASSWORD });
    expect(Number(await expectSums(server, client, side))).toBeGreaterThan(50);
  });
});

/** Whole numbers below `n` that are the same for the same seed (a Lehmer generator, MINSTD). */
function dice(seed: number): (n: number) => number {
  let state = (seed * 7919 + 12_345) % 2_147_483_647;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

const STEPS = Number(process.env.SUMS_STEPS ?? 30);
const SEED = Number(process.env.SUMS_SEED ?? 34);
/** Each check makes about sixty requests. */
const CHECKED_EVERY = Number(process.env.SUMS_EVERY ?? 10);
const MODELS = [
  { pricingModel: 'per_impression', impressions: 60, duration: null },
  { pricingModel: 'per_click', clicks: 7, duration: null },
  { pricingModel: 'per_day', duration: 3 },
];

/** Money that moves at random between one publisher and one advertiser, and the work of the jobs. */
class RandomMoney {
  private readonly ads: Ad[] = [];
  private readonly roll = dice(SEED);
  private readonly seller: Client;
  private readonly buyer: Client;
  readonly seen = new Set<string>();

  constructor(seller: Client, buyer: Client) {
    this.seller = seller;
    this.buyer = buyer;
  }

  async step(): Promise<void> {
    const acts = [
      () => this.sell(),
      () => this.deliver(),
      () => this.deliver(),
      () => this.wait(),
      () => this.work(),
      () => this.end(),
      () => this.withdraw(),
    ];
    await acts[this.roll(acts.length)]?.();
  }

  async sell(): Promise<void> {
    const price = ['10.00', '33.33', '0.99', '250.01'][this.roll(4)];
    const { ad } = await makeLiveAd(this.seller, this.buyer, {
      product: { ...MODELS[this.roll(3)], price },
      website: { name: `Site ${this.ads.length}` },
    });
    await server.ctx.db.updateTable('holds').set({ releasedAt: server.ctx.now() }).execute();
    this.ads.push(ad);
  }

  private async deliver(): Promise<void> {
    for (const ad of this.ads.slice(-4))
      await countAt(server.ctx, ad, server.ctx.now().toISOString(), 1 + this.roll(25), this.roll(2));
  }

  private async wait(): Promise<void> {
    server.clock.advance([HOUR_MS / 3, 7 * HOUR_MS, DAY_MS, 3 * DAY_MS][this.roll(4)] ?? 0);
    await extendForSilentDays(server.ctx, server.ctx.now());
    await completeDueAds(server.ctx);
  }

  async work(): Promise<void> {
    const { ctx } = server;
    await accrueDue(ctx, { early: this.roll(2) === 0 });
    await endOverdueAds(ctx);
    await checkPayments(ctx);
    await sendDueRefunds(ctx);
    await runPayouts(ctx);
  }

  private async end(): Promise<void> {
    const ad = this.ads[this.roll(this.ads.length)];
    if (!ad) return;
    switch (this.roll(4)) {
      case 0: {
        const { refundAmount } = (await this.buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
        const { status } = await this.buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount });
        if (status === 200) this.seen.add('canceled');
        break;
      }
      case 1:
        await refundPart(server, ad, 10 + this.roll(90)).catch(() => null);
        this.seen.add('refunded');
        break;
      default: {
        const play = ['dispute', 'dispute_lost', 'appeal', 'dispute_won'][this.roll(4)];
        await server.anyone().post('/dev/sandbox', { play: 'dispute', ad: ad.publicId });
        await checkPayments(server.ctx);
        await server.anyone().post('/dev/sandbox', { play, ad: ad.publicId });
        await checkPayments(server.ctx);
        this.seen.add('disputed');
      }
    }
  }

  private async withdraw(): Promise<void> {
    const ad = this.ads.at(-1);
    if (!ad) return;
    const now = server.ctx.now();
    const until = later(new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS), HOUR_MS);
    await sql`select withdraw_traffic(${now}, ${ad.adZoneId}, ${later(until, -DAY_MS)}, ${until},
      '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(server.ctx.db);
    this.seen.add('withdrawn');
  }
}

// Proves FIG-02, FIG-03, FIG-04, FIG-05
it(
  'every sum of both sides adds up while money moves at random',
  async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    await onboard(server.ctx, seller.user.id);
    const money = new RandomMoney(seller, buyer);
    await money.sell();
    for (let step = 1; step <= STEPS; step++) {
      await money.step();
      if (step % CHECKED_EVERY !== 0) continue;
      try {
        await expectSums(server, seller, 'seller');
        await expectSums(server, buyer, 'buyer');
      } catch (error) {
        throw new Error(`Seed ${SEED}, step ${step}`, { cause: error });
      }
    }
    expect([...money.seen].toSorted()).toEqual(['canceled', 'disputed', 'refunded', 'withdrawn']);
    await money.work();
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  },
  10 * 60_000,
);
