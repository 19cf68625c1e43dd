import { useMutation } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { keyOf } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { advertiserName } from './advertiser.tsx';

/**
 * The advertisers whose ads the publisher takes no more, with a button to take them again. Invisible until what stands above
 * has its height.
 */
export function BlockedAdvertisers({ isPlaced = true }: { isPlaced?: boolean }) {
  const blocked = useBlocked();
  const unblock = useUnblock();
  return (
    <Card aria-label="Blocked Advertisers" className={isPlaced ? undefined : 'invisible'}>
      <CardHeader title="Blocked Advertisers" description="They can’t submit ads to your ad zones." />
      <div className="mt-4">
        {blocked.isError ? (
          <LoadError what="the advertisers you block" onRetry={blocked.retry} />
        ) : !blocked.items ? (
          <Skeleton className="h-16" />
        ) : blocked.items.length === 0 ? (
          <p className="text-sm text-ink-soft">
            You block no advertiser. Choose ‘Block advertiser’ when you review an ad.
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {blocked.items.map(({ id, advertiser, since }) => {
              const name = advertiserName(advertiser) ?? 'No name stated';
              return (
                <li
                  key={id}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm"
                >
                  <span className="min-w-0 wrap-anywhere">
                    <bdi className="font-medium">{name}</bdi>
                    <span className="block text-xs text-ink-faint">Since {formatDate(since)}</span>
                  </span>
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={`Unblock ${name}`}
                    busy={unblock.isPending && unblock.variables === id}
                    onClick={() => unblock.mutate(id)}
                  >
                    Unblock
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
        {blocked.hasMore && (
          <Button variant="secondary" size="sm" busy={blocked.isLoadingMore} onClick={blocked.loadMore}>
            Show more
          </Button>
        )}
      </div>
    </Card>
  );
}

/** The advertisers whose ads the publisher takes no more. */
function useBlocked() {
  return usePagedList(calls.listBlocked, {});
}

function useUnblock() {
  return useMutation({
    mutationFn: (id: number) => call(calls.unblockAdvertiser, { params: { id: String(id) } }),
    onSuccess: () => toast({ title: 'Advertiser unblocked. They can submit ads again.' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to unblock the advertiser'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(calls.listBlocked) }),
  });
}
