import type { Website } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useVerification, useVerifyWebsite } from '../api.ts';

const WAYS = 'the ways to verify your website';
const Proofs = onDemand(WAYS, 'h-60', async () => (await import('./ownership-proofs.tsx')).OwnershipProofs);

/** Shows how the publisher proves that a website is theirs, what we found, and checks again. */
export function OwnershipDialog({ website, onClose }: { website: Website; onClose: () => void }) {
  const { data, isError, refetch } = useVerification(website.publicId);
  const verify = useVerifyWebsite(website);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Verification of ${website.displayAddress}`}
      description="Prove that this website is yours in one of these ways. We check for the proof when you choose Verify now, and then every day."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
          <Button busy={verify.isPending} disabled={!data} onClick={() => verify.mutate()}>
            Verify now
          </Button>
        </>
      }
    >
      {isError ? (
        <LoadError what={WAYS} onRetry={refetch} />
      ) : data ? (
        <Proofs verification={data} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </Dialog>
  );
}
