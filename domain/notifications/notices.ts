/** What happened to an ad, and to a payment for one, that somebody may want to be told. */
export type Notice =
  | { kind: 'ad-submitted'; adId: number }
  | { kind: 'ad-approved'; adId: number }
  | { kind: 'ad-rejected'; adId: number; reason: string }
  | { kind: 'ad-live'; adId: number }
  | { kind: 'ad-completed'; adId: number }
  | { kind: 'ad-expired'; adId: number }
  /** Of per-day ads: their zone is paused, goes on, or was silent for a day (DEL-44 to DEL-46). */
  | { kind: 'ad-paused'; adId: number }
  | { kind: 'ad-resumed'; adId: number; endDate: Date }
  | { kind: 'ad-silent'; adId: number; endDate: Date }
  /** `reason` is one of the sentences that are to choose from. */
  | { kind: 'ad-reported'; adId: number; reason: string }
  /** By whoever runs the server. */
  | { kind: 'ad-taken-down'; adId: number; reason: string }
  | { kind: 'payment-refunded'; adId: number; amountCents: number };
export type NoticeKind = Notice['kind'];

/** The two sides of an ad. */
export type Side = 'advertiser' | 'publisher';

/** The switches of `user_settings` that decide about mail. */
export type MailSettings = { emailNotifications: boolean; campaignUpdates: boolean; paymentAlerts: boolean };
export type Switch = 'campaignUpdates' | 'paymentAlerts';

export type Audience = { side: Side; switch: Switch | null };

/** What happens to a running campaign concerns both sides. */
const BOTH: Audience[] = [
  { side: 'advertiser', switch: 'campaignUpdates' },
  { side: 'publisher', switch: 'campaignUpdates' },
];

/**
 * Who is told of what, and under which switch beside the main one. A publisher who has mail on at all is told of a
 * submission, because nothing goes on without the answer, and of a report, because the ad stands on their
 * site; a rejection is a campaign update (OP-066).
 */
const AUDIENCES: Record<NoticeKind, Audience[]> = {
  'ad-submitted': [{ side: 'publisher', switch: null }],
  'ad-approved': [{ side: 'advertiser', switch: 'campaignUpdates' }],
  'ad-rejected': [{ side: 'advertiser', switch: 'campaignUpdates' }],
  'ad-live': [
    { side: 'advertiser', switch: 'campaignUpdates' },
    { side: 'publisher', switch: 'paymentAlerts' },
  ],
  'ad-completed': BOTH,
  'ad-expired': BOTH,
  'ad-paused': BOTH,
  'ad-resumed': BOTH,
  'ad-silent': BOTH,
  'ad-reported': [{ side: 'publisher', switch: null }],
  'ad-taken-down': [
    { side: 'advertiser', switch: null },
    { side: 'publisher', switch: null },
  ],
  'payment-refunded': [{ side: 'advertiser', switch: 'paymentAlerts' }],
};

/** The sides to be told, given each side's settings. `emailNotifications` off means no notice at all. */
export function sidesToTell(kind: NoticeKind, settings: Record<Side, MailSettings>): Side[] {
  return AUDIENCES[kind]
    .filter((audience) => wants(settings[audience.side], audience))
    .map(({ side }) => side);
}

function wants(settings: MailSettings, audience: Audience): boolean {
  return settings.emailNotifications && (audience.switch === null || settings[audience.switch]);
}
