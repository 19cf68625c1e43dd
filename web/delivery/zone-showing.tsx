import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import type { ShownZone } from './zone-answer.tsx';

/** What one's own zone shows now, and of every other ad what keeps it out. */
export const ZoneAnswer = onDemand(
  'the answer of the ad server',
  'h-96',
  async () => (await import('./zone-answer.tsx')).ZoneAnswer,
);

/** Asked by the publisher of a zone. */
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
          What <bdi>{zone.name}</bdi> shows now, and what keeps its other ads out.
        </>
      }
    >
      <ZoneAnswer zone={zone} />
    </Dialog>
  );
}
