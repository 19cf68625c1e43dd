import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { RequestError } from '#web/http/request-error.ts';
import NotFoundPage from '#web/pages/not-found.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useConsoleTitle } from './console-title.ts';

type ConsolePageProps<Data> = {
  title: string;
  /** Names the data in the error message: 'the requests'. */
  what: string;
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  description?: ReactNode;
  actions?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** A page of the console with the data of one call: its heading at once, then a sketch, the content or an error. */
export function ConsolePage<Data>({
  title,
  what,
  query: { data, error, refetch },
  description,
  actions,
  children,
}: ConsolePageProps<Data>) {
  useConsoleTitle(title);
  if (error instanceof RequestError && error.status === 404) return <NotFoundPage />;
  return (
    <Page>
      <PageHeader title={<bdi>{title}</bdi>} description={description} actions={actions} />
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <LoadError what={what} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Page>
  );
}
