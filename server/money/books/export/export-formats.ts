/** A period as the files of other bookkeeping programs (docs/decisions/043-documents.md). */
import { decimalOf } from '#domain/money.ts';
import { dayAfter, type Period } from '#domain/payments/periods.ts';
import { ACCOUNT_KINDS, beancountName } from './accounts.ts';
import type { ExportedAccount, Posting } from './store-export.ts';

type Books = { period: Period; currency: string; accounts: readonly ExportedAccount[] };

/** The result of earlier periods, and its number in DATEV's chart SKR03 ("Gewinnvortrag vor Verwendung"). */
const EARLIER = { name: 'Equity:EarlierResults', datev: 860 };

/**
 * The accounts as a period opens them: income and expenses begin at zero, and what they had is the result of earlier
 * periods, in `earlier` by currency. Otherwise a year's file would have the income of all years before. [OWNS-101]
 */
function opened(accounts: readonly ExportedAccount[]): {
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
  if (earlier.length > 0) yield `${period.from} open ${EARLIER.name}\n`;
  const balances = accounts.filter(({ openingCents }) => openingCents !== 0);
  if (balances.length > 0) yield `\n${period.from} * "Opening balances"\n`;
  for (const each of balances) yield beancountPosting(each, each.openingCents);
  for (const each of earlier) yield `  ${EARLIER.name}  ${decimalOf(each.cents)} ${each.currency}\n`;
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

/** DATEV's account for money in transit. Each entry of ours begins and ends with 0 there. */
const TRANSIT = 1590;
/** DATEV wants a number of the adviser and of the client, which the adviser replaces when the file is read. */
const ADVISER = 1001;
const CLIENT = 1;

/**
 * DATEV's format "Buchungsstapel" (https://developer.datev.de/de/file-format/details/datev-format/format-description/booking-batch).
 * A row has one account and one contra account, and our entries have any number of accounts, so each posting is a row
 * against the account for money in transit. The opening balances are in the batch of the first days of a calendar year
 * alone, because an adviser reads all months of a year into the same books. All texts are ASCII. [OWNS-101]
 */
export async function* datevLines(
  { period, currency, madeAt, ...given }: Books & { madeAt: Date },
  postings: AsyncIterable<Posting>,
): AsyncGenerator<string> {
  const made = madeAt.toISOString().replaceAll(/\D/g, '');
  const [first, last] = [period.from, period.to].map((day) => day.replaceAll('-', ''));
  const isOpening = period.from.endsWith('-01-01');
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
    `${period.from.slice(0, 4)}0101`,
    4,
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
    '"03"',
    '',
    '',
    '""',
    '""',
  ];
  yield `${head.join(';')}\r\n`;
  yield `${DATEV_COLUMNS.join(';')}\r\n`;
  const { accounts, earlier } = opened(given.accounts);
  const opening = { day: period.from, entry: 0 };
  for (const { kind, openingCents: cents, account, currency: of } of accounts)
    if (isOpening && cents !== 0)
      yield datevRow({
        ...opening,
        cents,
        currency: of,
        datev: ACCOUNT_KINDS[kind].datev,
        text: `Opening ${account}`,
      });
  for (const { cents, currency: of } of earlier)
    if (isOpening)
      yield datevRow({
        ...opening,
        cents,
        currency: of,
        datev: EARLIER.datev,
        text: 'Opening earlier years',
      });
  for await (const { amountCents, accountKind, account, ...row } of postings) {
    const text = [row.kind, account, row.ad].filter((word) => word !== null).join(' ');
    yield datevRow({ ...row, cents: amountCents, datev: ACCOUNT_KINDS[accountKind].datev, text });
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
  datev: number;
  day: string;
  entry: number;
  text: string;
}): string {
  const { cents, currency, datev, day, entry, text } = row;
  const amount = decimalOf(Math.abs(cents)).replace('.', ',');
  const date = `${day.slice(8)}${day.slice(5, 7)}`;
  const side = cents < 0 ? '"H"' : '"S"';
  return `${[amount, side, `"${currency}"`, '', '', '""', datev, TRANSIT, '""', date, `"${entry}"`, '""', '', `"${text.slice(0, 60)}"`].join(';')}\r\n`;
}
