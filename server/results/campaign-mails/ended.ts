import type { Ad } from '#domain/ads/contract.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { type Brought, type Ending, endSentences } from '#domain/campaign-mails/sentences.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { centsOf } from '#domain/money.ts';
import { personalSwitch } from '#domain/notifications/notices.ts';
import { ownAd } from '#server/ads/read.ts';
import { timezoneOf } from '../analytics/over-time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { resultsOf } from '#server/delivery/clicks/conversions.ts';
import { campaignEndedMail, planEndedMail } from '#server/notify/mails/campaign-mail.ts';
import { isolated, type Mail } from '#server/notify/layout.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { spendingOn } from '#server/market/plans/money.ts';
import { ownPlan } from '#server/market/plans/read.ts';
import { type EndedAd, findEnded, noteTold } from './store.ts';

/**
 * The job 'tell-ended': mails the advertiser what an ad has brought that has delivered everything. The ads of a plan are
 * told together, when the last running one has ended in any way. Each ad is told once.
 */
export async function tellEnded(ctx: Context, { adId }: { adId: number }): Promise<void> {
  const ended = await findEnded(ctx.db, adId);
  if (!ended || ended.isDeleted || ended.isPlanRunning) return;
  const { planId } = ended;
  // The figures have queries of their own, so they are read before the transaction.
  const mail =
    personalSwitch('campaign-ended', ended) === null ? null : await mailAbout(ctx, { ...ended, adId });
  await ctx.db.transaction().execute(async (tx) => {
    const isNews = await noteTold(tx, { adId, planId }, ctx.now());
    if (isNews && mail) await notifyPerson(ctx, tx, ended, { kind: 'campaign-ended', mail });
  });
}

async function mailAbout(
  ctx: Context,
  { userId, adId, planId }: Pick<EndedAd, 'userId' | 'planId'> & { adId: number },
): Promise<Mail> {
  // The role does not matter to those who read what they own.
  const owner: Caller = { id: userId, role: null };
  const { publicUrl } = ctx.config;
  const { mode } = ctx.payments;
  if (planId === null) {
    const ad = await ownAd(ctx, owner, { params: { ref: { id: adId } } });
    const money = (await spendingOn(ctx.db, [adId], ctx.now())).get(adId);
    const sentences = await sentencesAbout(ctx, owner, [ad], {
      name: `“${isolated(ad.title)}” in ${isolated(ad.adZoneName)} on ${isolated(ad.websiteName)}`,
      bought: planOf(ad),
      cents: money?.deliveredCents ?? 0,
      refundedCents: money?.refundedCents ?? 0,
    });
    return campaignEndedMail(ad, sentences, publicUrl, mode);
  }
  const plan = await ownPlan(ctx, owner, { params: { ref: { id: planId } } });
  const sentences = await sentencesAbout(ctx, owner, plan.ads, {
    name: `“${isolated(plan.name)}”`,
    bought: {
      ads: plan.ads.length,
      delivered: plan.ads.filter(({ endedReason }) => endedReason === 'delivered').length,
    },
    cents: centsOf(plan.delivered),
    refundedCents: centsOf(plan.refunded),
  });
  return planEndedMail(plan, sentences, publicUrl, mode);
}

async function sentencesAbout(
  ctx: Context,
  owner: Caller,
  ads: readonly Ad[],
  { cents, ...about }: Pick<Ending, 'name' | 'bought' | 'refundedCents'> & { cents: number },
): Promise<string[]> {
  const timezone = await timezoneOf(ctx, owner);
  const ran = ads.filter(({ status }) => status === 'completed');
  const began = ran.map(({ startDate, createdAt }) => dayIn(timezone, new Date(startDate ?? createdAt)));
  const ended = ran.map(({ endDate, updatedAt }) => dayIn(timezone, new Date(endDate ?? updatedAt)));
  const brought: Brought = {
    views: sum(ran.map(({ totalImpressions }) => totalImpressions)),
    clicks: sum(ran.map(({ totalClicks }) => totalClicks)),
    conversions: await conversionsOf(ctx, owner, ran),
    cents,
  };
  const days = { from: began.toSorted()[0]!, to: ended.toSorted().at(-1)! };
  return endSentences({ ...about, days, brought, currency: ctx.config.currency });
}

/** Null unless the advertiser's page has measured clicks of one of the ads. */
async function conversionsOf(ctx: Context, owner: Caller, ads: readonly Ad[]): Promise<number | null> {
  let conversions: number | null = null;
  for (const { id } of ads) {
    const results = await resultsOf(ctx, { ref: { id }, ownerId: owner.id });
    if (results.clicks > 0) conversions = (conversions ?? 0) + results.conversions;
  }
  return conversions;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
