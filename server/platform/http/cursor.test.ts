import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, decodeKeys, encodeCursor, encodeKeys, pageOf } from './cursor.ts';
import { HttpError } from './errors.ts';

// Proves OP-081
it('decodes a cursor to the key it was made from', () => {
  fc.assert(fc.property(fc.nat(2_147_483_647), (key) => decodeCursor(encodeCursor(key)) === key));
  expect(decodeCursor(undefined)).toBeNull();
});

// Proves RUN-09, OP-081
it('refuses anything that is not a cursor with 400', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        expect(decodeCursor(text)).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError);
        expect(error).toMatchObject({ status: 400 });
      }
    }),
  );
  for (const text of ['', '!!', encodeCursor(-1), encodeCursor(1.5), encodeCursor(2_147_483_648)]) {
    expect(() => decodeCursor(text)).toThrow('Invalid cursor. Start again from the first page.');
  }
});

// Proves DOOR-04
it.each([
  ['id', [0, 2_147_483_647], [-1, 2_147_483_648, 99_999_999_999_999]],
  ['integer', [-1, 2_147_483_647], [-2_147_483_648, 2_147_483_648, 99_999_999_999_999]],
  ['bigint', [-1, 999_999_999_999_999], [Number.MAX_SAFE_INTEGER, -1e15, 1.5]],
  ['time', [0, 1_700_000_000_000], [-1, -999_999_999_999_999, 999_999_999_999_999]],
] as const)(
  'refuses a cursor with a key that no column of type %s can have',
  (type, possible, impossible) => {
    for (const key of possible) expect(decodeKeys(encodeKeys([key, 1]), [type, 'id'])).toEqual([key, 1]);
    for (const key of impossible)
      expect(() => decodeKeys(encodeKeys([key, 1]), [type, 'id'])).toThrow(
        'Invalid cursor. Start again from the first page.',
      );
  },
);

// Proves OP-081
it('cuts a page at its limit, and names a next page only if there are more rows', () => {
  const rows = [{ id: 9 }, { id: 7 }, { id: 4 }];
  expect(pageOf(rows, 2)).toEqual({ items: [{ id: 9 }, { id: 7 }], next: encodeCursor(7) });
  expect(pageOf(rows, 3)).toEqual({ items: rows, next: null });
  expect(pageOf([], 3)).toEqual({ items: [], next: null });
});
