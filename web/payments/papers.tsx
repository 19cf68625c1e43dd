import { FileText } from 'lucide-react';
import { useState } from 'react';
import { calls } from '#domain/calls.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDay, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DocumentLink, PdfLink } from './document-link.tsx';
import { byMonth, type Month, Months } from './months.tsx';

/** The documents of one side by month: as publisher the commission note or the self-billing invoice, as advertiser receipts and credit notes, and each month's statement. */
export function Papers({ side }: { side: LedgerSide }) {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore } = usePagedList(
    calls.listDocuments,
    {},
    { query: { side } },
  );
  const [now] = useState(() => new Date());
  const months = items && byMonth(items, ({ month, date }) => month ?? date.slice(0, 7), now);
  return (
    <Card aria-label={TEXTS[side].title}>
      <CardHeader title={TEXTS[side].title} description={TEXTS[side].description} />
      <div className="mt-4">
        {isError ? (
          <LoadError what="your documents" onRetry={retry} />
        ) : !months ? (
          <Skeleton className="h-40" />
        ) : items.length === 0 ? (
          <EmptyState title="No documents yet" icon={<FileText aria-hidden="true" />}>
            {TEXTS[side].empty}
          </EmptyState>
        ) : (
          <>
            <PapersOf months={months.slice(0, SHOWN)} side={side} />
            {(months.length > SHOWN || hasMore) && (
              <Disclosure
                label={`Earlier months (${Math.max(0, months.length - SHOWN)}${hasMore ? '+' : ''})`}
              >
                {() => (
                  <>
                    <PapersOf months={months.slice(SHOWN)} side={side} />
                    {hasMore && (
                      <Button
                        variant="secondary"
                        size="sm"
                        className="mt-4"
                        busy={isLoadingMore}
                        onClick={loadMore}
                      >
                        Show more documents
                      </Button>
                    )}
                  </>
                )}
              </Disclosure>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

/** How many months are shown before the reader asks for the others. */
const SHOWN = 3;

function PapersOf({ months, side }: { months: readonly Month<DocumentItem>[]; side: LedgerSide }) {
  return (
    <Months
      label="Documents"
      months={months.map(({ month, items }) => ({
        month,
        // The statement has a line of its own in each month.
        items: items.filter(({ kind }) => kind !== 'statement'),
      }))}
      side={side}
      keyOf={({ number }) => number}
      renderLine={(item) => <DocumentLine item={item} />}
    />
  );
}

const TEXTS: Record<LedgerSide, { title: string; description: string; empty: string }> = {
  buyer: {
    title: 'Documents',
    description: 'The receipts, credit notes and statement of each month.',
    empty:
      'Your first receipt appears here when you pay for an ad, and a statement at the end of each month with an amount.',
  },
  publisher: {
    title: 'Tax papers',
    description: 'The commission note or self-billing invoice, and the statement, of each month.',
    empty: 'Your first commission note and statement appear here after the first month in which you earn.',
  },
};

function DocumentLine({ item: { number, kind, date, title, amount } }: { item: DocumentItem }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="grid min-w-0 flex-1 basis-56">
        <DocumentLink number={number} kind={kind} />
        <span className="text-ink-faint wrap-anywhere">
          {title !== null && (
            <>
              <bdi>{title}</bdi>,{' '}
            </>
          )}
          {formatDay(date)}
        </span>
      </span>
      <span className="ml-auto flex items-center gap-2">
        <span className="figures font-medium whitespace-nowrap">{formatMoney(amount)}</span>
        <PdfLink number={number} kind={kind} />
      </span>
    </div>
  );
}
