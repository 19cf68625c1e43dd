import { MAX_ID } from '#domain/fields.ts';
import { invalid } from './errors.ts';
import type { Page } from './route.ts';

/** Makes an opaque cursor for a list that is ordered by several numbers, of which the last is the row's id. */
export function encodeKeys(keys: readonly number[]): string {
  return Buffer.from(keys.join(',')).toString('base64url');
}

/**
 * The least and the largest key that a row can have, by the type of its column. PostgreSQL refuses a number beyond its
 * column with an error instead of finding no row. A `time` is in milliseconds since 1970, within the years that
 * PostgreSQL and every calendar agree about.
 */
const RANGES = {
  id: [0, MAX_ID],
  integer: [-MAX_ID, MAX_ID],
  bigint: [-999_999_999_999_999, 999_999_999_999_999],
  time: [Date.UTC(1970, 0, 1), Date.UTC(3000, 0, 1)],
} as const;

type KeyType = keyof typeof RANGES;

/** Returns the keys of a cursor, one for each of `types`. Throws 400 if no row can have them. [DOOR-04] */
export function decodeKeys<const Types extends readonly KeyType[]>(
  cursor: string,
  types: Types,
): { [Place in keyof Types]: number } {
  const parts = Buffer.from(cursor, 'base64url').toString().split(',');
  if (parts.length !== types.length) throw invalidCursor();
  return types.map((type, place) => decodeKey(parts[place] as string, type)) as {
    [Place in keyof Types]: number;
  };
}

function decodeKey(part: string, type: KeyType): number {
  const [least, largest] = RANGES[type];
  const key = /^(?:0|-?[1-9]\d{0,14})$/.test(part) ? Number(part) : NaN;
  if (!(key >= least && key <= largest)) throw invalidCursor();
  return key;
}

const invalidCursor = () => invalid('Invalid cursor. Start again from the first page.', 'cursor');

/** Makes an opaque cursor for a list that is ordered by id. */
export function encodeCursor(id: number): string {
  return encodeKeys([id]);
}

export function decodeCursor(cursor: string | undefined): number | null {
  return cursor === undefined ? null : decodeKeys(cursor, ['id'])[0];
}

/** Makes an opaque cursor for a list that is ordered by a text of at most 40 characters and the row's id. */
export function encodeTextKey(key: string, id: number): string {
  return Buffer.from(`${id},${key}`).toString('base64url');
}

/** Returns the text and the id of a cursor. Throws 400 if the cursor is not valid. */
export function decodeTextKey(cursor: string): { key: string; id: number } {
  const [, id, key] = /^([1-9]\d{0,9}),(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined || key === undefined || Number(id) > MAX_ID) throw invalidCursor();
  // PostgreSQL has no such character, so no name has it either.
  if (key.includes('\0')) throw invalidCursor();
  return { key, id: Number(id) };
}

/** Cuts `rows` to a page. The caller reads `limit + 1` rows, so that one row more shows that a next page exists. */
export function pageOf<Row extends { id: number }>(rows: Row[], limit: number): Page<Row> {
  return pageBy(rows, limit, (row) => encodeCursor(row.id));
}

/** Like `pageOf`, for a list in another order. `cursorAt` makes the cursor of a row. */
export function pageBy<Row>(rows: Row[], limit: number, cursorAt: (row: Row) => string): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorAt(last) : null };
}
