import { describe, expect, it } from 'vitest';
import { adMail } from './ad-mail.ts';
import type { Subject } from './store.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const settings = { emailNotifications: true, campaignUpdates: true, paymentAlerts: true };
const AD: Subject = {
  title: 'Spring sale',
  description: '',
  imageUrl: null,
  zoneWidth: 300,
  zoneHeight: 250,
  zoneName: 'Sidebar',
  websiteName: 'Example',
  publicId: 'ad',
  planId: null,
  pricingModel: 'per_day',
  isPausedByAdvertiser: false,
  startDate: null,
  payBy: null,
  totalAmount: '50.00',
  earnings: '42.50',
  commissionPercent: 15,
  taxAmount: '0.00',
  advertiser: { email: 'ada@example.test', settings },
  publisher: { email: 'pat@example.test', settings },
};

describe('the time to pay', () => {
  const textOf = (kind: 'ad-approved' | 'charge-failed', ad: Subject) => {
    const notice = { kind, adId: 1, isChallenge: false, card: null } as Parameters<typeof adMail>[0];
    const marketplace = { publicUrl: 'https://ads.example', currency: 'USD' as const };
    return adMail(notice, 'advertiser', ad, marketplace, NOW).paragraphs.join(' ');
  };

  it.each(['ad-approved', 'charge-failed'] as const)('of booked days is their own in the mail %s', (kind) => {
    const booked = textOf(kind, { ...AD, payBy: new Date('2026-05-04T10:00:00Z') });
    expect(booked).toMatch(/by May 4, 2026, 10:00\sAM UTC to keep your booked days/);
    expect(booked).not.toContain('14 days');
    expect(textOf(kind, AD)).toContain('14 days');
  });
});
