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

describe('the notice', () => {
  // Proves AUTH-26, ERR-50, DEL-46, DEL-60, DEL-64, REFU-04
  it.each<[NoticeKind, Side[]]>([
    ['ad-submitted', ['publisher']],
    ['ad-approved', ['advertiser']],
    ['charge-failed', ['advertiser']],
    ['ad-rejected', ['advertiser']],
    ['ad-live', ['advertiser', 'publisher']],
    ['ad-completed', ['publisher']],
    ['ad-expired', ['advertiser', 'publisher']],
    ['ad-paused', ['advertiser', 'publisher']],
    ['ad-disputed', ['advertiser', 'publisher']],
    ['dispute-answered', ['advertiser', 'publisher']],
    ['dispute-appealed', ['advertiser', 'publisher']],
    ['dispute-recovered', ['advertiser', 'publisher']],
    ['ad-undisputed', ['advertiser', 'publisher']],
    ['dispute-lost', ['advertiser', 'publisher']],
    ['ad-resumed', ['advertiser', 'publisher']],
    ['ad-silent', ['advertiser', 'publisher']],
    ['days-silent', ['advertiser', 'publisher']],
    ['ad-reported', ['publisher']],
    ['ad-taken-down', ['advertiser', 'publisher']],
    ['ad-ended', ['advertiser', 'publisher']],
    ['cancel-waiting', ['advertiser', 'publisher']],
    ['cancel-refused', ['advertiser', 'publisher']],
    ['tag-silent', ['advertiser', 'publisher']],
    ['ad-refunded', ['advertiser', 'publisher']],
    ['refund-returned', ['advertiser']],
    ['payment-refunded', ['advertiser']],
  ])('%s goes to %j when all settings are on', (kind, sides) => {
    expect(recipientsOf(kind)).toEqual(sides);
  });

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
