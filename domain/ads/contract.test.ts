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
])('VAL-22 VAL-23 VAL-24 VAL-25 VAL-26 OP-057 %s %j is refused', (field, value, message) => {
  expect(refusal({ [field]: value })).toBe(message);
});

it('VAL-23 VAL-25 OP-056 the limits themselves are allowed, after trimming', () => {
  expect(refusal({ title: ` ${'x'.repeat(100)} `, description: 'x'.repeat(500) })).toBeUndefined();
});

it.each([
  'https://v.example/ad.mp4',
  'https://v.example/a.MP4?x=1',
  '/ad-images/0123456789abcdef_-ABCD',
  null,
  '',
])('OP-055 a video may be %j', (videoUrl) => {
  expect(refusal({ adType: 'video', videoUrl })).toBeUndefined();
});

it.each([
  'http://v.example/ad.mp4',
  'https://v.example/ad.webm',
  'https://v.example/?x=.mp4',
  '/etc/passwd',
  7,
])('OP-055 a video may not be %j', (videoUrl) => {
  expect(refusal({ adType: 'video', videoUrl })).toBeDefined();
});

it('VAL-31 a rejection needs a reason that is not blank', () => {
  for (const rejectionReason of [undefined, '', '  \n ']) {
    const parsed = rejectAd.body?.safeParse({ rejectionReason });
    expect(parsed?.error?.issues[0]?.message).toBe('Please provide a reason for rejection');
  }
  expect(rejectAd.body?.parse({ rejectionReason: ' Too loud ' })).toEqual({ rejectionReason: 'Too loud' });
});

it('VAL-29 resubmission asks for title, description and target as submission does', () => {
  for (const field of ['title', 'description', 'targetUrl']) {
    expect(resubmitAd.body?.safeParse({ ...ad, [field]: '' }).success).toBe(false);
  }
});
