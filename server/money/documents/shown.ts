import { countryName } from '#domain/countries.ts';
import { QUOTA_ENDS_AFTER_DAYS, SILENT_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { DOCUMENT_TITLES, shownCents, STATEMENT_BALANCES } from '#domain/payments/documents.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Formats } from './formats.ts';
import {
  earningsOf,
  issueDayOf,
  paidDayOf,
  servicePeriodOf,
  type CommissionRow,
  type Content,
  type Document,
  type Party,
  type Sale,
} from './store.ts';
import type { PrintedDocument } from '#server/platform/print/printed-document.ts';

const LABELS: Record<PaymentBook, string | null> = {
  sandbox: 'TEST: no money moved. This document was made in the sandbox.',
  'stripe-test': 'TEST: no money moved. This document was made in test mode.',
  'stripe-live': null,
};

/** A document, and how its reader writes dates and amounts. */
type Shown = Document & { formats: Formats };

export function printedDocument(stored: Document, formats: Formats): PrintedDocument {
  const document = { ...stored, formats };
  const { content, book, number, customer, seller, currency } = document;
  const isSelfBilling = content.kind === 'self_billing';
  // The marketplace makes every document, so that its legal lines are on each.
  const marketplace = isSelfBilling ? customer : seller;
  return {
    title: `${DOCUMENT_TITLES[content.kind]} ${number}`,
    label: LABELS[book],
    facts: [
      ['Number', number],
      ['Issued', formats.day(issueDayOf(document))],
      ...factsOf(document),
      ['Currency', currency],
    ],
    parties: isSelfBilling
      ? [partyOf('Supplier', seller), partyOf('Recipient, who issues this invoice', customer)]
      : [
          partyOf('From', seller),
          partyOf(content.kind === 'commission_note' ? 'To the publisher' : 'To', customer),
        ],
    ...withLegalLines(bodyOf(document), marketplace),
  };
}

const withLegalLines = (body: Body, { legal }: Party): Body => ({
  ...body,
  notes: [...body.notes, ...(legal?.split('\n') ?? [])],
});

function factsOf(document: Shown): [string, string][] {
  const { content, month, side, formats } = document;
  switch (content.kind) {
    case 'receipt':
      return [
        ...(content.returned
          ? ([['Replaces credit note', content.returned.creditNote]] as [string, string][])
          : []),
        ['Paid', formats.day(paidDayOf(content.sale))],
        ...campaignOf(document),
        ...referenceOf(content.sale),
      ];
    case 'credit_note':
      return [
        ['For receipt', content.receipt],
        ['Paid', formats.day(paidDayOf(content.sale))],
        ...campaignOf(document),
        ...referenceOf(content.sale),
      ];
    case 'commission_note':
    case 'self_billing':
      return [['Month', formats.month(month as string)]];
    case 'statement':
      return [
        ['Month', formats.month(month as string)],
        ['Side', side === 'publisher' ? 'Publisher' : 'Advertiser'],
      ];
  }
}

function campaignOf(document: Shown): [string, string][] {
  const { formats } = document;
  const period = servicePeriodOf(document);
  if (period === null) return [];
  const from = formats.day(period.from);
  if (period.to === null) return [['Period of service', `From ${from}`]];
  const to = formats.day(period.to);
  return [['Period of service', from === to ? from : `${from} – ${to}`]];
}

const referenceOf = ({ reference }: Sale): [string, string][] =>
  reference === undefined ? [] : [['Your reference', reference]];

type Body = Pick<PrintedDocument, 'columns' | 'rows' | 'noRows' | 'totals' | 'notes'>;

function bodyOf(document: Shown): Body {
  const { content } = document;
  switch (content.kind) {
    case 'receipt':
      if (content.returned)
        return saleBody(document, content.sale, 'Total paid', [
          `The bank had taken this amount back from the payment of receipt ${content.returned.receipt}, and has returned it after another decision about the dispute.`,
        ]);
      return saleBody(document, content.sale, 'Total paid', [
        'Paid in full by card. The undelivered part is refunded to the card, with a credit note.',
        'Your month’s statement shows how the amount was delivered.',
      ]);
    case 'credit_note':
      if (content.cause === 'dispute_lost')
        return saleBody(document, content.sale, 'Total taken back', [
          `The bank of the card took this amount back from the payment of receipt ${content.receipt}, because it was disputed.`,
        ]);
      return saleBody(
        document,
        content.sale,
        'Total refunded',
        [
          `Refunded to the card that paid receipt ${content.receipt}.`,
          `Reason: ${CAUSES[content.cause]}`,
          ...(content.keptCents !== undefined && document.tax && document.tax.rate > 0 ? [TAX_OF_KEPT] : []),
        ],
        content.keptCents,
      );
    case 'commission_note':
      return commissionBody(document, content);
    case 'self_billing':
      return selfBillingBody(document, content);
    case 'statement':
      return statementBody(document, content);
  }
}

const CAUSES: Record<Exclude<Extract<Content, { kind: 'credit_note' }>['cause'], 'dispute_lost'>, string> = {
  too_late: 'the payment arrived when the ad could no longer go live.',
  delivered: 'some of the traffic that was billed turned out to be invalid.',
  canceled: 'the advertiser canceled the campaign.',
  taken_down: 'the marketplace operator took the ad down.',
  tag_silent: `the page of the ad zone requested no ads for ${SILENT_ENDS_AFTER_DAYS} days.`,
  quota_unfinished: `the campaign was not delivered in full within ${QUOTA_ENDS_AFTER_DAYS} days.`,
  publisher_suspended: 'the marketplace operator suspended the publisher.',
  fraud_warning: 'the bank of the card reported the payment as possibly fraudulent.',
  operator: 'the marketplace operator refunded it.',
  target_refused: 'the target of the ad led to another website than the approved one.',
};

const TAX_OF_KEPT = 'The fee that is not refunded contains tax, which is not taken back.';

/**
 * The rows of a sale add up to its total: a fee that was kept of a refund stands beside what was not delivered.
 * [OWNS-80]
 */
function saleBody(document: Shown, sale: Sale, total: string, notes: string[], keptCents = 0): Body {
  const shown = (cents: number) => textOf(document, shownCents(document.content.kind, cents));
  const amount = shown(document.amountCents);
  return {
    columns: ['Description', 'Amount'],
    rows: [
      {
        cells: [`Advertising: “${sale.title}”`, shown(document.amountCents + keptCents)],
        detail: `${sale.bought} in ${sale.zone} on ${sale.website}. Ad ${sale.adPublicId}`,
      },
      ...(keptCents > 0
        ? [
            {
              cells: ['Fee of the card provider, not refunded', textOf(document, keptCents)],
              detail: 'The marketplace keeps it, because the advertiser canceled the campaign.',
            },
          ]
        : []),
    ],
    noRows: '',
    totals: [...taxTotals(document), { name: total, amount, isMain: true }],
    notes: [
      ...notes,
      ...(document.tax?.sentence ? [document.tax.sentence] : []),
      ...(document.tax ? [] : [noTaxText(document.content)]),
    ],
  };
}

const NO_TAX = 'No tax is shown on this document.';

function taxTotals(document: Shown): PrintedDocument['totals'] {
  const { tax, amountCents, content, formats } = document;
  if (!tax) return [];
  const shown = (cents: number) => textOf(document, shownCents(content.kind, cents));
  return [
    { name: 'Net amount', amount: shown(amountCents - tax.cents), isMain: false },
    {
      name: `${isOnTop(content) ? 'Tax' : 'Tax included'} (${formats.rate(tax.rate)})`,
      amount: shown(tax.cents),
      isMain: false,
    },
  ];
}

const isOnTop = (content: Content): boolean =>
  content.kind === 'self_billing' && content.publisherTax === 'on_top';

/** One line for each ad, with what was delivered, what the marketplace keeps of it, and what the publisher earns. */
function commissionRows(document: Shown, rows: CommissionRow[]): Pick<Body, 'columns' | 'rows' | 'noRows'> {
  const amount = (cents: number) => textOf(document, cents);
  return {
    columns: ['Ad', 'Delivered', 'Commission', 'Your earnings'],
    rows: rows.map(({ title, adPublicId, earnedCents, commissionCents }) => ({
      cells: [title, amount(earnedCents + commissionCents), amount(commissionCents), amount(earnedCents)],
      detail: `Ad ${adPublicId}`,
    })),
    noRows: 'No commission was booked in this month.',
  };
}

/** The publisher's supply to the marketplace: their earnings, with the tax in them or on top of them. [OWNS-126, BOOK-206] */
function selfBillingBody(document: Shown, content: Extract<Content, { kind: 'self_billing' }>): Body {
  const { amountCents, tax } = document;
  const amount = (cents: number) => textOf(document, cents);
  return {
    ...commissionRows(document, content.rows),
    totals: [
      {
        name: 'Delivered',
        amount: amount(earningsOf(document) + content.commissionCents),
        isMain: false,
      },
      { name: 'Commission', amount: amount(content.commissionCents), isMain: false },
      ...taxTotals(document),
      {
        name: isOnTop(content) ? 'Total earned with tax' : 'Total earned',
        amount: amount(amountCents),
        isMain: true,
      },
    ],
    notes: [
      ...content.text.split('\n'),
      'Supply: ad space, provided in this month. The total is added to the balance of the supplier and paid out from it.',
      'Negative amounts correct earlier months.',
      ...(tax?.sentence ? [tax.sentence] : []),
      ...(tax ? [] : [noTaxText(content)]),
    ],
  };
}

/** The sentence of a document on which no tax is shown. */
export function noTaxText(content: Content): string {
  if (content.kind !== 'self_billing') return NO_TAX;
  if (content.taxStatus === 'small_business') return SMALL_BUSINESS;
  return content.isAbroad ? ABROAD : CHARGES_NO_TAX;
}

const ABROAD = 'The supplier and the recipient are in different countries. No tax is shown on this document.';
const SMALL_BUSINESS = 'The supplier states to be a small business that charges no tax.';
const CHARGES_NO_TAX = 'The supplier states to charge no tax on this supply.';

function commissionBody(document: Shown, content: Extract<Content, { kind: 'commission_note' }>): Body {
  const amount = (cents: number) => textOf(document, cents);
  return {
    ...commissionRows(document, content.rows),
    totals: [
      { name: 'Delivered', amount: amount(content.earnedCents + document.amountCents), isMain: false },
      { name: 'Your earnings', amount: amount(content.earnedCents), isMain: false },
      { name: 'Commission', amount: amount(document.amountCents), isMain: true },
    ],
    notes: [
      'The commission was kept from what advertisers paid. You owe nothing for it.',
      'Negative amounts correct earlier months.',
      noTaxText(content),
    ],
  };
}

function statementBody(document: Shown, content: Extract<Content, { kind: 'statement' }>): Body {
  const amount = (cents: number) => textOf(document, cents);
  const isPublisher = document.side === 'publisher';
  const names = STATEMENT_BALANCES[isPublisher ? 'publisher' : 'buyer'];
  return {
    columns: ['Ad', 'Lines', 'Amount'],
    rows: content.rows.map(({ title, adPublicId, kind, lines, cents }) => ({
      cells: [title ?? 'Account', String(lines), amount(cents)],
      detail: `${lineText(kind, isPublisher)}${adPublicId === null ? '' : `. Ad ${adPublicId}`}`,
    })),
    noRows: 'The lines of this month cancel each other out.',
    totals: [
      { name: names.start, amount: amount(content.openingCents), isMain: false },
      {
        name: `Change in ${content.lines === 1 ? '1 line' : `${content.lines} lines`}`,
        amount: amount(document.amountCents - content.openingCents),
        isMain: false,
      },
      { name: names.end, amount: amount(document.amountCents), isMain: true },
    ],
    notes: [
      isPublisher
        ? 'The balance is the part of your earnings that has not been paid out.'
        : `“${names.end}” is the part of your payments that is neither delivered nor refunded.`,
      'This month is closed. Corrections appear in the statement of the month in which they are booked.',
      'Each line, with its proof, is in the CSV and in the public log of the marketplace.',
    ],
  };
}

function lineText(kind: string, isPublisher: boolean): string {
  const text = LINES[kind];
  if (typeof text === 'object') return isPublisher ? text.publisher : text.buyer;
  if (text !== undefined) return text;
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const LINES: Record<string, string | { buyer: string; publisher: string }> = {
  paid: 'Payment',
  orphan_paid: 'Payment that came too late',
  accrual: { buyer: 'Delivered', publisher: 'Earned by delivery' },
  correction: 'Correction of invalid traffic',
  undelivered: 'Not delivered',
  cancel_fee: 'Card fee kept after the cancel',
  goodwill: 'Refunded although delivered',
  refund: 'Refund',
  refund_failed: 'Refund returned by the bank',
  refund_settled: 'Refund taken by the bank',
  dispute_lost: 'Payment taken back by the bank',
  dispute_recovered: 'Payment returned by the bank',
  transfer: 'Paid out',
  reversal: 'Payout taken back',
  netting: 'Settled from later earnings',
  debt_paid: 'Your payment of what you owed',
  debt_written_off: 'Owed amount that we gave up',
  debt_restored: 'Owed amount that was given up, settled by returned money',
  input_tax: 'Tax of a self-billing invoice',
  earnings_waived: 'Given up with the account',
};

const textOf = ({ formats }: Shown, cents: number): string => formats.money(cents);

function partyOf(role: string, { name, address, taxId, country }: Party): PrintedDocument['parties'][number] {
  const lines = (address ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const home = country && countryName(country);
  return {
    role,
    name,
    lines: [
      ...lines,
      // The address of the marketplace is one text, which may end with its country.
      ...(home === null || lines.at(-1)?.trim() === home ? [] : [home]),
      ...(taxId === null ? [] : [`Tax ID: ${taxId}`]),
    ],
  };
}
