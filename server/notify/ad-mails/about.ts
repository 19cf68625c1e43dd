/** The parts of the mails about an ad. Each file in the folders here is one mail, or the few about one thing. */
import { EXPIRES_AFTER_DAYS } from '#domain/ads/status.ts';
import { type Currency, decimalOf, moneyText } from '#domain/money.ts';
import type { Notice, NoticeKind, Side } from '#domain/notifications/notices.ts';
import type { Switch } from '#domain/notifications/switches.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { isolated } from '../layout.ts';
import type { Subject } from '../store.ts';

type Link = { label: string; url: string };

/** The mail says in this order: what happened, what it means, what to do next. */
export type Words = {
  title: string;
  paragraphs: string[];
  action: Link;
  /** A document about what happened, below the action. */
  document?: Link;
  /** Small print below the action. */
  note?: string;
};

/** The ad of a mail, and the links and amounts for its sentences. */
export type About = {
  side: Side;
  /** Its texts don't affect the direction of the sentences that they stand in. */
  ad: Subject;
  /** 'Sidebar on The Daily' */
  zone: string;
  now: Date;
  publicUrl: string;
  dashboard: Link;
  /** The page of the advertiser's campaign. */
  campaign: Link;
  adZones: Link;
  /** '50.00' -> '$50.00' */
  money: (decimal: string) => string;
  cents: (cents: number) => string;
};

/**
 * A mail to one side. `offSwitch` turns it off besides `emailNotifications`. Null means that no other switch does, because the
 * mail asks for a decision, reports an ad, or is about the end of an ad, a refund or a dispute. A rejection is a campaign update
 * [OP-066].
 */
type ToSide<Of extends Notice> = {
  offSwitch: Exclude<Switch, 'emailNotifications'> | null;
  words: (about: About, notice: Of) => Words;
};

/** A mail about a notice to one side of the ad, or to both. */
export type AdMail<Kind extends NoticeKind> = Partial<Record<Side, ToSide<Extract<Notice, { kind: Kind }>>>>;

/** A mail that both sides get, in nearly the same words. */
export const toBoth = <Of extends Notice>(
  offSwitch: ToSide<Of>['offSwitch'],
  words: ToSide<Of>['words'],
): Record<Side, ToSide<Of>> => ({ advertiser: { offSwitch, words }, publisher: { offSwitch, words } });

export function aboutAd(
  subject: Subject,
  side: Side,
  { publicUrl, currency }: { publicUrl: string; currency: Currency },
  now: Date,
): About {
  const ad = {
    ...subject,
    title: isolated(subject.title),
    zoneName: isolated(subject.zoneName),
    websiteName: isolated(subject.websiteName),
  };
  const money = (decimal: string) => moneyText(decimal, currency);
  return {
    side,
    ad,
    zone: zoneOf(ad),
    now,
    publicUrl,
    dashboard: { label: 'Open your dashboard', url: `${publicUrl}/dashboard` },
    campaign: { label: 'Open the campaign', url: `${publicUrl}/campaigns/${ad.publicId}` },
    adZones: { label: 'Open your ad zones', url: `${publicUrl}/ad-zones` },
    money,
    cents: (cents) => money(decimalOf(cents)),
  };
}

export function zoneOf(ad: Pick<Subject, 'zoneName' | 'websiteName'>): string {
  return `${ad.zoneName} on ${ad.websiteName}`;
}

export const checkCode = ({ adZones }: About): Link => ({ label: 'Check the embed code', url: adZones.url });

export const checkout = ({ ad, publicUrl }: About): Link => ({
  label: 'Pay now',
  url: `${publicUrl}/checkout/${ad.publicId}`,
});

export const payments = ({ publicUrl }: About): Link => ({
  label: 'See your payments',
  url: `${publicUrl}/billing`,
});

/** The page on which the advertiser edits the ad to submit it again. */
export const resubmission = ({ ad, dashboard }: About, label: string): Link => ({
  label,
  url: `${dashboard.url}?editAd=${ad.publicId}`,
});

export const documentOf = ({ publicUrl }: About, title: string, number: string): Link => ({
  label: `${title} ${number}`,
  url: `${publicUrl}/api/documents/${number}`,
});

export const keepsDays = (payBy: Date): string =>
  `by ${instantText(payBy)} to keep your booked days. After that, others can book them and nothing is charged.`;

/** Until when an approved ad has to be paid, if it holds no days. */
export const EXPIRY_DAYS = `${EXPIRES_AFTER_DAYS} days`;

export const hasResumed = (side: Side): string =>
  side === 'publisher' ? 'A campaign on your site has resumed' : 'Your campaign has resumed';

export const comesBack = ({ cents }: About, refundCents: number, keptCents = 0): string => {
  if (refundCents > 0) return `${cents(refundCents)} for the undelivered part goes back to your card.`;
  return keptCents > 0
    ? 'The fee of the card provider takes up what is left of your payment, so there is no refund.'
    : 'Everything that you paid for was delivered, so there is no refund.';
};

/** The fee that is kept after a cancel, and why. */
export const keptBecause = ({ cents }: About, keptCents: number): string[] =>
  keptCents === 0
    ? []
    : [
        `The card provider’s fee of ${cents(keptCents)} for your payment isn’t refunded, because you canceled the campaign.`,
      ];
