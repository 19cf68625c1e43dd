import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/late.tsx';
import type { ShownAd } from './ad-answer.tsx';

const Answer = onDemand(
  'the delivery status',
  'h-72',
  async () => (await import('./ad-answer.tsx')).AdAnswer,
);

/** The advertiser's dialog for one of their ads; the publisher's is in zone-showing.tsx. */
export function AdShowingDialog({ ad, onClose }: { ad: ShownAd; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      reading
      title="Why is my ad not showing?"
      description={
        <>
          <bdi>{ad.title}</bdi> on <bdi>{ad.websiteName}</bdi>, <bdi>{ad.adZoneName}</bdi>
        </>
      }
    >
      <Answer ad={ad} />
    </Dialog>
  );
}
