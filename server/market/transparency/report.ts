import { DAY_MS, later } from '#domain/time.ts';
import { isReportDue, type Report } from '#domain/transparency/report.ts';
import { REPORT_REASONS } from '#domain/transparency/report-reasons.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isolated } from '#server/notify/layout.ts';
import { notify } from '#server/notify/notify.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { countReports, findShownAd, insertReport, lockReportsOf, type ShownAd } from './store-reports.ts';

/** `publicId` is that of the reported creative. */
export type ReportedAd = ShownAd & { publicId: string };

export async function findReportedAd(ctx: Context, publicId: string): Promise<ReportedAd | null> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(publicId);
  const ad = isUuid ? await findShownAd(ctx.db, publicId) : undefined;
  return ad ? { ...ad, publicId: publicId.toLowerCase() } : null;
}

/**
 * Stores a visitor's report of an ad, only once even if the form is sent repeatedly. Mails the operator and the publisher
 * when `isReportDue` says so. The publisher never learns who reported the ad.
 */
export async function reportAd(ctx: Context, ad: ReportedAd, report: Report): Promise<void> {
  const now = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    await lockReportsOf(tx, ad.id);
    if (!(await insertReport(tx, ad, report, now))) return;
    const count = await countReports(tx, ad.id, later(now, -DAY_MS));
    if (!isReportDue(count)) return;
    await tellOperator(ctx, tx, ad, report, count);
    await notify(ctx, tx, {
      kind: 'ad-reported',
      adId: ad.id,
      title: ad.title,
      reason: REPORT_REASONS[report.reason],
    });
  });
}

async function tellOperator(
  ctx: Context,
  tx: Tx,
  ad: ReportedAd,
  { reason, details, email }: Report,
  count: number,
): Promise<void> {
  const paragraphs = [
    `A visitor reported “${isolated(ad.title)}”, shown on behalf of ${isolated(ad.advertiser || 'an advertiser who has left')}.`,
    `Reason: ${REPORT_REASONS[reason]}.`,
    ...(details ? [`The visitor wrote: ${isolated(details)}`] : []),
    email ? `You can reply to the visitor at ${email}.` : 'The visitor left no email address.',
    ...(count > 1 ? [`This is report number ${count} of this ad within a day.`] : []),
  ];
  await mailOperator(ctx, tx, {
    kind: 'ad-reported',
    title: 'An ad was reported',
    paragraphs,
    action: { label: 'Review the report', path: `/operator/ads/${ad.id}` },
  });
}
