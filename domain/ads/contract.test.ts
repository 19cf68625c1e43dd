import { expect, it } from 'vitest';
import { createAd, rejectAd, resubmitAd } from './contract.ts';

const ad = {
  adZoneId: 1,
  productId: 1,
  adType: 'text',
  title: 'T',
  description: 'D',
  targetUrl: 'https://shop.example',
};

function refusal(fields: Record<string, unknown>): string | undefined {
  const parsed = createAd.body?.safeParse({ ...ad, ...fields });
  return parsed?.success ? undefined : parsed?.error?.issues[0]?.message;
}

// Proves VAL-22, VAL-23, VAL-26, OP-057
it.each([
  ['title', undefined, 'Title is required'],
  ['title', '   ', 'Title is required'],
  ['title', 'x'.repeat(101), 'Title must be less than 100 characters'],
  ['description', undefined, 'Description is required'],
  ['description', '', 'Description is required'],
  ['description', 'x'.repeat(501), 'Description must be less than 500 characters'],
  ['targetUrl', 'abc', 'Please enter a valid URL'],
  ['targetUrl', 'javascript:alert(1)', 'Please enter a valid URL'],
  ['targetUrl', '//shop.example', 'Please enter a valid URL'],
])('refuses %s %j', (field, value, message) => {
  expect(refusal({ [field]: value })).toBe(message);
});

// Proves VAL-23, OP-056
it('accepts title and description of the maximum length after trimming', () => {
  expect(refusal({ title: ` ${'x'.repeat(100)} `, description: 'x'.repeat(500) })).toBeUndefined();
});

// Proves OP-055
it.each(['/ad-images/0123456789abcdef_-ABCD', null, ''])('accepts %j as a video', (videoUrl) => {
  expect(refusal({ adType: 'video', videoUrl })).toBeUndefined();
});

// Proves OP-055, DEC-05
it.each([
  'http://v.example/ad.mp4',
  'https://v.example/ad.mp4',
  '//v.example/ad-images/0123456789abcdef_-ABCD',
  'https://v.example/ad.webm',
  'https://v.example/?x=.mp4',
  '/etc/passwd',
  7,
])('refuses %j as a video', (videoUrl) => {
  expect(refusal({ adType: 'video', videoUrl })).toBeDefined();
});

// Proves VAL-31
it('refuses a rejection with a blank reason', () => {
  for (const rejectionReason of [undefined, '', '  \n ']) {
    const parsed = rejectAd.body?.safeParse({ rejectionReason });
    expect(parsed?.error?.issues[0]?.message).toBe('Please provide a reason for rejection');
  }
  expect(rejectAd.body?.parse({ rejectionReason: ' Too loud ' })).toEqual({ rejectionReason: 'Too loud' });
});

// Proves VAL-29
it('requires title, description and target URL again for a resubmission', () => {
  for (const field of ['title', 'description', 'targetUrl']) {
    expect(resubmitAd.body?.safeParse({ ...ad, [field]: '' }).success).toBe(false);
  }
});
