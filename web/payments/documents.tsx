import { Download, FileText } from 'lucide-react';
import { calls } from '#domain/calls.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import { DOCUMENT_TITLES, monthText } from '#domain/payments/documents.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { Button, ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DocumentLink } from './document-link.tsx';

/** The user's documents of one side, newest first: as advertiser receipts, credit notes and statements, as publisher commission notes or self-billing invoices, and statements. */
export function Documents({ side }: { side: LedgerSide }) {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore } = usePagedList(
    calls.listDocuments,
    {},
    { query: { side } },
  );
  return (
    <Card aria-label="Documents">
      <CardHeader title="Documents" description={TEXTS[side].description} />
      <div className="mt-4">
        {isError ? (
          <LoadError what="your documents" onRetry={retry} />
        ) : !items ? (
          <Skeleton className="h-40" />
        ) : items.length === 0 ? (
          <EmptyState title="No documents yet" icon={<FileText aria-hidden="true" />}>
            {TEXTS[side].empty}
          </EmptyState>
        ) : (
          <>
            <ul aria-label="Documents" className="divide-y divide-line border-t border-line text-sm">
              {items.map((item) => (
                <li key={item.number} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
                  <DocumentLine item={item} />
                </li>
              ))}
            </ul>
            {hasMore && (
              <Button variant="secondary" size="sm" className="mt-4" busy={isLoadingMore} onClick={loadMore}>
                Show more documents
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

const TEXTS: Record<LedgerSide, { description: string; empty: string }> = {
  buyer: {
    description:
      'A receipt for each payment, a credit note for each refund, and the statement of each month.',
    empty:
      'Your first receipt appears here when you pay for an ad, and a statement at the end of each month with an amount.',
  },
  publisher: {
    description: 'The commission note, or the self-billing invoice, and the statement of each month.',
    empty: 'Your first commission note and statement appear here after the first month in which you earn.',
  },
};

function DocumentLine({ item }: { item: DocumentItem }) {
  const { number, kind, date, amount } = item;
  return (
    <>
      <span className="grid min-w-0 flex-1 basis-56">
        <DocumentLink number={number} kind={kind} />
        <span className="text-ink-faint wrap-anywhere">
          <bdi>{aboutOf(item)}</bdi>, {dayText(date)}
        </span>
      </span>
      <span className="ml-auto flex items-center gap-4">
        <span className="figures font-medium whitespace-nowrap">{formatMoney(amount)}</span>
        <ButtonOutLink href={`/api/documents/${number}.pdf`} variant="quiet" size="sm">
          <Download aria-hidden="true" />
          PDF
          <span className="sr-only">
            of {DOCUMENT_TITLES[kind]} {number}
          </span>
        </ButtonOutLink>
      </span>
    </>
  );
}

function aboutOf({ title, month }: DocumentItem): string {
  return month === null ? (title ?? '') : monthText(month);
}

/** The date of a document is a day in UTC, in every timezone. */
function dayText(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
}
