import { Download } from 'lucide-react';
import { type DocumentKind, DOCUMENT_TITLES } from '#domain/payments/documents.ts';
import { ButtonOutLink } from '#web/ui/button.tsx';

/** Leads to the page of a document, such as 'Receipt R-2026-000001'. */
export function DocumentLink({ number, kind }: { number: string; kind: DocumentKind }) {
  return (
    <a
      href={`/api/documents/${number}`}
      target="_blank"
      rel="noopener"
      className="figures rounded-tight whitespace-nowrap text-ink underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
    >
      {DOCUMENT_TITLES[kind]} {number}
    </a>
  );
}

/** Downloads a document as PDF. */
export function PdfLink({ number, kind }: { number: string; kind: DocumentKind }) {
  return (
    <ButtonOutLink href={`/api/documents/${number}.pdf`} variant="quiet" size="sm">
      <Download aria-hidden="true" />
      PDF
      <span className="sr-only">{` of ${DOCUMENT_TITLES[kind]} ${number}`}</span>
    </ButtonOutLink>
  );
}
