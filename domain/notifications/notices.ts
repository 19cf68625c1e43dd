/** What happened to an ad, and to a payment for one, that somebody may want to be told. */
export type Notice =
  | { kind: 'ad-submitted'; adId: number }
  | { kind: 'ad-approved'; adId: number }
  | { kind: 'ad-rejected'; adId: number; reason: string }
  | { kind: 'ad-live'; adId: number }
  | { kind: 'ad-completed'; adId: number }
  | { kind: 'ad-expired'; adId: number }
  | { kind: 'payment-refunded'; adId: number; amountCents: number };
export type NoticeKind = Notice['kind'];

/** The two sides of an ad. */
export type Side = 'advertiser' | 'publisher';

/** The switches of `user_settings` that decide about mail. */
export type MailSettings = { emailNotifications: boolean; campaignUpdates: boolean; paymentAlerts: boolean };
export type Switch = 'campaignUpdates' | 'paymentAlerts';

export type Audience = { side: Side; switch: Switch | null };

/**
 * Who is told of what, and under which switch beside the main one. A publisher who has mail on at all is told of a
 * submission, because nothing goes on without the answer; a rejection is a campaign update (OP-066).
 */
const AUDIENCES: Record<NoticeKind, Audience[]> = {
  'ad-submitted': [{ side: 'publisher', switch: null }],
  'ad-approved': [{ side: 'advertiser', switch: 'campaignUpdates' }],
  'ad-rejected': [{ side: 'advertiser', switch: 'campaignUpdates' }],
  'ad-live': [
    { side: 'advertiser', switch: 'campaignUpdates' },
    { side: 'publisher', switch: 'paymentAlerts' },
  ],
  'ad-completed': [
    { side: 'advertiser', switch: 'campaignUpdates' },
    { side: 'publisher', switch: 'campaignUpdates' },
  ],
  'ad-expired': [
    { side: 'advertiser', switch: 'campaignUpdates' },
    { side: 'publisher', switch: 'campaignUpdates' },
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
