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
it('nothing has changed until a field differs', () => {
  expect(hasChanged(content, { ...content })).toBe(false);
  for (const field of Object.keys(content)) {
    expect(hasChanged(content, { ...content, [field]: 'https://other.example' })).toBe(true);
  }
});

// Proves OP-055, GEN-14
it('text ads carry no media, image ads a picture, video ads a video and a thumbnail', () => {
  const given = { imageUrl: 'i', videoUrl: 'v' };
  expect(mediaOf('text', given)).toEqual({ imageUrl: null, videoUrl: null });
  expect(mediaOf('image', given)).toEqual({ imageUrl: 'i', videoUrl: null });
  expect(mediaOf('video', given)).toEqual(given);
});

// Proves GEN-15, GEN-16
it('pictures are JPEG, PNG and GIF, videos are MP4', () => {
  expect(['image/jpeg', 'image/png', 'image/gif'].every(isImage)).toBe(true);
  expect(['video/mp4', 'image/svg+xml', 'text/html'].some(isImage)).toBe(false);
  expect(isVideo('video/mp4')).toBe(true);
  expect(isVideo('image/gif')).toBe(false);
});
