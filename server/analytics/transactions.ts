import type { listTransactions, Transaction } from '#domain/analytics/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { MAX_ID } from '#domain/fields.ts';
import type { Context, Who } from '../context.ts';
import { invalid } from '../http/errors.ts';
import type { Page } from '../http/route.ts';
import { listSales, type SaleRow } from './store.ts';
import { viewTransaction } from './view.ts';

const DEFAULT_LIMIT = 100;

/** Paid ads on one's own zones, the newest payment first (OP-098). */
export async function transactions(
  ctx: Context,
  who: Who,
  { query }: Parsed<typeof listTransactions>,
): Promise<Page<Transaction>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  const rows = await listSales(ctx.db, who.id, { before, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(viewTransaction), next: rows.length > limit && last ? cursorAt(last) : null };
}

// Payments may share an instant; the ad's id then tells them apart.
function cursorAt(row: SaleRow): string {
  return Buffer.from(`${(row.paidAt as Date).getTime()}-${row.id}`).toString('base64url');
}

function readCursor(cursor: string): { paidAt: Date; id: number } {
  const parts = /^(\d{1,15})-(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!parts || Number(parts[2]) > MAX_ID) throw invalid('Unknown cursor', 'cursor');
  return { paidAt: new Date(Number(parts[1])), id: Number(parts[2]) };
}
