import type { Website } from '#domain/inventory/contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAdsTxt, useCheckAdsTxt } from '../api.ts';
import { siteHost } from '../site-host.ts';

/** Shows the line for the website's ads.txt, and checks whether the file contains it. [DEL-28] */
export function AdsTxtDialog({ website, onClose }: { website: Website; onClose: () => void }) {
  const { data, isError, refetch } = useAdsTxt(website.publicId);
  const check = useCheckAdsTxt(website);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`ads.txt for ${siteHost(website.url)}`}
      description="Add one line to this file to tell advertisers that you may sell ad space on this website here. It also verifies the website."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
          <Button busy={check.isPending} disabled={!data} onClick={() => check.mutate()}>
            Check now
          </Button>
        </>
      }
    >
      {isError ? (
        <LoadError what="your ads.txt line" onRetry={refetch} />
      ) : (
        <div className="grid gap-5">
          <p className="text-sm text-ink-soft">
            Add this line to <span className="font-mono break-all text-ink">{data?.address ?? '…'}</span> and
            keep the lines that are already there. If the file doesn’t exist yet, create it with just this
            line.
          </p>
          {data ? (
            <div className="flex flex-wrap items-center gap-2">
              <code className="min-w-0 flex-1 rounded-control bg-sunken px-3 py-2.25 text-sm break-all">
                {data.line}
              </code>
              <CopyButton text={data.line} label="Copy line" />
            </div>
          ) : (
            <Skeleton className="h-10" />
          )}
          {check.data?.found && <Banner tone="good">We found the line. Your website is verified.</Banner>}
          {check.data?.problem && <Banner tone="warn">{check.data.problem}</Banner>}
        </div>
      )}
    </Dialog>
  );
}
