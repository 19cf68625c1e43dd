import { expect, it } from 'vitest';
import { hasChanged } from './changes.ts';
import { isImage, isVideo, mediaOf } from './media.ts';

const content = {
  title: 'A',
  description: 'B',
  targetUrl: 'https://c.example',
  imageUrl: null,
  videoUrl: null,
};

// Proves VAL-30
it('detects a change in each field', () => {
  expect(hasChanged(content, { ...content })).toBe(false);
  for (const field of Object.keys(content)) {
    expect(hasChanged(content, { ...content, [field]: 'https://other.example' })).toBe(true);
  }
});

// Proves OP-055, GEN-14
it('keeps no media for text ads, the image for image ads, and video and thumbnail for video ads', () => {
  const given = { imageUrl: 'i', videoUrl: 'v' };
  expect(mediaOf('text', given)).toEqual({ imageUrl: null, videoUrl: null });
  expect(mediaOf('image', given)).toEqual({ imageUrl: 'i', videoUrl: null });
  expect(mediaOf('video', given)).toEqual(given);
});

// Proves GEN-15, GEN-16
it('accepts JPEG, PNG and GIF as images and MP4 as video', () => {
  expect(['image/jpeg', 'image/png', 'image/gif'].every(isImage)).toBe(true);
  expect(['video/mp4', 'image/svg+xml', 'text/html'].some(isImage)).toBe(false);
  expect(isVideo('video/mp4')).toBe(true);
  expect(isVideo('image/gif')).toBe(false);
});
