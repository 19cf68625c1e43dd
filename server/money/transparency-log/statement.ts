import { hasSellerAccess } from '#domain/accounts/roles.ts';
import { csvOf } from '#domain/csv.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import { inputTaxFormula } from '#domain/payments/input-tax.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { type getStatement, STATEMENT_LIMIT } from '#domain/payments/statement-contract.ts';
import { later, MINUTE_MS } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { leafText } from './posting.ts';
import { type InclusionProof, proveInclusion } from './prove.ts';
import { findRoot } from './store.ts';
import { sumBefore } from './balance.ts';
import { findStatementNumber, listStatementLines, type StatementRow } from './store-statement.ts';

/** An entry that was recorded in the last moment of a month may be committed a little later. */
const COMMITTED_AFTER_MS = MINUTE_MS;

/**
 * One side's statement of a month, with the proof of each line against the newest root. Throws 404 for a month to come.
 * [STMT-01] [LOGS-05]
 */
export async function statement(
  ctx: Context,
  who: Caller,
  { params: { month }, query }: Parsed<typeof getStatement>,
): Promise<Reply<typeof getStatement>> {
  const side = query.side ?? (hasSellerAccess(who.role) ? 'publisher' : 'buyer');
  const limit = query.limit ?? STATEMENT_LIMIT;
  const after = query.cursor === undefined ? null : decodeKeys(query.cursor, ['id', 'id']);
  // One snapshot, so that the lines add up to the balances.
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const account = accountOf(ctx, who, side);
      const { from, to } = boundsOf(month);
      if (ctx.now() < from) throw notFound('This month has not begun. Choose an earlier one.');
      const opening = await sumBefore(tx, account, from);
      const rows = await listStatementLines(tx, account, { from, to, after, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const proofs = await proofsOf(ctx, tx, shown);
      const last = shown.at(-1);
      return {
        month,
        side,
        currency: ctx.config.currency,
        mode: ctx.payments.mode,
        opening: decimalOf(opening),
        closing: decimalOf(await sumBefore(tx, account, to)),
        final: ctx.now() >= later(to, COMMITTED_AFTER_MS),
        document: await findStatementNumber(tx, account, month),
        lines: shown.map((row) => ({
          at: row.occurredAt.toISOString(),
          recordedAt: row.recordedAt.toISOString(),
          kind: row.kind,
          adPublicId: row.adPublicId,
          document: row.document,
          amount: decimalOf(-row.amountCents),
          formula: row.tax && inputTaxFormula(row.tax.of, row.tax.rate),
          balance: decimalOf(opening + row.runningCents),
          leaf: leafText(ctx.payments.book, row),
          proof: proofs.get(row.leafIndex) ?? null,
        })),
        next: rows.length > limit && last ? encodeKeys([last.entry, last.accountId]) : null,
      };
    });
}

/** The whole statement as comma-separated values, in the order of the lines. [STMT-01] */
export async function statementCsv(
  ctx: Context,
  who: Caller,
  month: string,
  side: LedgerSide | undefined,
): Promise<string> {
  const rows: (string | null)[][] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const page = await statement(ctx, who, { params: { month }, query: { side, cursor }, body: undefined });
    for (const { at, recordedAt, kind, adPublicId, document, amount, balance } of page.lines)
      rows.push([at, recordedAt, kind, adPublicId, document, amount, balance, page.currency]);
    more = page.next !== null;
    cursor = page.next ?? undefined;
  }
  return csvOf(['at', 'recorded_at', 'kind', 'ad', 'document', 'amount', 'balance', 'currency'], rows);
}

/** One side's postings of all months, the oldest first, for the export of a person's data. */
export async function postingsOf(
  ctx: Context,
  who: Caller,
  side: LedgerSide,
  cursor: string | undefined,
): Promise<
  Page<{ at: string; recordedAt: string; kind: string; adPublicId: string | null; amount: string }>
> {
  const after = cursor === undefined ? null : decodeKeys(cursor, ['id', 'id']);
  const always = { from: new Date(0), to: later(ctx.now(), MINUTE_MS) };
  const rows = await listStatementLines(ctx.db, accountOf(ctx, who, side), {
    ...always,
    after,
    limit: STATEMENT_LIMIT + 1,
  });
  const { items, next } = pageBy(rows, STATEMENT_LIMIT, (row) => encodeKeys([row.entry, row.accountId]));
  return {
    items: items.map(({ occurredAt, recordedAt, kind, adPublicId, amountCents }) => ({
      at: occurredAt.toISOString(),
      recordedAt: recordedAt.toISOString(),
      kind,
      adPublicId,
      amount: decimalOf(-amountCents),
    })),
    next,
  };
}

function accountOf(ctx: Context, who: Caller, side: LedgerSide) {
  return { userId: who.id, side, book: ctx.payments.book, currency: ctx.config.currency };
}

function boundsOf(month: string): { from: Date; to: Date } {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) };
}

async function proofsOf(
  ctx: Context,
  tx: Tx,
  rows: readonly StatementRow[],
): Promise<Map<number | null, InclusionProof>> {
  const { book } = ctx.payments;
  const size = (await findRoot(tx, book))?.size ?? 0;
  const indexes = rows.flatMap(({ leafIndex }) =>
    leafIndex !== null && leafIndex < size ? [leafIndex] : [],
  );
  const proofs = await proveInclusion(tx, book, indexes, size);
  return new Map(proofs.map((proof) => [proof.index, proof]));
}
