import { describe, expect, it } from 'vitest';
import type { MailSettings, NoticeKind, Side } from '#domain/notifications/notices.ts';
import { sidesToTell } from './ad-mail.ts';

const ALL_ON: MailSettings = { emailNotifications: true, campaignUpdates: true, paymentAlerts: true };
const off = (...names: (keyof MailSettings)[]): MailSettings => ({
  ...ALL_ON,
  ...Object.fromEntries(names.map((name) => [name, false])),
});
const recipientsOf = (kind: NoticeKind, settings: Partial<Record<Side, MailSettings>> = {}) =>
  sidesToTell(kind, { advertiser: ALL_ON, publisher: ALL_ON, ...settings }).map(({ side }) => side);

/** The compiler asks for each notice. */
const AUDIENCES: Record<NoticeKind, Side[]> = {
  'ad-approved': ['advertiser'],
  'ad-completed': ['publisher'],
  'ad-disputed': ['advertiser', 'publisher'],
  'ad-ended': ['advertiser', 'publisher'],
  'ad-expired': ['advertiser', 'publisher'],
  'ad-live': ['advertiser', 'publisher'],
  'ad-paused': ['advertiser', 'publisher'],
  'ad-refunded': ['advertiser', 'publisher'],
  'ad-rejected': ['advertiser'],
  'ad-reminder': ['publisher'],
  'ad-reported': ['publisher'],
  'ad-resumed': ['advertiser', 'publisher'],
  'ad-silent': ['advertiser', 'publisher'],
  'ad-submitted': ['publisher'],
  'ad-taken-down': ['advertiser', 'publisher'],
  'ad-trusted': ['publisher'],
  'ad-unanswered': ['advertiser'],
  'ad-undisputed': ['advertiser', 'publisher'],
  'advertiser-paused': ['publisher'],
  'advertiser-resumed': ['publisher'],
  'cancel-refused': ['advertiser', 'publisher'],
  'cancel-waiting': ['advertiser', 'publisher'],
  'charge-failed': ['advertiser'],
  'days-silent': ['advertiser', 'publisher'],
  'dispute-answered': ['advertiser', 'publisher'],
  'dispute-appealed': ['advertiser', 'publisher'],
  'dispute-lost': ['advertiser', 'publisher'],
  'dispute-recovered': ['advertiser', 'publisher'],
  'pause-over': ['advertiser'],
  'payment-refunded': ['advertiser'],
  'refund-returned': ['advertiser'],
  'tag-silent': ['advertiser', 'publisher'],
  'target-accepted': ['advertiser', 'publisher'],
  'target-paused': ['advertiser', 'publisher'],
  'variant-approved': ['advertiser'],
  'variant-rejected': ['advertiser'],
  'variant-stopped': ['advertiser', 'publisher'],
  'variant-submitted': ['publisher'],
  'variant-trusted': ['publisher'],
};

describe('the notice', () => {
  // Proves AUTH-26, ERR-50, DEL-64, REFU-04
  it.each(Object.entries(AUDIENCES) as [NoticeKind, Side[]][])(
    '%s goes to %j when all settings are on',
    (kind, sides) => {
      expect(recipientsOf(kind)).toEqual(sides);
    },
  );

  // Proves ENT-11
  it('does not go to a side that has turned emailNotifications off', () => {
    const nobody = { advertiser: off('emailNotifications'), publisher: off('emailNotifications') };
    for (const kind of ['ad-submitted', 'ad-rejected', 'ad-live', 'payment-refunded'] as const) {
      expect(recipientsOf(kind, nobody)).toEqual([]);
    }
  });

  // Proves ERR-50
  it('of a rejection follows the setting campaignUpdates', () => {
    expect(recipientsOf('ad-rejected', { advertiser: off('campaignUpdates') })).toEqual([]);
    expect(recipientsOf('ad-rejected', { advertiser: off('paymentAlerts') })).toEqual(['advertiser']);
  });

  // Proves ENT-11
  it('of a payment or refund follows the setting paymentAlerts', () => {
    expect(recipientsOf('payment-refunded', { advertiser: off('paymentAlerts') })).toEqual([]);
    expect(recipientsOf('ad-live', { publisher: off('paymentAlerts') })).toEqual(['advertiser']);
    expect(recipientsOf('ad-live', { advertiser: off('paymentAlerts') })).toEqual([
      'advertiser',
      'publisher',
    ]);
  });

  // Proves ENT-11
  it('of a submission needs a decision, so only emailNotifications turns it off', () => {
    expect(recipientsOf('ad-submitted', { publisher: off('campaignUpdates', 'paymentAlerts') })).toEqual([
      'publisher',
    ]);
  });

  // Proves ENT-11
  it("to one side does not depend on the other side's settings", () => {
    expect(recipientsOf('ad-live', { advertiser: off('emailNotifications') })).toEqual(['publisher']);
  });
});
