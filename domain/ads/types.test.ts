import { expect, it } from 'vitest';
import { shownAs } from './types.ts';

// Proves OP-055
it.each([
  ['text', false, false, 'text'],
  ['text', true, true, 'text'],
  ['image', true, false, 'image'],
  ['image', false, true, 'text'],
  ['video', true, true, 'video'],
  ['video', false, true, 'video'],
  ['video', true, false, 'image'],
  ['video', false, false, 'text'],
] as const)('a %s ad (image: %s, video: %s) is shown as %s', (adType, hasImage, hasVideo, shown) => {
  expect(shownAs(adType, { hasImage, hasVideo })).toBe(shown);
});
