import type { listTransactions, Transaction } from '#domain/analytics/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Caller } from '../context.ts';
import { decodeKeys, encodeKeys, pageBy } from '../http/cursor.ts';
import type { Page } from '../http/route.ts';
import { listSales, type SaleRow } from './store.ts';
import { viewTransaction } from './view.ts';

const DEFAULT_LIMIT = 100;

/** Paid ads in the user's own zones, newest payment first. [OP-098] */
export async function transactions(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listTransactions>,
): Promise<Page<Transaction>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  const rows = await listSales(ctx.db, who.id, { before, limit: limit + 1 });
  const { items, next } = pageBy(rows, limit, cursorAt);
  return { items: items.map(viewTransaction), next };
}

// Two payments can have the same time. The ad's id then decides their order.
const cursorAt = ({ paidAt, id }: SaleRow): string => encodeKeys([(paidAt as Date).getTime(), id]);

function readCursor(cursor: string): { paidAt: Date; id: number } {
  const [paidAt, id] = decodeKeys(cursor, ['time', 'id']);
  return { paidAt: new Date(paidAt), id };
}
