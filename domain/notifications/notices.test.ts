import { describe, expect, it } from 'vitest';
import { type MailSettings, type NoticeKind, type Side, sidesToTell } from './notices.ts';

const ALL_ON: MailSettings = { emailNotifications: true, campaignUpdates: true, paymentAlerts: true };
const off = (...names: (keyof MailSettings)[]): MailSettings => ({
  ...ALL_ON,
  ...Object.fromEntries(names.map((name) => [name, false])),
});
const tell = (kind: NoticeKind, settings: Partial<Record<Side, MailSettings>> = {}) =>
  sidesToTell(kind, { advertiser: ALL_ON, publisher: ALL_ON, ...settings });

describe('who is told of what', () => {
  it.each<[string, NoticeKind, Side[]]>([
    ['AUTH-26', 'ad-submitted', ['publisher']],
    ['AUTH-26', 'ad-approved', ['advertiser']],
    ['ERR-50', 'ad-rejected', ['advertiser']],
    ['AUTH-26', 'ad-live', ['advertiser', 'publisher']],
    ['AUTH-26', 'ad-completed', ['advertiser', 'publisher']],
    ['AUTH-26', 'ad-expired', ['advertiser', 'publisher']],
    ['DEL-46', 'ad-paused', ['advertiser', 'publisher']],
    ['DEL-46', 'ad-resumed', ['advertiser', 'publisher']],
    ['DEL-46', 'ad-silent', ['advertiser', 'publisher']],
    ['DEL-60', 'ad-reported', ['publisher']],
    ['DEL-64', 'ad-taken-down', ['advertiser', 'publisher']],
    ['AUTH-26', 'payment-refunded', ['advertiser']],
  ])('%s %s with everything on', (_id, kind, sides) => {
    expect(tell(kind)).toEqual(sides);
  });

  // Proves ENT-11
  it('emailNotifications off means no notice at all', () => {
    const nobody = { advertiser: off('emailNotifications'), publisher: off('emailNotifications') };
    for (const kind of ['ad-submitted', 'ad-rejected', 'ad-live', 'payment-refunded'] as const) {
      expect(tell(kind, nobody)).toEqual([]);
    }
  });

  // Proves ERR-50
  it('campaignUpdates decides about a rejection', () => {
    expect(tell('ad-rejected', { advertiser: off('campaignUpdates') })).toEqual([]);
    expect(tell('ad-rejected', { advertiser: off('paymentAlerts') })).toEqual(['advertiser']);
  });

  // Proves ENT-11
  it('paymentAlerts decides about money', () => {
    expect(tell('payment-refunded', { advertiser: off('paymentAlerts') })).toEqual([]);
    expect(tell('ad-live', { publisher: off('paymentAlerts') })).toEqual(['advertiser']);
    expect(tell('ad-live', { advertiser: off('paymentAlerts') })).toEqual(['advertiser', 'publisher']);
  });

  // Proves ENT-11
  it('a submission waits for an answer, so only the main switch silences it', () => {
    expect(tell('ad-submitted', { publisher: off('campaignUpdates', 'paymentAlerts') })).toEqual([
      'publisher',
    ]);
  });

  // Proves ENT-11
  it("one side's settings do not touch the other's mail", () => {
    expect(tell('ad-live', { advertiser: off('emailNotifications') })).toEqual(['publisher']);
  });
});
