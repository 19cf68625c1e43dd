import type { LedgerSide } from './ledger-sides.ts';

/** The kinds of documents of record. */
export const DOCUMENT_KINDS = [
  'receipt',
  'credit_note',
  'commission_note',
  'self_billing',
  'statement',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Such as 'R-2026-000001'. The letter names the kind, and each kind, year and book has its own series from 1. */
export const DOCUMENT_NUMBER = /^[RCNBS]-\d{4}-(?:\d{6}|[1-9]\d{6,9})$/;

export const DOCUMENT_TITLES: Record<DocumentKind, string> = {
  receipt: 'Receipt',
  credit_note: 'Credit note',
  commission_note: 'Commission note',
  self_billing: 'Self-billing invoice',
  statement: 'Statement',
};

/** The side of a sale on whose page a document is listed. Only statements exist for both. */
export function sideOfDocument({ kind, side }: { kind: DocumentKind; side: LedgerSide | null }): LedgerSide {
  return side ?? (kind === 'receipt' || kind === 'credit_note' ? 'buyer' : 'publisher');
}

/** Credit notes are kept with positive amounts, and show negative ones: they take back what a receipt says. [OWNS-108] */
export const shownCents = (kind: DocumentKind, cents: number): number =>
  kind === 'credit_note' && cents !== 0 ? -cents : cents;

/** The balances of a statement, as its page, its PDF and Settings name them. */
export const STATEMENT_BALANCES: Record<LedgerSide, { start: string; end: string }> = {
  publisher: { start: 'Balance at the start', end: 'Balance at the end' },
  buyer: { start: 'Paid, not delivered yet, at the start', end: 'Paid, not delivered yet' },
};

/** '2026-03' -> 'March 2026' */
export function monthText(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
