import { MAX_ID } from '#domain/fields.ts';
import { invalid } from './errors.ts';
import type { Page } from './route.ts';

/** Makes an opaque cursor for a list that is ordered by several integer keys. The last key is the row's id. */
export function encodeKeys(keys: readonly number[]): string {
  return Buffer.from(keys.join(',')).toString('base64url');
}

/** Returns the `count` keys of a cursor. Throws 400 if the cursor is not valid. */
export function decodeKeys(cursor: string, count: number): number[] {
  const parts = Buffer.from(cursor, 'base64url').toString().split(',');
  const keys = parts.map((part) => (/^(?:0|-?[1-9]\d{0,14})$/.test(part) ? Number(part) : NaN));
  const id = keys.at(-1);
  if (keys.length !== count || keys.includes(NaN) || id === undefined || id < 0 || id > MAX_ID) {
    throw invalidCursor();
  }
  return keys;
}

const invalidCursor = () => invalid('Invalid cursor. Start again from the first page.', 'cursor');

/** The years that PostgreSQL and every calendar agree about. A row of ours lies within them. */
const FIRST_MS = Date.UTC(1970, 0, 1);
const LAST_MS = Date.UTC(3000, 0, 1);

/** Returns the instant of a cursor's key, in milliseconds since 1970. Throws 400 if no row can have it. [DOOR-04] */
export function instantOfKey(ms: number): Date {
  if (ms < FIRST_MS || ms > LAST_MS) throw invalidCursor();
  return new Date(ms);
}

/** Makes an opaque cursor for a list that is ordered by id. */
export function encodeCursor(id: number): string {
  return encodeKeys([id]);
}

export function decodeCursor(cursor: string | undefined): number | null {
  return cursor === undefined ? null : (decodeKeys(cursor, 1)[0] as number);
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
