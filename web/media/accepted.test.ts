import { expect, it } from 'vitest';
import { AD_IMAGE, AD_VIDEO, LIBRARY_IMAGE, refusal } from './accepted.ts';

const file = (type: string, size: number) => new File([new Uint8Array(size)], 'name', { type });
const MB = 1024 * 1024;

// Proves MED-10
it('an ad form accepts an image of 5 MB and not one byte more', () => {
  expect(refusal(file('image/png', 5 * MB), AD_IMAGE)).toBeNull();
  expect(refusal(file('image/png', 5 * MB + 1), AD_IMAGE)).toMatch('too large');
});

it('the media library accepts an image of 10485760 bytes and not one byte more', () => {
  expect(refusal(file('image/png', 10_485_760), LIBRARY_IMAGE)).toBeNull();
  expect(refusal(file('image/png', 10_485_761), LIBRARY_IMAGE)).toMatch('too large');
});

// Proves MED-10
it('an ad form accepts JPG, PNG and GIF, and nothing else', () => {
  for (const type of ['image/jpeg', 'image/png', 'image/gif']) {
    expect(refusal(file(type, 1), AD_IMAGE)).toBeNull();
  }
  for (const type of ['image/webp', 'image/svg+xml', 'text/plain', 'video/mp4', '']) {
    expect(refusal(file(type, 1), AD_IMAGE)).toMatch("isn't a supported file");
  }
});

it('a video field accepts an MP4 and refuses other kinds and empty files', () => {
  expect(refusal(file('video/mp4', 1), AD_VIDEO)).toBeNull();
  expect(refusal(file('video/webm', 1), AD_VIDEO)).toMatch("isn't a supported file");
  expect(refusal(file('video/mp4', 0), AD_VIDEO)).toMatch('is empty');
});
