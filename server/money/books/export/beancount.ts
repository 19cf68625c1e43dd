/** A period as a file for Beancount (docs/decisions/043-documents.md). */
import { decimalOf } from '#domain/money.ts';
import { dayAfter, type Period } from '#domain/payments/periods.ts';
import { ACCOUNT_KINDS, beancountName } from './accounts.ts';
import type { ExportedAccount, Posting } from './store-export.ts';

export type Books = { period: Period; currency: string; accounts: readonly ExportedAccount[] };

/** The result of earlier periods. */
const EARLIER = 'Equity:EarlierResults';

/**
 * The accounts as a period opens them: income and expenses begin at zero, and what they had is the result of earlier
 * periods, in `earlier` by currency. Otherwise a year's file would have the income of all years before. [OWNS-101]
 */
export function opened(accounts: readonly ExportedAccount[]): {
  accounts: ExportedAccount[];
  earlier: { currency: string; cents: number }[];
} {
  const earlier = new Map<string, number>();
  const begun = accounts.map((account) => {
    const { kind, currency, openingCents, closingCents } = account;
    if (!['Income', 'Expenses'].includes(ACCOUNT_KINDS[kind].root)) return account;
    earlier.set(currency, (earlier.get(currency) ?? 0) + openingCents);
    return { ...account, openingCents: 0, closingCents: closingCents - openingCents };
  });
  return {
    accounts: begun,
    earlier: [...earlier]
      .map(([currency, cents]) => ({ currency, cents }))
      .filter(({ cents }) => cents !== 0),
  };
}

/**
 * Beancount's plain-text ledger (https://beancount.github.io/docs/beancount_language_syntax.html). The balances at the end
 * are assertions, so that `bean-check` fails if a posting is missing. [OWNS-101]
 */
export async function* beancountLines(
  { period, currency, ...given }: Books,
  postings: AsyncIterable<Posting>,
): AsyncGenerator<string> {
  const { accounts, earlier } = opened(given.accounts);
  yield `option "title" "Books from ${period.from} to ${period.to}"\noption "operating_currency" "${currency}"\n\n`;
  for (const each of accounts)
    yield `${period.from} open ${beancountName(each.kind, each.ownerId)} ${each.currency}\n`;
  if (earlier.length > 0) yield `${period.from} open ${EARLIER}\n`;
  const balances = accounts.filter(({ openingCents }) => openingCents !== 0);
  if (balances.length > 0) yield `\n${period.from} * "Opening balances"\n`;
  for (const each of balances) yield beancountPosting(each, each.openingCents);
  for (const each of earlier) yield `  ${EARLIER}  ${decimalOf(each.cents)} ${each.currency}\n`;
  let entry = 0;
  for await (const posting of postings) {
    if (posting.entry !== entry) {
      const about = posting.ad === null ? '' : ` of ad ${posting.ad}`;
      yield `\n${posting.day} * "${posting.kind}${about}"\n  entry: ${posting.entry}\n`;
    }
    entry = posting.entry;
    yield beancountPosting({ ...posting, kind: posting.accountKind }, posting.amountCents);
  }
  yield '\n';
  // An assertion holds at the beginning of its day.
  for (const each of accounts)
    yield `${dayAfter(period)} balance ${beancountName(each.kind, each.ownerId)}  ${decimalOf(each.closingCents)} ${each.currency}\n`;
}

const beancountPosting = (
  { kind, ownerId, currency }: Pick<ExportedAccount, 'kind' | 'ownerId' | 'currency'>,
  cents: number,
): string => `  ${beancountName(kind, ownerId)}  ${decimalOf(cents)} ${currency}\n`;
