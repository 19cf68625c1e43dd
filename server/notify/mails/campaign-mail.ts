/** The mails about what campaigns have brought. Their sentences are made in domain/campaign-mails/sentences.ts. */
import type { Ad } from '#domain/ads/contract.ts';
import type { BreakdownRow } from '#domain/analytics/contract.ts';
import type { Days } from '#domain/analytics/days.ts';
import { daysText } from '#domain/campaign-mails/sentences.ts';
import { counted } from '#domain/format.ts';
import { type Currency, moneyText } from '#domain/money.ts';
import type { Plan } from '#domain/plans/contract.ts';
import { mailedAd } from '../ad-mail.ts';
import { isolated, type Mail, testLabel } from '../layout.ts';

type Mode = 'live' | 'test' | 'sandbox';

/** What can be done about these mails, and where. The footer links the settings. */
const settingsOf = (publicUrl: string): Pick<Mail, 'note' | 'settingsUrl'> => ({
  note: 'You get these mails because “Campaign updates” is on in your settings.',
  settingsUrl: `${publicUrl}/settings?tab=notifications`,
});

/** The mail about an ad that has delivered everything. */
export function campaignEndedMail(ad: Ad, sentences: string[], publicUrl: string, mode: Mode): Mail {
  return {
    subject: 'Your campaign is complete',
    heading: 'Your campaign is complete',
    paragraphs: [...sentences, 'If it went well, you can book the same ad zone again.'],
    ad: mailedAd(
      { ...ad, zoneWidth: ad.adZoneWidth, zoneHeight: ad.adZoneHeight, zoneName: ad.adZoneName },
      publicUrl,
    ),
    action: { label: 'See all results', url: `${publicUrl}/campaigns/${ad.publicId}` },
    ...settingsOf(publicUrl),
    ...testLabel(mode),
  };
}

/** The mail about a plan whose last running ad has ended. */
export function planEndedMail(
  { publicId }: Pick<Plan, 'publicId'>,
  sentences: string[],
  publicUrl: string,
  mode: Mode,
): Mail {
  return {
    subject: 'Your plan is complete',
    heading: 'Your plan is complete',
    paragraphs: [...sentences, 'Its page has the results of each ad zone.'],
    action: { label: 'See all results', url: `${publicUrl}/plans/${publicId}` },
    ...settingsOf(publicUrl),
    ...testLabel(mode),
  };
}

export type WeekReport = {
  days: Days;
  /** Says when the days begin; null if at midnight. */
  dayStart: string | null;
  sentences: string[];
  /** How many campaigns ran. */
  campaigns: number;
  /** Those with figures, most views first. */
  rows: readonly Pick<BreakdownRow, 'publicId' | 'name' | 'place' | 'impressions' | 'clicks' | 'amount'>[];
  hasViews: boolean;
};

/** The mail about the week of an advertiser's campaigns. */
export function campaignWeekMail(
  { days, dayStart, sentences, campaigns, rows, hasViews }: WeekReport,
  { publicUrl, currency, mode }: { publicUrl: string; currency: Currency; mode: Mode },
): Mail {
  const subject = `Your ${campaigns === 1 ? 'campaign' : 'campaigns'} ${daysText(days)}`;
  const [only] = campaigns === 1 ? rows : [];
  return {
    subject,
    heading: subject,
    paragraphs: [
      ...sentences,
      ...(campaigns === 1 ? [] : rows.map((row) => rowText(row, currency))),
      ...(dayStart === null ? [] : [dayStart]),
      ...(hasViews
        ? []
        : ['To see why nobody saw them, open your dashboard and choose “Not showing?” beside a campaign.']),
    ],
    action: only
      ? { label: 'See all results', url: `${publicUrl}/campaigns/${only.publicId}` }
      : { label: 'Open your dashboard', url: `${publicUrl}/dashboard` },
    ...settingsOf(publicUrl),
    ...testLabel(mode),
  };
}

function rowText(
  { name, place, impressions, clicks, amount }: WeekReport['rows'][number],
  currency: Currency,
): string {
  const where = place === null ? '' : ` (${isolated(place)})`;
  return `“${isolated(name)}”${where}: ${counted(impressions, 'view')}, ${counted(clicks, 'click')}, ${moneyText(amount, currency)}`;
}

/** The mail about the week of a publisher's ad zones. */
export function publisherWeekMail(
  { days, sentences }: Pick<WeekReport, 'days' | 'sentences'>,
  publicUrl: string,
  mode: Mode,
): Mail {
  const subject = `Your ad zones ${daysText(days)}`;
  return {
    subject,
    heading: subject,
    paragraphs: sentences,
    action: { label: 'Open your results', url: `${publicUrl}/results` },
    ...settingsOf(publicUrl),
    ...testLabel(mode),
  };
}
