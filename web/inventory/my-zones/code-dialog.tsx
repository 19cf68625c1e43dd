import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { refreshInventory } from '../api.ts';
import type { ZoneAction } from './zone-menu.tsx';
import type { ZoneParts } from './zone-parts.ts';

const EmbedVariants = onDemand(
  'the embed codes',
  'h-72',
  async () => (await import('./embed-variants.tsx')).EmbedVariants,
);

const NextSteps = onDemand(
  'the next steps',
  'h-24',
  async () => (await import('./next-steps.tsx')).NextSteps,
);

const refresh = () => void refreshInventory();

type CodeDialogProps = {
  zone: AdZone;
  website: Website;
  renderTagWatch: ZoneParts['renderTagWatch'];
  onAction: (action: ZoneAction) => void;
  onClose: () => void;
};

/** A zone's embed code for the publisher's system, where to paste it, and whether its tag is seen. [DEL-32, CODE-02] */
export function CodeDialog({ zone, website, renderTagWatch, onAction, onClose }: CodeDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="lg"
      title="Embed code"
      description={
        <>
          <bdi>{zone.name}</bdi>: {describeZone(zone)}
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <EmbedVariants zone={zone} websitePublicId={website.publicId} />
        <div className="border-t border-line pt-5">{renderTagWatch(zone, website, refresh)}</div>
        {zone.tagSeenAt !== null && <NextSteps zone={zone} website={website} onAction={onAction} />}
      </div>
    </Dialog>
  );
}
