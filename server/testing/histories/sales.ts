/** The acts by which ads are sold and delivered. */
import { sql } from 'kysely';
import { type AdPlan, planOf } from '#domain/inventory/pricing.ts';
import { timesPlan } from '#domain/inventory/quantity.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { DEFAULT_COMMISSION_PERCENT, splitPrice } from '#domain/payments/split.ts';
import { countInPartitions } from '#server/app/sample/count-moments.ts';
import { createIntent } from '#server/money/checkout/create-intent.ts';
import { reportSuccess } from '#server/money/checkout/payment-success.ts';
import { chargeConsented } from '#server/money/consents/charge.ts';
import { confirm as confirmConsent } from '#server/money/consents/confirm.ts';
import { create as createConsent } from '#server/money/consents/create.ts';
import { withdrawOwn } from '#server/money/consents/withdraw.ts';
import { CARD } from '../money/checkout.ts';
import type { ActOf } from './acts.ts';
import { type History, type Made, MAX_RUNNING } from './history.ts';

/** Every second advertiser of each country is a business. */
const COUNTRIES = ['DE', 'CH', 'IT'] as const;

export async function sell(history: History, given: ActOf<'sell'>): Promise<void> {
  if ((await countRunning(history)) < MAX_RUNNING) await sellNow(history, given);
}

export async function sellNow(
  history: History,
  { model, cents, amount, quantity }: ActOf<'sell'>,
): Promise<void> {
  const plan = {
    pricingModel: model,
    duration: model === 'per_day' ? amount : null,
    impressions: model === 'per_impression' ? amount : null,
    clicks: model === 'per_click' ? amount : null,
  };
  const ad = await makeAd(history, {
    cents: quantity * cents,
    quantity,
    plan: timesPlan(planOf(plan), quantity),
  });
  await setApproved(history, ad);
  await payByHand(history, ad, quantity * cents);
}

async function makeAd(
  history: History,
  {
    cents,
    quantity,
    plan,
  }: {
    cents: number;
    quantity: number;
    plan: AdPlan;
  },
): Promise<Made> {
  return await history.ctx.db
    .insertInto('ads')
    .values({
      userId: history.market.buyer.id,
      adZoneId: history.market.zoneId,
      adType: 'text',
      title: 'Fresh coffee',
      description: 'Roasted on Monday.',
      targetUrl: 'https://coffee.example/start',
      quantity,
      totalAmount: decimalOf(cents),
      commissionAmount: decimalOf(splitPrice(cents, DEFAULT_COMMISSION_PERCENT).commissionCents),
      ...plan,
    })
    .returning(['id', 'publicId', 'adZoneId'])
    .executeTakeFirstOrThrow();
}

async function setApproved(history: History, { id }: Made): Promise<void> {
  const change = { status: 'approved', approvedAt: history.ctx.now() } as const;
  await history.ctx.db.updateTable('ads').set(change).where('id', '=', id).execute();
}

async function payByHand(history: History, ad: Made, cents: number): Promise<void> {
  const country = COUNTRIES[ad.id % 3]!;
  const taxId = ad.id % 2 === 0 ? { DE: '123456789', CH: 'CHE123456789', IT: '12345678901' }[country] : null;
  const body = { amount: decimalOf(cents), adPublicId: ad.publicId, receiptFor: { country, taxId } };
  const { clientSecret } = await createIntent(
    history.ctx,
    history.market.buyer,
    { params: {}, query: {}, body },
    { ip: '127.0.0.1' },
  );
  const intent = await history.sandbox.confirm(clientSecret, CARD);
  await report(history, intent.id);
  history.ads.push({ ...ad, intentId: intent.id });
}

export async function consent(
  history: History,
  { ads, cents, card, spare }: ActOf<'consent'>,
): Promise<void> {
  if (history.waiting.length + (await countRunning(history)) >= MAX_RUNNING) return;
  const plan = { pricingModel: 'per_impression', duration: null, impressions: 10, clicks: null } as const;
  const made: Made[] = [];
  for (let n = 0; n < ads; n++) made.push(await makeAd(history, { cents: cents + n, quantity: 1, plan }));
  const sum = made.reduce((total, _, n) => total + cents + n, 0);
  const body = { limit: decimalOf(sum + spare), ads: made.map(({ id }) => ({ id })) };
  const given = { params: undefined, query: undefined, body };
  const { id, clientSecret } = await createConsent(history.ctx, history.market.buyer, given, {
    ip: '127.0.0.1',
  });
  const { status } = await history.sandbox.saveCard(clientSecret, { ...CARD, number: card });
  if (status === 'requires_action') await history.sandbox.authenticateSetup(clientSecret, 'complete');
  await confirmConsent(history.ctx, history.market.buyer, { ...given, params: { id } });
  history.waiting.push(...made.map((ad) => ({ ...ad, consentId: id })));
}

/** A card that is declined, challenged or removed leaves the ad to be paid by hand. */
export async function approve(history: History): Promise<void> {
  const ad = history.waiting.shift();
  if (!ad) return;
  await setApproved(history, ad);
  await chargeConsented(history.ctx, ad.id);
  const { status, state, totalAmount } = await history.ctx.db
    .selectFrom('ads')
    .innerJoin('consentAds', 'consentAds.adId', 'ads.id')
    .select(['ads.status', 'ads.totalAmount', 'consentAds.state'])
    .where('ads.id', '=', ad.id)
    .executeTakeFirstOrThrow();
  if (status === 'active') {
    const { intentId } = await history.ctx.db
      .selectFrom('payments')
      .select('intentId')
      .where('adId', '=', ad.id)
      .where('intentId', 'is not', null)
      .executeTakeFirstOrThrow();
    history.ads.push({ ...ad, intentId: intentId! });
  } else if (state !== 'charging' && state !== 'waiting') {
    await payByHand(history, ad, centsOf(totalAmount));
  }
}

export async function removeCard(history: History): Promise<void> {
  const [ad] = history.waiting;
  if (!ad) return;
  const params = { id: ad.consentId };
  await withdrawOwn(history.ctx, history.market.buyer, {
    params,
    query: { ad: { id: ad.id } },
    body: undefined,
  });
}

export async function countRunning(history: History): Promise<number> {
  const { n } = await history.ctx.db
    .selectFrom('ads')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return Number(n);
}

async function report(history: History, paymentIntentId: string): Promise<void> {
  await reportSuccess(history.ctx, history.market.buyer, {
    params: {},
    query: {},
    body: { paymentIntentId },
  });
}

export async function reportAgain(history: History, place: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (ad) await report(history, ad.intentId);
}

export async function deliver(history: History, place: number, events: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  const moment = { at: history.ctx.now(), views: events, clicks: events };
  if (ad) await countInPartitions(history.ctx.db, ad, [moment]);
}

export async function request(history: History): Promise<void> {
  await sql`insert into delivery_hourly (hour, zone_id, kind, reason, n)
    values (date_trunc('hour', ${history.ctx.now()}::timestamptz, 'utc'), ${history.market.zoneId}, 'decision', '', 1)
    on conflict (ad_id, kind, reason, hour, zone_id) do update set n = delivery_hourly.n + 1`.execute(
    history.ctx.db,
  );
}
