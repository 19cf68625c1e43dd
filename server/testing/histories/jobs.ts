/** The jobs, and the pause of the zone, which runs one. */
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
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

export async function runJob(history: History, name: ActOf<'job'>['job']): Promise<void> {
  switch (name) {
    case 'days': {
      const now = history.ctx.now();
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
