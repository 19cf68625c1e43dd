import type { SimilarZone } from '../ads/contract.ts';
import type { EndedReason, PauseReason } from '../ads/ended.ts';
import type { Suspended } from '../ads/pause-text.ts';
import type { AdMedia } from '../ads/media.ts';
import type { TargetPause } from '../ads/target-check.ts';
import type { Switch } from './switches.ts';

/** The second creative that a notice is about, as it is shown. */
export type NoticeCreative = AdMedia & { title: string; description: string; targetUrl: string };

/** Events of an ad or its payment about which we e-mail the advertiser or the publisher. */
export type Notice =
  | { kind: 'ad-submitted'; adId: number }
  /** `card` has the last digits of the card that is charged now, if there is one. */
  | { kind: 'ad-approved'; adId: number; card: string | null }
  /** The card of "Pay when approved" was not charged: declined, or the bank wants to verify the advertiser. */
  | { kind: 'charge-failed'; adId: number; isChallenge: boolean }
  | { kind: 'ad-rejected'; adId: number; reason: string }
  /** `receipt` is the number of the receipt of the payment. */
  | { kind: 'ad-live'; adId: number; receipt: string }
  /** The publisher gets it. The advertiser gets the results instead, as 'campaign-ended'. */
  | { kind: 'ad-completed'; adId: number }
  | { kind: 'ad-expired'; adId: number }
  /** An ad has waited for the publisher since `since`, and is rejected at `dueAt`; null: never. */
  | { kind: 'ad-reminder'; adId: number; since: Date; dueAt: Date | null }
  /** The publisher did not answer in time, so the ad was rejected. */
  | { kind: 'ad-unanswered'; adId: number; reason: string; similar: SimilarZone[] }
  /** An ad of a trusted advertiser was approved when it was submitted. */
  | { kind: 'ad-trusted'; adId: number }
  /** A second creative of a running campaign. `trusted`: it was approved because the publisher trusts the advertiser. */
  | {
      kind: 'variant-submitted' | 'variant-trusted' | 'variant-approved';
      adId: number;
      creative: NoticeCreative;
    }
  | { kind: 'variant-rejected'; adId: number; creative: NoticeCreative; reason: string }
  /** Its target is not the approved one any more, so only the first creative is shown. */
  | { kind: 'variant-stopped'; adId: number; creative: NoticeCreative; reason: TargetPause }
  /** Only for per-day ads, when their zone is paused, resumed or silent for a day. */
  /** `suspended` is what the marketplace suspended; null if the publisher paused the ad zone or hid its website. */
  | { kind: 'ad-paused'; adId: number; suspended: Suspended | null }
  | { kind: 'ad-resumed'; adId: number; endDate: Date; suspended: Suspended | null }
  | { kind: 'ad-silent'; adId: number; endDate: Date }
  /** The publisher gets it, because their advertiser has paused the campaign, or resumed it. */
  | { kind: 'advertiser-paused' | 'advertiser-resumed'; adId: number }
  /** The advertiser's pause ended at the time that they chose. `waitsFor` still keeps the ad from being shown; null: nothing does. */
  | { kind: 'pause-over'; adId: number; waitsFor: PauseReason | null }
  /** Two or more days in a row without the views that they need, the latest last. */
  | { kind: 'days-silent'; adId: number; days: { beganAt: Date; views: number; minViews: number }[] }
  /** `title` is that of the reported creative. `reason` is one of the sentences of REPORT_REASONS (domain/transparency/report.ts). */
  | { kind: 'ad-reported'; adId: number; title: string; reason: string }
  /** The operator took the ad down. The advertiser can answer at `decisionUrl`, which the publisher does not get. */
  | {
      kind: 'ad-taken-down';
      adId: number;
      reason: string;
      decisionUrl: string;
      refundCents: number;
      /** The card provider's fee that was kept, because the advertiser had canceled before. */
      keptCents: number;
    }
  /** The payment is disputed at the bank, or the bank asks about it, and the ad waits for its decision. */
  | { kind: 'ad-disputed'; adId: number; isInquiry: boolean }
  /** We have sent the evidence to the bank. */
  | { kind: 'dispute-answered'; adId: number }
  /** The card network decides a dispute again. */
  | { kind: 'dispute-appealed'; adId: number }
  | { kind: 'ad-undisputed'; adId: number }
  /** The bank has decided for the cardholder, and the campaign has ended. `borneCents` were taken from the earnings. */
  /** `creditNote` is the number of the document about it; null if the bank took only an owed refund. */
  | { kind: 'dispute-lost'; adId: number; lostCents: number; borneCents: number; creditNote: string | null }
  /** The bank returned the money of a lost dispute. `borneCents` go back to the earnings. */
  | { kind: 'dispute-recovered'; adId: number; returnedCents: number; borneCents: number }
  /** The ad ended before everything was delivered. Units are impressions, clicks or seconds. [REFU-04] */
  | {
      kind: 'ad-ended';
      adId: number;
      endedReason: Exclude<EndedReason, 'delivered' | 'taken_down'>;
      delivered: number;
      bought: number;
      refundCents: number;
      /** The card provider's fee that was kept after a cancel. */
      keptCents: number;
      /** Whether the cancel has waited for the operator's check, which is done. */
      isReleased: boolean;
    }
  /** The cancel of a large sum waits for the operator. */
  | { kind: 'cancel-waiting'; adId: number; refundCents: number; keptCents: number }
  /**
   * The operator has refused a cancel that has waited. `endDate` is the moved end of a per-day ad; null for one with a
   * goal.
   */
  | { kind: 'cancel-refused'; adId: number; reason: string; endDate: Date | null }
  /** The target leads to another host than approved, or to a known phishing host. Both hosts are as people read them. */
  | { kind: 'target-paused'; adId: number; reason: TargetPause; from: string; to: string }
  /** The hold because of the target is over. */
  | { kind: 'target-accepted'; adId: number }
  /** The tag has requested no ad for 72 hours, so the ad is paused. [REFU-07] */
  | { kind: 'tag-silent'; adId: number }
  /** The operator refunded a part, and the ad runs on. */
  | { kind: 'ad-refunded'; adId: number; amountCents: number; reason: string }
  /** `creditNote` is the number of the document about it; null for money that was not as agreed. */
  | { kind: 'payment-refunded'; adId: number; amountCents: number; creditNote: string | null }
  /** The advertiser's bank sent a refund back. We send it again. */
  | { kind: 'refund-returned'; adId: number; amountCents: number };
export type NoticeKind = Notice['kind'];

/** The two sides of an ad. */
export type Side = 'advertiser' | 'publisher';

export type MailSettings = Record<Switch, boolean>;

/**
 * Mail to a person about something else than a change of one ad, and the setting that can turn it off besides `emailNotifications`. Withdrawn
 * traffic is about a person's ads and ad zones of a day, and counts as an update of their campaigns. A payout
 * that was sent and the documents of a month are about money that a person receives or has paid.
 */
const SWITCH_OF_PERSONAL = {
  'traffic-withdrawn': 'campaignUpdates',
  'traffic-given-back': 'campaignUpdates',
  'campaign-week': 'campaignUpdates',
  'publisher-week': 'campaignUpdates',
  'campaign-ended': 'campaignUpdates',
  'placement-changed': 'campaignUpdates',
  'delivery-fault': 'campaignUpdates',
  'payout-sent': 'paymentAlerts',
  'month-documents': 'paymentAlerts',
} as const satisfies Record<string, Switch>;
export type PersonalKind = keyof typeof SWITCH_OF_PERSONAL;

/** The switch that turns this mail off; null if the person has turned it off. */
export function personalSwitch(kind: PersonalKind, settings: MailSettings): Switch | null {
  const offSwitch = SWITCH_OF_PERSONAL[kind];
  return wants(settings, offSwitch) ? offSwitch : null;
}

/**
 * Mail about a payout that did not arrive, and about an account that cannot receive any. Only `emailNotifications` turns it
 * off, because its publisher has to act.
 */
const PAYOUT_KINDS = ['payout-failed', 'payout-account'] as const;

/** Mail that the operator has to read. No setting turns it off. */
const OPERATOR_MAIL_KINDS = [
  'ad-reported',
  'target-paused',
  'dispute-opened',
  'dispute-appealed',
  'money-held',
  'money-in-suspense',
  'debt-left',
  'payout-failed',
  'bank-payouts-late',
  'money-uncovered',
  'books-differ',
  'dispute-due',
  'decision-answered',
  'site-contested',
  'backup-failed',
  'tax-id-refused',
  'website-waiting',
  'cancel-waiting',
  'refund-adopted',
  'installation-fault',
] as const;
export type OperatorMailKind = (typeof OPERATOR_MAIL_KINDS)[number];

/** The kinds of the notices that are not about a change of one ad. */
export const OTHER_NOTICES: readonly string[] = [
  ...Object.keys(SWITCH_OF_PERSONAL),
  ...PAYOUT_KINDS,
  ...OPERATOR_MAIL_KINDS,
];

/**
 * The switch that turns off everything that a mail contains: `emailNotifications` if its notices have different ones. Null
 * if a part of it has none.
 */
export function commonSwitch(switches: readonly (Switch | null)[]): Switch | null {
  const [first = null, ...rest] = new Set(switches);
  if (switches.includes(null)) return null;
  return rest.length === 0 ? first : 'emailNotifications';
}

/** Whether somebody with these settings gets a mail that `offSwitch` turns off besides `emailNotifications`; null: nothing does. */
export function wants(settings: MailSettings, offSwitch: Switch | null): boolean {
  return settings.emailNotifications && (offSwitch === null || settings[offSwitch]);
}
