import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { keyOf, read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-store.ts';

/** The key with which the advertiser's server proves its orders. [RES-01] */
export function ConversionKey() {
  const { data, isError, refetch } = useConversionKey();
  const create = useCreateConversionKey();
  const remove = useRemoveConversionKey();
  const [asking, setAsking] = useState<'replace' | 'remove'>();
  const key = create.data?.key;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-medium">Prove your orders</h2>
      <p className="text-ink-soft">
        A visitor who clicks your ad can invent a report of your page. Send a key with the reports of your
        server: a report with it replaces those that pages have sent for the same order number.
      </p>
      {key !== undefined && data && data.since !== null && (
        <>
          <CodeBlock
            code={`-H 'Authorization: Bearer ${key}'`}
            label="Conversion key"
            copyLabel="Copy the conversion key"
          />
          <p className="text-ink-soft">
            Keep it on your server. We don’t show it again. It’s for all of your campaigns.
          </p>
        </>
      )}
      {isError ? (
        <LoadError what="the conversion key" onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-9" />
      ) : data.since === null ? (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          busy={create.isPending}
          onClick={() => create.mutate()}
        >
          Create a key
        </Button>
      ) : (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span>You have a key since {formatDate(data.since)}.</span>
          <Button variant="secondary" size="sm" onClick={() => setAsking('replace')}>
            Replace the key
          </Button>
          <Button variant="secondary" size="sm" onClick={() => setAsking('remove')}>
            Remove the key
          </Button>
        </p>
      )}
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsking(undefined)}
          title={asking === 'replace' ? 'Replace the key?' : 'Remove the key?'}
          confirmLabel={asking === 'replace' ? 'Replace the key' : 'Remove the key'}
          destructive
          busy={create.isPending || remove.isPending}
          onConfirm={() =>
            (asking === 'replace' ? create : remove).mutate(undefined, {
              onSettled: () => setAsking(undefined),
            })
          }
        >
          Reports with the present key are refused from then on. Orders that it has proven stay counted.
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Since when the advertiser has a conversion key. */
function useConversionKey() {
  return useQuery(read(calls.getConversionKey));
}

function useCreateConversionKey() {
  return useMutation({
    mutationFn: () => call(calls.createConversionKey),
    onError: (error) => failureToast(error, 'Error', 'Failed to create the key'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(calls.getConversionKey) }),
  });
}

function useRemoveConversionKey() {
  return useMutation({
    mutationFn: () => call(calls.removeConversionKey),
    onSuccess: () => toast({ title: 'Key removed. Reports with it are refused.' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to remove the key'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(calls.getConversionKey) }),
  });
}
