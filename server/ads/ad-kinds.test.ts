/** Finds the next place that asks for the type of an ad by name. What differs between the types is in AD_KINDS. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AD_KINDS, AD_TYPES } from '#domain/ads/types.ts';

const NAME = `'(?:${AD_TYPES.join('|')})'`;
const NAMES = [
  new RegExp(String.raw`\b(?:kind|type|adType) *[!=]==? *${NAME}`),
  new RegExp(String.raw`\bad_type\b[^'\n]{0,40}(?:=|<>) *${NAME}`),
  // A list of them, or a union.
  new RegExp(`${NAME}(?:, *| *\\| *)${NAME}`),
];

// Proves OP-055
it('only the table of the types, and what cannot read it, names a type', () => {
  const found = globSync('{domain,server,web,tag}/**/*.{ts,tsx,sql}').filter((file) => {
    if (/\.test\.tsx?$|^(?:server|web)\/testing\/|^server\/platform\/database\/migrations\//.test(file))
      return false;
    const text = readFileSync(file, 'utf8');
    return NAMES.some((name) => name.test(text));
  });
  expect(found.toSorted()).toEqual(
    [
      'domain/ads/types.ts',
      'server/platform/database/functions/delivery/count_events.sql',
      'tag/render.ts',
    ].toSorted(),
  );
  // So says count_events.sql.
  expect(AD_TYPES.filter((type) => AD_KINDS[type].plays)).toEqual(['video']);
});
