import type { Currency } from '#domain/money.ts';
import type { AccountKind } from '#domain/payments/ledger.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { sql } from 'kysely';

/**
 * The balances of one owner's accounts, in cents: positive is our debt. An account that does not exist holds nothing.
 * `lock` keeps the balances until the transaction ends.
 */
export async function balancesOf(
  tx: Tx,
  kinds: readonly AccountKind[],
  ownerId: number,
  { book, currency }: { book: PaymentBook; currency: Currency },
  lock = false,
): Promise<Map<AccountKind, number>> {
  const rows = await tx
    .selectFrom('ledgerAccounts as a')
    .innerJoin('ledgerBalances as b', 'b.accountId', 'a.id')
    .select(['a.kind', 'b.amountCents'])
    .where('a.kind', 'in', kinds)
    .where('a.ownerId', '=', ownerId)
    .where('a.currency', '=', currency)
    .where('a.book', '=', book)
    .$if(lock, (query) => query.forNoKeyUpdate('b'))
    .execute();
  return new Map(rows.map(({ kind, amountCents }) => [kind, -amountCents]));
}

/**
 * The kinds of the entries that change what a publisher has earned and the commission of it, as a list for `in`. The
 * documents of a month and the yearly sums of publishers read these and no others, so that both tie to the balances.
 */
export const EARNING_KINDS = sql`('accrual', 'correction', 'dispute_lost', 'dispute_recovered', 'tax')`;
