/** The year as the files of other bookkeeping programs (docs/decisions/095-the-export.md). */
import { decimalOf } from '#domain/money.ts';
import { ACCOUNT_KINDS, beancountName } from './accounts.ts';
import type { ExportedAccount, Posting } from './store-export.ts';

type Year = { year: number; currency: string; accounts: readonly ExportedAccount[] };

/**
 * Beancount's plain-text ledger (https://beancount.github.io/docs/beancount_language_syntax.html). The balances at the end
 * are assertions, so that `bean-check` fails if a posting is missing. [OWNS-101]
 */
export async function* beancountLines(
  { year, currency, accounts }: Year,
  postings: AsyncIterable<Posting>,
): AsyncGenerator<string> {
  yield `option "title" "Books of ${year}"\noption "operating_currency" "${currency}"\n\n`;
  for (const each of accounts)
    yield `${year}-01-01 open ${beancountName(each.kind, each.ownerId)} ${each.currency}\n`;
  const opened = accounts.filter(({ openingCents }) => openingCents !== 0);
  if (opened.length > 0) yield `\n${year}-01-01 * "Opening balances"\n`;
  for (const each of opened) yield beancountPosting(each, each.openingCents);
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
    yield `${year + 1}-01-01 balance ${beancountName(each.kind, each.ownerId)}  ${decimalOf(each.closingCents)} ${each.currency}\n`;
}

const beancountPosting = (
  { kind, ownerId, currency }: Pick<ExportedAccount, 'kind' | 'ownerId' | 'currency'>,
  cents: number,
): string => `  ${beancountName(kind, ownerId)}  ${decimalOf(cents)} ${currency}\n`;

/** DATEV's account for money in transit. Each entry of ours begins and ends with 0 there. */
const TRANSIT = 1590;
/** DATEV wants a number of the adviser and of the client, which the adviser replaces when the file is read. */
const ADVISER = 1001;
const CLIENT = 1;

/**
 * DATEV's format "Buchungsstapel" (https://developer.datev.de/de/file-format/details/datev-format/format-description/booking-batch).
 * A row has one account and one contra account, and our entries have any number of accounts, so each posting is a row
 * against the account for money in transit. All texts are ASCII. [OWNS-102]
 */
export async function* datevLines(
  { year, currency, accounts, madeAt }: Year & { madeAt: Date },
  postings: AsyncIterable<Posting>,
): AsyncGenerator<string> {
  const made = madeAt.toISOString().replaceAll(/\D/g, '');
  const first = `${year}0101`;
  const head = [
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
    first,
    4,
    first,
    `${year}1231`,
    `"Ad space ${year}"`,
    '""',
    1,
    0,
    0,
    `"${currency}"`,
    '',
    '""',
    '',
    '',
    '"03"',
    '',
    '',
    '""',
    '""',
  ];
  yield `${head.join(';')}\r\n`;
  yield `${DATEV_COLUMNS.join(';')}\r\n`;
  for (const { kind, openingCents, account, currency: of } of accounts)
    if (openingCents !== 0)
      yield datevRow({
        cents: openingCents,
        currency: of,
        kind,
        day: `${year}-01-01`,
        entry: 0,
        text: `Opening ${account}`,
      });
  for await (const { amountCents, accountKind, account, ...row } of postings) {
    const text = [row.kind, account, row.ad].filter((word) => word !== null).join(' ');
    yield datevRow({ ...row, cents: amountCents, kind: accountKind, text });
  }
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

function datevRow(row: {
  cents: number;
  currency: string;
  kind: ExportedAccount['kind'];
  day: string;
  entry: number;
  text: string;
}): string {
  const { cents, currency, kind, day, entry, text } = row;
  const amount = decimalOf(Math.abs(cents)).replace('.', ',');
  const date = `${day.slice(8)}${day.slice(5, 7)}`;
  const side = cents < 0 ? '"H"' : '"S"';
  const account = ACCOUNT_KINDS[kind].datev;
  return `${[amount, side, `"${currency}"`, '', '', '""', account, TRANSIT, '""', date, `"${entry}"`, '""', '', `"${text.slice(0, 60)}"`].join(';')}\r\n`;
}
