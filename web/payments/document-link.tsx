import { type DocumentKind, DOCUMENT_TITLES } from '#domain/payments/documents.ts';

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
