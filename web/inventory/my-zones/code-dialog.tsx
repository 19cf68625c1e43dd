import { AD_KINDS } from '#domain/ads/types.ts';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { refreshInventory } from '../api.ts';
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

const sellsVideo = ({ offers }: AdZone) => offers.some(({ adType }) => AD_KINDS[adType].plays);
const refresh = () => void refreshInventory();

type ZoneCodeProps = {
  zone: AdZone;
  website: Website;
  parts: Pick<ZoneParts, 'renderTagWatch' | 'renderWithFaults'>;
  onTest: () => void;
};

/** A zone's embed code in a dialog, as after its creation. */
export function CodeDialog({ onClose, ...code }: ZoneCodeProps & { onClose: () => void }) {
  const { zone } = code;
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
      <ZoneCode {...code} />
    </Dialog>
  );
}

/** A zone's embed code for the publisher's system, where to paste it, and whether its tag is seen. */
export function ZoneCode({ zone, website, parts, onTest }: ZoneCodeProps) {
  const { renderTagWatch, renderWithFaults } = parts;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {renderWithFaults(website, (causes) => (
        <EmbedVariants
          zone={zone}
          websitePublicId={website.publicId}
          // The fault's text names the code for the player, also if the ad zone sells no video.
          hasPlayer={sellsVideo(zone) || causes.includes('ima_player')}
        />
      ))}
      <div className="border-t border-line pt-5">{renderTagWatch(zone, website, refresh)}</div>
      {zone.tagSeenAt !== null &&
        renderWithFaults(website, (causes) => (
          <NextSteps zone={zone} website={website} works={causes.length === 0} onTest={onTest} />
        ))}
    </div>
  );
}
