import { MAX_ID } from '#domain/fields.ts';
import { invalid } from './errors.ts';
import type { Page } from './route.ts';

/** An opaque cursor over rows in the order of several integer keys, the last of which is the row's id. */
export function encodeKeys(keys: readonly number[]): string {
  return Buffer.from(keys.join(',')).toString('base64url');
}

/** The `count` keys of a cursor; 400 for what is none of ours. */
export function decodeKeys(cursor: string, count: number): number[] {
  const parts = Buffer.from(cursor, 'base64url').toString().split(',');
  const keys = parts.map((part) => (/^(?:0|-?[1-9]\d{0,14})$/.test(part) ? Number(part) : NaN));
  const id = keys.at(-1);
  if (keys.length !== count || keys.includes(NaN) || id === undefined || id < 0 || id > MAX_ID) {
    throw invalid('Unknown cursor', 'cursor');
  }
  return keys;
}

/** An opaque cursor over rows in the order of their ids. */
export function encodeCursor(id: number): string {
  return encodeKeys([id]);
}

export function decodeCursor(cursor: string | undefined): number | null {
  return cursor === undefined ? null : (decodeKeys(cursor, 1)[0] as number);
}

/** Cuts `rows`, read with `limit + 1`, to a page. */
export function pageOf<Row extends { id: number }>(rows: Row[], limit: number): Page<Row> {
  return pageBy(rows, limit, (row) => encodeCursor(row.id));
}

/** The same in another order: `cursorAt` is where a row stands in it. */
export function pageBy<Row>(rows: Row[], limit: number, cursorAt: (row: Row) => string): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorAt(last) : null };
}
