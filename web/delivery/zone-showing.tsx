import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/late.tsx';
import type { ShownZone } from './zone-answer.tsx';

export const ZoneAnswer = onDemand(
  'the delivery status',
  'h-96',
  async () => (await import('./zone-answer.tsx')).ZoneAnswer,
);

/** The publisher's dialog for one of their ad zones; the advertiser's is in ad-showing.tsx. */
export function ZoneShowingDialog({ zone, onClose }: { zone: ShownZone; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      reading
      width="lg"
      title="Why is an ad not showing?"
      description={
        <>
          Which ads <bdi>{zone.name}</bdi> is showing now, and why others aren’t shown.
        </>
      }
    >
      <ZoneAnswer zone={zone} />
    </Dialog>
  );
}
