import { IMAGE_PATH } from '#domain/media/limits.ts';
import type { Currency } from '#domain/money.ts';
import {
  type MailSettings,
  type Notice,
  type NoticeKind,
  OTHER_NOTICES,
  type Side,
  wants,
} from '#domain/notifications/notices.ts';
import type { Switch } from '#domain/notifications/switches.ts';
import { aboutAd, type AdMail, zoneOf } from './ad-mails/about.ts';
import { adCompleted, adEnded } from './ad-mails/campaign/ad-ended.ts';
import { adLive } from './ad-mails/campaign/ad-live.ts';
import { adPaused, adResumed } from './ad-mails/campaign/ad-paused.ts';
import { adReported, adTakenDown } from './ad-mails/campaign/ad-taken-down.ts';
import { adSilent } from './ad-mails/campaign/ad-silent.ts';
import { advertiserPaused, advertiserResumed, pauseOver } from './ad-mails/campaign/advertiser-paused.ts';
import { daysSilent } from './ad-mails/campaign/days-silent.ts';
import { tagSilent } from './ad-mails/campaign/tag-silent.ts';
import { targetAccepted, targetPaused } from './ad-mails/campaign/target-paused.ts';
import { adDisputed, adUndisputed } from './ad-mails/money/ad-disputed.ts';
import { adRefunded, paymentRefunded, refundReturned } from './ad-mails/money/ad-refunded.ts';
import { cancelRefused } from './ad-mails/money/cancel-refused.ts';
import { cancelWaiting } from './ad-mails/money/cancel-waiting.ts';
import { disputeAnswered, disputeAppealed } from './ad-mails/money/dispute-answered.ts';
import { disputeLost } from './ad-mails/money/dispute-lost.ts';
import { disputeRecovered } from './ad-mails/money/dispute-recovered.ts';
import { adApproved } from './ad-mails/review/ad-approved.ts';
import { adExpired } from './ad-mails/review/ad-expired.ts';
import { adRejected } from './ad-mails/review/ad-rejected.ts';
import { adReminder, adUnanswered } from './ad-mails/review/ad-unanswered.ts';
import { adSubmitted, adTrusted } from './ad-mails/review/ad-submitted.ts';
import { chargeFailed } from './ad-mails/review/charge-failed.ts';
import {
  variantApproved,
  variantRejected,
  variantStopped,
  variantSubmitted,
  variantTrusted,
} from './ad-mails/review/variants.ts';
import type { Mail, MailedAd } from './layout.ts';
import type { Subject } from './store.ts';

/** The mails about an ad, by what happened to it. */
const MAILS: { [Kind in NoticeKind]: AdMail<Kind> } = {
  'ad-approved': adApproved,
  'ad-completed': adCompleted,
  'ad-disputed': adDisputed,
  'ad-ended': adEnded,
  'ad-expired': adExpired,
  'ad-live': adLive,
  'ad-paused': adPaused,
  'ad-refunded': adRefunded,
  'ad-rejected': adRejected,
  'ad-reminder': adReminder,
  'ad-reported': adReported,
  'ad-resumed': adResumed,
  'ad-silent': adSilent,
  'ad-submitted': adSubmitted,
  'ad-taken-down': adTakenDown,
  'ad-trusted': adTrusted,
  'ad-unanswered': adUnanswered,
  'ad-undisputed': adUndisputed,
  'advertiser-paused': advertiserPaused,
  'advertiser-resumed': advertiserResumed,
  'cancel-refused': cancelRefused,
  'cancel-waiting': cancelWaiting,
  'charge-failed': chargeFailed,
  'days-silent': daysSilent,
  'dispute-answered': disputeAnswered,
  'dispute-appealed': disputeAppealed,
  'dispute-lost': disputeLost,
  'dispute-recovered': disputeRecovered,
  'pause-over': pauseOver,
  'payment-refunded': paymentRefunded,
  'refund-returned': refundReturned,
  'tag-silent': tagSilent,
  'target-accepted': targetAccepted,
  'target-paused': targetPaused,
  'variant-approved': variantApproved,
  'variant-rejected': variantRejected,
  'variant-stopped': variantStopped,
  'variant-submitted': variantSubmitted,
  'variant-trusted': variantTrusted,
};

/** The kinds of all notices. Any other mail is about the account itself. */
export const NOTICE_KINDS: ReadonlySet<string> = new Set([...Object.keys(MAILS), ...OTHER_NOTICES]);

/**
 * The sides to e-mail, given each side's settings, with the switch that turns this notice off. A side with
 * `emailNotifications` off gets nothing.
 */
export function sidesToTell(
  kind: NoticeKind,
  settings: Record<Side, MailSettings>,
): { side: Side; offSwitch: Switch }[] {
  return (['advertiser', 'publisher'] as const).flatMap((side) => {
    const mail = MAILS[kind][side];
    return mail && wants(settings[side], mail.offSwitch)
      ? [{ side, offSwitch: mail.offSwitch ?? 'emailNotifications' }]
      : [];
  });
}

/** The mail that one side of an ad gets about a notice. Throws if that side gets none. */
export function adMail<Kind extends NoticeKind>(
  notice: Extract<Notice, { kind: Kind }>,
  side: Side,
  ad: Subject,
  marketplace: { publicUrl: string; currency: Currency },
  now: Date,
): Mail {
  const mail = (MAILS[notice.kind] as AdMail<Kind>)[side];
  if (!mail) throw new Error(`No mail tells the ${side} about ${notice.kind}`);
  const { title, ...words } = mail.words(aboutAd(ad, side, marketplace, now), notice);
  return {
    subject: title,
    heading: title,
    ...words,
    ad: mailedAd('creative' in notice ? { ...ad, ...notice.creative } : ad, marketplace.publicUrl),
    settingsUrl: `${marketplace.publicUrl}/settings?tab=notifications`,
  };
}

/** The largest size of an image in a mail, in pixels. */
const MAX_IMAGE = { width: 496, height: 200 };

type Shown = Pick<
  Subject,
  'title' | 'description' | 'imageUrl' | 'zoneWidth' | 'zoneHeight' | 'zoneName' | 'websiteName'
>;

/** Shows only images stored on this server. An image on another host would tell that host who opened the mail. */
export function mailedAd(ad: Shown, publicUrl: string): MailedAd {
  const { title, description, imageUrl, zoneWidth, zoneHeight } = ad;
  const width = Math.round(Math.min(zoneWidth, MAX_IMAGE.width, (MAX_IMAGE.height * zoneWidth) / zoneHeight));
  const shown = imageUrl !== null && IMAGE_PATH.test(imageUrl);
  return {
    title,
    description,
    zone: zoneOf(ad),
    ...(shown && { picture: { url: `${publicUrl}${imageUrl}`, width: Math.max(1, width) } }),
  };
}
