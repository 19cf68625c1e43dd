/** A period as a file for DATEV (docs/decisions/043-documents.md). */
import { type Chart, type ChartAccount, taxKeyOf } from '#domain/payments/charts.ts';
import type { TaxCode } from '#domain/payments/returns.ts';
import { decimalOf } from '#domain/money.ts';
import { type Books, opened } from './beancount.ts';
import type { BookedDocument } from './document-rows.ts';
import type { Posting } from './store-export.ts';

/** DATEV wants a number of the adviser and of the client, which the adviser replaces when the file is read. */
const ADVISER = 1001;
const CLIENT = 1;

/**
 * DATEV's format "Buchungsstapel" (https://developer.datev.de/de/file-format/details/datev-format/format-description/booking-batch).
 * A row has one account and one contra account, and our entries have any number of accounts, so each posting is a row
 * against the account for money in transit. After the entries of the ledger, each receipt and credit note has its own
 * rows, under its number: the sale with its tax key, the net amount that leaves the sales again, because the ledger books
 * its parts, and the tax that DATEV takes over from the ledger's account. The opening balances are in the batch of the
 * first days of a calendar year alone, because an adviser reads all months of a year into the same books. All texts are
 * ASCII. [OWNS-101]
 */
export async function* datevLines(
  { period, currency, madeAt, chart, ...given }: Books & { madeAt: Date; chart: Chart },
  postings: AsyncIterable<Posting>,
  sales: AsyncIterable<BookedDocument>,
): AsyncGenerator<string> {
  const isOpening = period.from.endsWith('-01-01');
  yield `${headOf({ period, currency, chart, madeAt }).join(';')}\r\n`;
  yield `${DATEV_COLUMNS.join(';')}\r\n`;
  const { accounts, earlier } = opened(given.accounts);
  const row = rowWriter(chart);
  const opening = { day: period.from, document: '0' };
  for (const { kind, openingCents: cents, account, currency: of } of accounts)
    if (isOpening && cents !== 0)
      yield row({ ...opening, cents, currency: of, account: kind, text: `Opening ${account}` });
  for (const { cents, currency: of } of earlier)
    if (isOpening)
      yield row({
        ...opening,
        cents,
        currency: of,
        account: 'earlier_results',
        text: 'Opening earlier results',
      });
  for await (const {
    amountCents: cents,
    accountKind,
    account,
    entry,
    day,
    kind,
    ad,
    currency: of,
  } of postings) {
    const text = [kind, account, ad].filter((word) => word !== null).join(' ');
    yield row({ day, document: String(entry), cents, currency: of, account: accountKind, text });
  }
  for await (const document of sales) yield* salesRows(document).map(row);
}

function headOf({
  period,
  currency,
  chart,
  madeAt,
}: Omit<Books, 'accounts'> & { chart: Chart; madeAt: Date }): (string | number | undefined)[] {
  const made = madeAt.toISOString().replaceAll(/\D/g, '');
  const [first, last] = [period.from, period.to].map((day) => day.replaceAll('-', ''));
  return [
    '"EXTF"',
    700,
    21,
    '"Buchungsstapel"',
    13,
    made,
    '',
    '"OS"',
    '""',
    '""',
    ADVISER,
    CLIENT,
    `${period.from.slice(0, 4)}0101`,
    chart.digits,
    first,
    last,
    `"Ad space ${first}-${last}"`,
    '""',
    1,
    0,
    0,
    `"${currency}"`,
    '',
    '""',
    '',
    '',
    `"${chart.name}"`,
    '',
    '',
    '""',
    '""',
  ];
}

const SALES: Record<TaxCode, ChartAccount> = {
  domestic: 'sales',
  taxed: 'sales',
  zero: 'sales',
  none: 'sales',
  oss: 'sales_oss',
  abroad: 'sales_not_taxed',
  not_taxed: 'sales_not_taxed',
  reverse_charge: 'sales_reverse_charge',
};

/** Without a key, the sale is its net amount, and the tax stays in the ledger's account. [BOOK-203] */
function salesRows(document: BookedDocument): DatevRow[] {
  const { number, date, kind, ad, code, country, rate, netCents, taxCents, currency } = document;
  const key = country !== null && rate !== null ? taxKeyOf({ country, rate }) : null;
  const movedCents = key === null ? 0 : taxCents;
  const about = { day: date, document: number, currency, text: `${kind} ${ad ?? ''}` };
  return [
    { ...about, account: SALES[code], cents: -(netCents + movedCents), key },
    { ...about, account: 'sales_passed_on' as const, cents: netCents },
    { ...about, account: 'tax_payable' as const, cents: movedCents },
  ].filter(({ cents }) => cents !== 0);
}

const DATEV_COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schluessel)',
  'BU-Schluessel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
];

/** `cents` are those of the account, debits positive. A row with a tax key has the account as its contra account. */
type DatevRow = {
  account: ChartAccount;
  cents: number;
  currency: string;
  day: string;
  document: string;
  key?: string | null;
  text: string;
};

function rowWriter({ accounts }: Chart): (row: DatevRow) => string {
  // DATEV reads account numbers as numbers.
  const numberOf = (account: ChartAccount) => Number(accounts[account]);
  return ({ account, cents, currency, day, document, key = null, text }) => {
    const amount = decimalOf(Math.abs(cents)).replace('.', ',');
    const date = `${day.slice(8)}${day.slice(5, 7)}`;
    // The key is about the contra account, and the side about the account.
    const sides = [numberOf(account), numberOf('transit')];
    const isDebit = key === null ? cents > 0 : cents < 0;
    if (key !== null) sides.reverse();
    const side = isDebit ? '"S"' : '"H"';
    return `${[amount, side, `"${currency}"`, '', '', '""', ...sides, `"${key ?? ''}"`, date, `"${document}"`, '""', '', `"${text.slice(0, 60)}"`].join(';')}\r\n`;
  };
}
