/** The jobs, and the pauses of the zone, which run one, and of an ad. */
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { pause, resume, resumeDue } from '#server/ads/life/pause.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { chargeDueConsents } from '#server/money/consents/charge.ts';
import { makeMonthlyDocuments } from '#server/money/documents/months.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import { endOverdueAds } from '#server/money/refunds/endings.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import type { ActOf } from './acts.ts';
import type { History } from './history.ts';

/**
 * The end of a pause moves the days that are not judged yet. The job that judges them runs every minute, so that less
 * than a day is moved. Histories run it seldom, so it runs before a pause can end here.
 */
export async function setZone(history: History, isActive: boolean): Promise<void> {
  if (isActive) await runJob(history, 'days');
  await changeZone(history.ctx, history.market.seller, {
    params: { ref: { id: history.market.zoneId } },
    body: { isActive },
  });
}

/** `hours` is how long it lasts; 0: until it is resumed. */
export async function pauseAd(history: History, place: number, hours: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (!ad) return;
  const until = hours === 0 ? null : later(history.ctx.now(), hours * HOUR_MS).toISOString();
  const input = { params: { ref: { id: ad.id } }, query: {}, body: { until } };
  await pause(history.ctx, history.market.buyer, input);
}

export async function resumeAd(history: History, place: number): Promise<void> {
  const ad = history.ads.at(-1 - place);
  if (!ad) return;
  await resume(history.ctx, history.market.buyer, { params: { ref: { id: ad.id } }, query: {}, body: {} });
}

export async function runJob(history: History, name: ActOf<'job'>['job']): Promise<void> {
  switch (name) {
    case 'days': {
      const now = history.ctx.now();
      await resumeDue(history.ctx);
      await extendForSilentDays(history.ctx, now);
      await completeDueAds(history.ctx, now);
      await makeMonthlyDocuments(history.ctx);
      return;
    }
    case 'charges':
      await chargeDueConsents(history.ctx);
      return;
    case 'accrue':
      await accrueDue(history.ctx);
      return;
    case 'accrueEarly':
      await accrueDue(history.ctx, { early: true });
      return;
    case 'endings':
      await endOverdueAds(history.ctx);
      return;
    case 'refunds':
      await sendDueRefunds(history.ctx);
      return;
    case 'payouts':
      await runPayouts(history.ctx);
      return;
    case 'payments':
      // A dispute that was won ends the pause of its ad, too.
      await runJob(history, 'days');
      await checkPayments(history.ctx);
      return;
    case 'settle':
      await history.sandbox.settle();
  }
}
