import { expect, it } from 'vitest';
import { isOurs } from './return-to.ts';

const ORIGIN = 'https://openslot.example';

it.each(['https://elsewhere.example/', '//elsewhere.example/x', '/\\elsewhere.example', '/auth', 'settings'])(
  'the page %s is not one to return to',
  (path) => {
    expect(isOurs(path, ORIGIN)).toBe(false);
  },
);

it.each(['/settings', '/transactions?from=mail', '/operator/reports'])(
  'the page %s is one to return to',
  (path) => {
    expect(isOurs(path, ORIGIN)).toBe(true);
  },
);
