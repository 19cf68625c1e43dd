import { MAX_ID } from '#domain/fields.ts';
import { invalid } from './errors.ts';
import type { Page } from './route.ts';

/** An opaque cursor over rows in the order of one integer key. */
export function encodeCursor(key: number): string {
  return Buffer.from(String(key)).toString('base64url');
}

export function decodeCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_ID) throw invalid('Unknown cursor', 'cursor');
  return Number(text);
}

/** Cuts `rows`, read with `limit + 1`, to a page. */
export function pageOf<Row extends { id: number }>(rows: Row[], limit: number): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? encodeCursor(last.id) : null };
}
