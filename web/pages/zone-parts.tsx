import type { ReactNode } from 'react';
import type { FaultCause } from '#domain/delivery/fault-causes.ts';
import { useMay } from '#web/accounts/membership.ts';
import { AdPreview } from '#web/ads/ad-preview.tsx';
import { useFaultCauses } from '#web/delivery/faults-api.ts';
import { ZoneDiagnosis } from '#web/delivery/zone-diagnosis.tsx';
import type { ZoneParts } from '#web/inventory/my-zones/zone-parts.ts';
import { onDemand } from '#web/ui/late.tsx';

const TagWatch = onDemand(
  'the live view',
  'h-40',
  async () => (await import('#web/delivery/tag-watch.tsx')).TagWatch,
);
const SiteFaults = onDemand(
  'the faults of the website',
  'hidden',
  async () => (await import('#web/delivery/faults.tsx')).SiteFaults,
);

/** A member without the right to change anything reads the faults only. */
function Faults({ websitePublicId }: { websitePublicId: string }) {
  return <SiteFaults websitePublicId={websitePublicId} mayAnswer={useMay('change')} />;
}

type WithFaultsProps = { websitePublicId: string; render: (causes: readonly FaultCause[]) => ReactNode };

function WithFaults({ websitePublicId, render }: WithFaultsProps) {
  return render(useFaultCauses(websitePublicId));
}

/** The parts of other rooms that the pages of ad zones use. */
export const PARTS: Omit<ZoneParts, 'figuresOf'> = {
  drawAd: (zone, ad, content) => {
    const creative = { ...ad, adType: 'text', imageUrl: null, videoUrl: null } as const;
    return <AdPreview creative={creative} zone={zone} content={content} />;
  },
  renderDiagnosis: (diagnosis, zone, website, onClose) => (
    <ZoneDiagnosis diagnosis={diagnosis} zone={zone} website={website} onClose={onClose} />
  ),
  renderWithFaults: (website, render) => <WithFaults websitePublicId={website.publicId} render={render} />,
  renderTagWatch: (zone, website, onSeen) => (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Faults websitePublicId={website.publicId} />
      <TagWatch zone={zone} site={website} onSeen={onSeen} />
    </div>
  ),
};
