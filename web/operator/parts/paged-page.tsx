import type { ReactNode } from 'react';
import type { Call, Reply } from '#domain/endpoint.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import type { InputArgs } from '#web/http/request.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useRowKeys } from './row-keys.ts';
import { useConsoleTitle } from './console-title.ts';

type ItemOf<E> = Reply<E> extends readonly (infer Item)[] ? Item : never;

type PagedPageProps<E> = {
  title: string;
  /** Names the list in the error message: 'the reports'. */
  what: string;
  call: Call<E>;
  input: InputArgs<E>[0];
  description?: ReactNode;
  /** Between the heading and the list, such as a filter. */
  above?: ReactNode;
  /** Said in place of an empty list. */
  empty: string;
  /** What the reader can do about the empty list. */
  emptyNote?: ReactNode;
  keyOf: (item: ItemOf<E>) => string | number;
  children: (item: ItemOf<E>) => ReactNode;
};

/** A page of the console with one list that grows on demand. */
export function PagedPage<E>({
  title,
  what,
  call,
  input,
  description,
  above,
  empty,
  emptyNote,
  keyOf,
  children,
}: PagedPageProps<E>) {
  useConsoleTitle(title);
  const list = usePagedList(call, { keepPrevious: true }, ...([input] as unknown as InputArgs<E>));
  const keys = useRowKeys(list.items?.length ?? 0);
  return (
    <Page>
      <PageHeader title={<bdi>{title}</bdi>} description={description} />
      {above}
      {list.isError ? (
        <LoadError what={what} onRetry={list.retry} />
      ) : !list.items ? (
        <Skeleton className="h-64" />
      ) : list.items.length === 0 ? (
        <EmptyState title={empty}>{emptyNote}</EmptyState>
      ) : (
        <Card padded={false} className={list.isOutdated ? 'opacity-60' : undefined}>
          <ul {...keys} aria-label={title} className="divide-y divide-line">
            {list.items.map((item) => (
              <li key={keyOf(item)} className="grid gap-2 px-inset py-4">
                {children(item)}
              </li>
            ))}
          </ul>
          {list.hasMore && (
            <div className="border-t border-line p-3 text-center">
              <Button variant="secondary" size="sm" busy={list.isLoadingMore} onClick={list.loadMore}>
                Show more
              </Button>
            </div>
          )}
        </Card>
      )}
    </Page>
  );
}
