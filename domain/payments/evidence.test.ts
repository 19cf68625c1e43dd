import { expect, it } from 'vitest';
import { stageOf, takesEvidence } from './disputes.ts';
import { type EvidenceFacts, evidenceOf } from './evidence.ts';

const FACTS: EvidenceFacts = {
  adPublicId: '7b0c',
  title: 'Fresh coffee',
  targetUrl: 'https://coffee.example/',
  websiteName: 'The Daily Slot',
  websiteUrl: 'https://daily.example',
  zoneName: 'Sidebar',
  bought: '7 days',
  price: '100.00 USD',
  customerName: 'Ann Bell',
  customerEmail: 'ann@example.test',
  submittedAt: '2026-11-20T10:00:00.000Z',
  version: 2,
  approvedAt: '2026-11-20T11:00:00.000Z',
  paidAt: '2026-11-20T12:00:00.000Z',
  chargeId: 'ch_1',
  startedAt: '2026-11-20T12:00:00.000Z',
  endedAt: null,
  endedReason: null,
  days: [
    { day: '2026-11-20', views: 40, clicks: 2 },
    { day: '2026-11-21', views: 60, clicks: 1 },
  ],
  refunds: [],
};

// Proves DISP-02
it('evidence states the purchase, approval, payment and delivery, and claims nothing unknown', () => {
  const { summary, activityLog, serviceDate } = evidenceOf(FACTS);
  expect(serviceDate).toBe('2026-11-20');
  expect(activityLog.split('\n')).toEqual([
    '2026-11-20 (UTC): 40 viewable impressions, 2 clicks',
    '2026-11-21 (UTC): 60 viewable impressions, 1 clicks',
  ]);
  expect(summary).toContain('Counted so far: 100 viewable impressions and 3 clicks');
  expect(summary).toContain('Nothing was refunded.');
  expect(summary).not.toContain('The campaign ended');
  const { summary: short } = evidenceOf({ ...FACTS, approvedAt: null, startedAt: null, days: [] });
  expect(short).not.toContain('approved');
  expect(short).not.toContain('started');
});

// Proves DISP-02
it('no text is longer than the provider allows, and a long log says how many days it leaves out', () => {
  const days = Array.from({ length: 2000 }, (_, n) => ({ day: `day ${n}`, views: n, clicks: 0 }));
  const evidence = evidenceOf({ ...FACTS, title: 'x'.repeat(30_000), days });
  for (const text of Object.values(evidence)) expect(text.length).toBeLessThanOrEqual(20_000);
  const lines = evidence.activityLog.split('\n');
  expect(lines.at(-1)).toBe(`${2000 - (lines.length - 1)} more days are left out.`);
});

// Proves DISP-04, DISP-05
it.each([
  ['warning_needs_response', 'inquiry', true],
  ['warning_under_review', 'inquiry', false],
  ['needs_response', 'needs_response', true],
  ['under_review', 'under_review', false],
  ['appeal_needs_response', 'appeal', false],
  ['appeal_under_review', 'appeal', false],
  ['appeal_a_new_word', 'appeal', false],
  ['won', 'won', false],
  ['warning_closed', 'won', false],
  ['prevented', 'won', false],
  ['lost', 'lost', false],
  ['a_new_word', 'unknown', false],
  ['constructor', 'unknown', false],
] as const)('the provider’s status %s is the stage %s', (status, stage, isTaken) => {
  expect([stageOf(status), takesEvidence(status)]).toEqual([stage, isTaken]);
});
