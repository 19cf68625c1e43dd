import { expect, it } from 'vitest';
import {
  IMAGE_PATH,
  imagePathOf,
  MAX_AD_IMAGE_BYTES,
  MAX_IMAGE_BYTES,
  RECENT_IMAGES,
  UPLOAD_LIFETIME_MS,
} from './limits.ts';

const NAME = 'Jq0p8Yd3R5m_-x1ZtVw2bA';

// Proves MED-14, OP-087
it.each([
  `https://ads.example/api/uploads/${NAME}`,
  `https://bucket.example/uploads/${NAME}?X-Amz-Signature=abc/def&x=1`,
  `/api/uploads/${NAME}#part`,
])('names the image of the upload address %s by its last path segment', (url) => {
  expect(imagePathOf(url)).toBe(`/ad-images/${NAME}`);
  expect(imagePathOf(url)).toMatch(IMAGE_PATH);
});

// Proves OP-089
it.each([
  '/ad-images/',
  '/ad-images/short',
  '/ad-images/../secret',
  `/ad-images/${NAME}/x`,
  `https://elsewhere.example/ad-images/${NAME}`,
])('does not accept %s as the path of an image', (path) => {
  expect(path).not.toMatch(IMAGE_PATH);
});

// Proves MED-10, MED-12, MED-01, OP-087, OP-088
it('has the limits of the specification', () => {
  expect(MAX_AD_IMAGE_BYTES).toBe(5_242_880);
  expect(MAX_IMAGE_BYTES).toBe(10_485_760);
  expect(RECENT_IMAGES).toBe(6);
  expect(UPLOAD_LIFETIME_MS).toBe(900_000);
});
