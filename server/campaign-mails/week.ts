import { addDays, type Days } from '#domain/analytics/days.ts';
import { weekSentences } from '#domain/campaign-mails/sentences.ts';
import { dueWeek } from '#domain/campaign-mails/weeks.ts';
import { centsOf } from '#domain/money.ts';
import { personalSwitch } from '#domain/notifications/notices.ts';
import { breakdown, series } from '../analytics/over-time.ts';
import type { Caller, Context } from '../context.ts';
import { eachDue } from '../db/batches.ts';
import { campaignWeekMail } from '../notifications/campaign-mail.ts';
import type { Mail } from '../notifications/layout.ts';
import { notifyPerson } from '../notifications/notify.ts';
import { closeWeek, findOwnWeek, listAdvertisers, type Person, reachedOf, takeTurn } from './store.ts';

/** The most campaigns in one mail. The dashboard lists all of them. */
const MAX_LINES = 10;

/**
 * Mails each advertiser with a running ad what their campaigns have brought in the latest week that is over everywhere.
 * Taking a turn and posting the mail are one transaction, so that several instances and a run that was killed mail nobody
 * twice. [RES-50, RES-53]
 */
export async function mailWeek(ctx: Context): Promise<void> {
  const days = dueWeek(ctx.now());
  const reached = await reachedOf(ctx.db, days.from);
  if (reached === null) return;
  const until = new Date(addDays(days.to, 1));
  await eachDue(
    ctx,
    'the mail about the week of an advertiser failed',
    async (last: Person | null, limit) =>
      await listAdvertisers(ctx.db, { until, after: last?.userId ?? reached, limit }),
    async (person) => await mailTo(ctx, days, person),
  );
  await closeWeek(ctx.db, days.from, ctx.now());
}

async function mailTo(ctx: Context, days: Days, person: Person): Promise<boolean> {
  if (personalSwitch('campaign-week', person) === null) return false;
  const mail = await mailAbout(ctx, days, person.userId);
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await takeTurn(tx, days.from, person.userId))) return false;
    await notifyPerson(ctx, tx, person, { kind: 'campaign-week', mail });
    return true;
  });
}

/** Days are those of the advertiser's timezone, as in their dashboard. */
async function mailAbout(ctx: Context, days: Days, userId: number): Promise<Mail> {
  // The role does not matter to those who read what they own.
  const owner: Caller = { id: userId, role: null };
  const query = { side: 'buyer', ...days } as const;
  const { totals, previous, timezone } = await series(ctx, owner, { query: { ...query, step: 'day' } });
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
    { days, sentences, campaigns: own.campaigns, rows: rows.items, hasViews: totals.impressions > 0 },
    { publicUrl: ctx.config.publicUrl, currency: ctx.config.currency, mode: ctx.payments.mode },
  );
}
