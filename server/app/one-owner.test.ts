/** Small rules that have one owner each. A copy of one of them is a fault that is mended in one place and not in the other. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { containing } from '#server/platform/database/database.ts';
import { isSameSecret } from '#server/platform/net/secrets.ts';

const SOURCES = globSync('server/**/*.ts').filter((file) => !/\.test\.ts$|^server\/testing\//.test(file));

const filesWith = (pattern: RegExp): string[] =>
  SOURCES.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();

describe('only one file', () => {
  it.each([
    ['escapes a text for LIKE', /\[\\\\%_\]/, 'server/platform/database/database.ts'],
    ['makes an ETag of bytes', /digest\('base64url'\)\.slice\(0, 22\)/, 'server/platform/net/secrets.ts'],
    [
      'hashes a token or a key',
      /createHash\('sha256'\)\.update\((?:\w*[tT]oken|\w*[kK]ey|one|text)\)\.digest\(\)/,
      'server/platform/net/secrets.ts',
    ],
  ])('%s', (_what, pattern, owner) => {
    expect(filesWith(pattern)).toEqual([owner]);
  });

  it('compares a secret that somebody sends', () => {
    // Each of these compares a signature or a hash of its own, whose length is fixed.
    expect(filesWith(/timingSafeEqual/)).toEqual(
      [
        'server/people/accounts/keys/passwords.ts',
        'server/delivery/position/position-tokens.ts',
        'server/delivery/tokens/site-proof.ts',
        'server/delivery/tokens/tokens.ts',
        'server/delivery/zone-watch/sample-links.ts',
        'server/platform/net/secrets.ts',
        'server/notify/return-path.ts',
        'server/notify/unsubscribe.ts',
        'server/operator/decisions/appeals.ts',
      ].toSorted(),
    );
  });
});

it('secrets of any length are compared', () => {
  expect([isSameSecret('key', 'key'), isSameSecret('ke', 'key'), isSameSecret('', 'key')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('a search takes the special characters of LIKE as they are typed', () => {
  expect(containing(String.raw`50%_\ off`)).toBe(String.raw`%50\%\_\\ off%`);
});
