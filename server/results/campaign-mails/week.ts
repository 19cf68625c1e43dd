import { type Days, dayStartText } from '#domain/analytics/days.ts';
import { weekSentences } from '#domain/campaign-mails/sentences.ts';
import { dueWeek } from '#domain/campaign-mails/weeks.ts';
import { centsOf } from '#domain/money.ts';
import { personalSwitch } from '#domain/notifications/notices.ts';
import { breakdown, series } from '../analytics/over-time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { campaignWeekMail } from '#server/notify/mails/campaign-mail.ts';
import type { Mail } from '#server/notify/layout.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { type Advertiser, closeWeek, findOwnWeek, listAdvertisers, reachedOf, takeTurn } from './store.ts';
import { addDays } from '#domain/time.ts';

/** The most campaigns in one mail. The dashboard lists all of them. */
const MAX_LINES = 10;

/** The most turns of one run, so that it ends within its minute. The next one goes on. */
const MAX_TURNS = 500;

/**
 * Mails each advertiser with a running ad what their campaigns have brought in the latest week that is over everywhere.
 * Taking a turn and posting the mail are one transaction, so that several instances and a run that was killed mail nobody
 * twice.
 */
export async function mailWeek(ctx: Context): Promise<void> {
  const days = dueWeek(ctx.now());
  const reached = await reachedOf(ctx.db, days.from);
  if (reached === null) return;
  const until = new Date(addDays(days.to, 1));
  const people = await listAdvertisers(ctx.db, { until, after: reached, limit: MAX_TURNS });
  for (const person of people) await mailTo(ctx, days, person);
  if (people.length < MAX_TURNS) await closeWeek(ctx.db, days.from, ctx.now());
}

async function mailTo(ctx: Context, days: Days, person: Advertiser): Promise<void> {
  const isWanted = !person.isSuspended && personalSwitch('campaign-week', person) !== null;
  const mail = isWanted ? await mailAbout(ctx, days, person.userId).catch(noted(ctx, person)) : null;
  await ctx.db.transaction().execute(async (tx) => {
    const isTheirs = await takeTurn(tx, days.from, person.userId);
    if (isTheirs && mail) await notifyPerson(ctx, tx, person, { kind: 'campaign-week', mail });
  });
}

/** The figures of one person must not hold up the others. */
const noted =
  ({ log }: Context, { userId }: Advertiser) =>
  (error: unknown): null => {
    log.error({ err: error, userId }, 'the mail about the week of an advertiser failed');
    return null;
  };

/** Days are those of the advertiser's timezone, as in their dashboard. */
async function mailAbout(ctx: Context, days: Days, userId: number): Promise<Mail> {
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
