import { listText } from '#domain/list-text.ts';
import { type Currency, decimalOf, moneyText } from '#domain/money.ts';
import { type DocumentKind, monthText, shownCents, sideOfDocument } from '#domain/payments/documents.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { type Mail, testLabel } from '../layout.ts';

/** Documents of one kind, side and currency: how many, and the sum of their amounts. */
type Papers = { kind: DocumentKind; side: LedgerSide | null; currency: Currency; n: number; cents: number };

const NAMES: Record<DocumentKind, [one: string, more: string]> = {
  receipt: ['receipt', 'receipts'],
  credit_note: ['credit note', 'credit notes'],
  commission_note: ['commission note', 'commission notes'],
  self_billing: ['self-billing invoice', 'self-billing invoices'],
  statement: ['statement', 'statements'],
};

const SIDES = [
  { side: 'buyer', as: 'As an advertiser', label: 'Open your receipts and statements', path: '/billing' },
  {
    side: 'publisher',
    as: 'As a publisher',
    label: 'Open the documents of your earnings',
    path: '/earnings',
  },
] as const;

/** The mail about somebody's documents for a month that is over, with the pages that list them. */
export function monthDocumentsMail(
  month: string,
  papers: readonly Papers[],
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  const sides = SIDES.flatMap(({ side, as, label, path }) => {
    const own = papers.filter((each) => sideOfDocument(each) === side);
    return own.length === 0
      ? []
      : [{ text: `${as}: ${listText(own.map(papersText))}.`, link: { label, url: `${publicUrl}${path}` } }];
  });
  const count = papers.reduce((sum, { n }) => sum + n, 0);
  const subject = `Your documents for ${monthText(month)}`;
  const [action, second] = sides.map(({ link }) => link);
  return {
    subject,
    heading: subject,
    paragraphs: [
      `You have ${count === 1 ? 'one document' : `${count} documents`} for ${monthText(month)}.`,
      ...sides.map(({ text }) => text),
    ],
    ...(action && { action }),
    ...(second && { document: second }),
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
    ...testLabel(mode),
  };
}

/** '2 receipts ($119.00 in total)'. The amount of a statement is a balance, so it does not stand here. */
function papersText({ kind, currency, n, cents }: Papers): string {
  const name = `${n} ${NAMES[kind][n === 1 ? 0 : 1]}`;
  if (kind === 'statement') return name;
  const sum = moneyText(decimalOf(shownCents(kind, cents)), currency);
  return `${name} (${sum}${n === 1 ? '' : ' in total'})`;
}
