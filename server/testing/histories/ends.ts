/** The acts that end ads, and take money back. */
import { sql } from 'kysely';
import { centsOf } from '#domain/money.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { overruleWithdrawal } from '#server/delivery/invalid-traffic/overrule.ts';
import { refundByOperator } from '#server/money/refunds/by-operator.ts';
import { cancel as cancelAd } from '#server/money/refunds/cancelling/cancel.ts';
import { quoteRefund } from '#server/money/refunds/cancelling/quote.ts';
import { endAndRefund } from '#server/money/refunds/end.ts';
import { playCase } from '#server/operator/rehearsal/play.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { ActOf } from './acts.ts';
import { type History, isRefusal, type Sold } from './history.ts';
import { runJob } from './jobs.ts';

export async function cancel(history: History, place: number, waitMs: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (!ad) return;
  const params = { ref: { id: ad.id } };
  const { refundAmount } = await quoteRefund(
    history.ctx,
    history.market.buyer,
    { params, query: {}, body: {} },
    { ip: '192.0.2.1' },
  );
  history.market.clock.advance(waitMs);
  await cancelAd(
    history.ctx,
    history.market.buyer,
    { params, query: {}, body: { refundAmount } },
    { ip: '192.0.2.1' },
  );
}

export async function takeDown(history: History, place: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (!ad) return;
  const end = {
    adId: ad.id,
    endedReason: 'taken_down',
    at: history.ctx.now(),
    takenDownReason: 'Not as approved',
  } as const;
  await history.ctx.db.transaction().execute(async (tx) => await endAndRefund(history.ctx, tx, end));
}

async function priceOf(history: History, ad: Sold): Promise<number> {
  const { totalAmount } = await history.ctx.db
    .selectFrom('ads')
    .select('totalAmount')
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
  return centsOf(totalAmount);
}

export async function refundOutside(history: History, place: number, percent: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (!ad) return;
  const cents = Math.ceil(((await priceOf(history, ad)) * Math.min(percent, 100)) / 100);
  await history.sandbox.play.refundOutside(ad.intentId, cents).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
  });
}

export async function refund(history: History, place: number, percent: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (!ad) return;
  const amountCents = percent === 100 ? null : Math.ceil(((await priceOf(history, ad)) * percent) / 100);
  const wanted = { adId: ad.id, amountCents, reason: 'Goodwill' };
  await history.ctx.db.transaction().execute(async (tx) => await refundByOperator(history.ctx, tx, wanted));
}

export async function playOn(history: History, place: number, play: ActOf<'play'>['play']): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (ad) await playCase(history.ctx, history.sandbox, { play, ad: ad.id });
}

export async function withdraw(history: History, hours: number): Promise<void> {
  const now = history.ctx.now();
  const until = later(new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS), HOUR_MS);
  await sql`select withdraw_traffic(${now}, ${history.market.zoneId}, ${later(until, -hours * HOUR_MS)}, ${until},
    '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(history.ctx.db);
}

export async function overrule(history: History): Promise<void> {
  const { rows } = await sql<{ id: number }>`select w.id from withdrawals w
    where w.overrules is null and not exists (select from withdrawals o where o.overrules = w.id)
    order by w.id desc limit 1`.execute(history.ctx.db);
  const id = rows[0]?.id;
  if (id === undefined) return;
  const what = { id, by: 'operator@example.test', reason: 'They were people' };
  await history.ctx.db.transaction().execute(async (tx) => await overruleWithdrawal(history.ctx, tx, what));
}

/** The bank decides each open dispute. */
export async function decideDisputes(history: History): Promise<void> {
  await runJob(history, 'payments');
  for (const { id } of history.ads) {
    const play = id % 2 === 0 ? 'dispute_won' : 'dispute_lost';
    await playCase(history.ctx, history.sandbox, { play, ad: id }).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
    });
  }
}
