import { type Days, dayStartText } from '#domain/analytics/days.ts';
import { weekSentences } from '#domain/campaign-mails/sentences.ts';
import { centsOf } from '#domain/money.ts';
import { breakdown, series } from '../analytics/over-time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { campaignWeekMail } from '#server/notify/mails/campaign-mail.ts';
import type { Mail } from '#server/notify/layout.ts';
import { mailTheWeek } from './mail-week.ts';
import { findOwnWeek, listAdvertisers, type Weekly } from './store.ts';
import { addDays } from '#domain/time.ts';

/** The most campaigns in one mail. The dashboard lists all of them. */
const MAX_LINES = 10;

/** Mails each advertiser with a running ad what their campaigns have brought in the week. */
export const mailWeek = async (ctx: Context): Promise<void> =>
  await mailTheWeek(ctx, {
    kind: 'campaign-week',
    table: 'campaignWeeks',
    list: async (tx, { days, ...page }) =>
      await listAdvertisers(tx, { until: new Date(addDays(days.to, 1)), ...page }),
    mailAbout,
  });

/** Days are those of the advertiser's timezone, as in their dashboard. */
async function mailAbout(ctx: Context, days: Days, { userId }: Weekly): Promise<Mail> {
  // The role does not matter to those who read what they own.
  const owner: Caller = { id: userId, role: null };
  const query = { side: 'buyer', ...days } as const;
  const { totals, previous, timezone, dayStart } = await series(ctx, owner, {
    query: { ...query, step: 'day' },
  });
  const rows = await breakdown(ctx, owner, { query: { ...query, by: 'campaign', limit: MAX_LINES } });
  const own = await findOwnWeek(ctx.db, userId, { days, timezone });
  const isMeasured = own.measuredClicks > 0 || own.conversions > 0;
  const sentences = weekSentences({
    campaigns: own.campaigns,
    days,
    brought: {
      views: totals.impressions,
      clicks: totals.clicks,
      conversions: isMeasured ? own.conversions : null,
      cents: centsOf(totals.amount),
    },
    before: own.ranBefore ? { views: previous.impressions, clicks: previous.clicks } : null,
    currency: ctx.config.currency,
  });
  return campaignWeekMail(
    {
      days,
      dayStart: dayStartText(timezone, dayStart),
      sentences,
      campaigns: own.campaigns,
      rows: rows.items,
      hasViews: totals.impressions > 0,
    },
    { publicUrl: ctx.config.publicUrl, currency: ctx.config.currency, mode: ctx.payments.mode },
  );
}
