import type { listTransactions, Transaction } from '#domain/analytics/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { inSnapshot } from '#server/platform/database/database.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { type AdMoney, moneyOfAds } from '#server/money/ledger/accrue.ts';
import { listSales, type SaleRow } from './store.ts';
import { transactionReply } from './reply.ts';

const DEFAULT_LIMIT = 100;

/** Paid ads in the user's own zones, newest payment first. [OP-098] */
export async function transactions(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listTransactions>,
): Promise<Page<Transaction>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  return await inSnapshot(ctx.db, async (tx) => {
    const of = { userId: who.id, book: ctx.payments.book };
    const rows = await listSales(tx, of, { before, limit: limit + 1 });
    const { items, next } = pageBy(rows, limit, cursorAt);
    const adIds = items.map(({ id }) => id);
    const money = await moneyOfAds(tx, adIds, ctx.now());
    return { items: items.map((row) => transactionReply(row, money.get(row.id) as AdMoney)), next };
  });
}

// Two payments can have the same time. The ad's id then decides their order.
const cursorAt = ({ paidAt, id }: SaleRow): string => encodeKeys([(paidAt as Date).getTime(), id]);

function readCursor(cursor: string): { paidAt: Date; id: number } {
  const [paidAt, id] = decodeKeys(cursor, ['time', 'id']);
  return { paidAt: new Date(paidAt), id };
}
