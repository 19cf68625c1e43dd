import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useMay } from '#web/accounts/membership.ts';
import { useZoneFigures } from '#web/analytics/zone-figures.ts';
import { ZoneDiagnosis } from '#web/delivery/zone-diagnosis.tsx';
import { MyZones } from '#web/inventory/my-zones/my-zones.tsx';
import type { ZoneParts } from '#web/inventory/my-zones/zone-parts.ts';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Page } from '#web/ui/page.tsx';

const AdPreview = onDemand(
  'the preview',
  'h-64',
  async () => (await import('#web/ads/ad-preview.tsx')).AdPreview,
);
const TagWatch = onDemand(
  'the live view',
  'h-40',
  async () => (await import('#web/delivery/tag-watch.tsx')).TagWatch,
);

const PARTS: Omit<ZoneParts, 'figuresOf'> = {
  drawAd: (zone, ad, content) => {
    const creative = { ...ad, adType: 'text', imageUrl: null, videoUrl: null } as const;
    return <AdPreview creative={creative} zone={zone} content={content} />;
  },
  renderDiagnosis: (diagnosis, zone, website, onClose) => (
    <ZoneDiagnosis diagnosis={diagnosis} zone={zone} website={website} onClose={onClose} />
  ),
  renderTagWatch: (zone, website, onSeen) => <TagWatch zone={zone} siteUrl={website.url} onSeen={onSeen} />,
};

export default function AdZonesPage() {
  const canSell = useHasAccess('seller');
  const mayChange = useMay('change');
  const figuresOf = useZoneFigures(useSignedInUser().timezone);
  return (
    <Page>
      <AccessNote needs="seller" />
      <MyZones canSell={canSell && mayChange} parts={{ ...PARTS, figuresOf }} />
    </Page>
  );
}
