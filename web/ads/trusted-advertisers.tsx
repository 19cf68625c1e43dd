import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { TrustedAdvertiser } from '#domain/ads/trust-contract.ts';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { keyOf } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-store.ts';

/**
 * The advertisers whose ads the publisher approves without a review, with a button to end that. Invisible until what stands
 * above has its height.
 */
export function TrustedAdvertisers({ isPlaced = true }: { isPlaced?: boolean }) {
  const trusted = useTrusted();
  const [ending, setEnding] = useState<TrustedAdvertiser>();
  return (
    <Card aria-label="Trusted Advertisers" className={isPlaced ? undefined : 'invisible'}>
      <CardHeader
        title="Trusted Advertisers"
        description="Their ads for this target and website are approved when they submit them."
      />
      <div className="mt-4">
        {trusted.isError ? (
          <LoadError what="the advertisers you trust" onRetry={trusted.retry} />
        ) : !trusted.items ? (
          <Skeleton className="h-16" />
        ) : trusted.items.length === 0 ? (
          <p className="text-sm text-ink-soft">
            You trust no advertiser yet. Choose ‘Approve and trust’ when you review an ad.
          </p>
        ) : (
          <ul className="divide-y divide-line">
            {trusted.items.map((each) => (
              <li
                key={each.id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm"
              >
                <span className="min-w-0 wrap-anywhere">
                  <bdi className="font-medium">{nameOf(each)}</bdi> for {each.host}
                  <span className="block text-xs text-ink-faint">
                    On <bdi>{each.websiteName}</bdi> since {formatDate(each.since)}
                  </span>
                </span>
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Stop trusting ${nameOf(each)} for ${each.host}`}
                  onClick={() => setEnding(each)}
                >
                  Stop trusting
                </Button>
              </li>
            ))}
          </ul>
        )}
        {trusted.hasMore && (
          <Button variant="secondary" size="sm" busy={trusted.isLoadingMore} onClick={trusted.loadMore}>
            Show more
          </Button>
        )}
      </div>
      {ending && <EndTrust trusted={ending} onClose={() => setEnding(undefined)} />}
    </Card>
  );
}

const nameOf = ({ advertiser: { businessName, name } }: TrustedAdvertiser): string =>
  businessName ?? name ?? 'No name stated';

function EndTrust({ trusted, onClose }: { trusted: TrustedAdvertiser; onClose: () => void }) {
  const end = useEndTrust();
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        <>
          Stop trusting <bdi>{nameOf(trusted)}</bdi>?
        </>
      }
      confirmLabel="Stop trusting"
      busy={end.isPending}
      onConfirm={() => end.mutate(trusted.id, { onSettled: onClose })}
    >
      Their next ad for {trusted.host} waits for your review. Ads that were approved stay approved.
    </ConfirmDialog>
  );
}

export function useTrusted() {
  return usePagedList(calls.listTrusted, {});
}

function useEndTrust() {
  return useMutation({
    mutationFn: (id: number) => call(calls.removeTrusted, { params: { id: String(id) } }),
    onSuccess: () => toast({ title: 'Trust ended. Their next ad waits for your review.' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to end the trust'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(calls.listTrusted) }),
  });
}
