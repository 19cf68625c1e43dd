import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import type { DrawHouseAd } from '#web/inventory/my-zones/house-ad-section.tsx';
import { ZoneTools } from '#web/delivery/zone-tools.tsx';
import { MyZones } from '#web/inventory/my-zones/my-zones.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Page } from '#web/ui/page.tsx';

const AdPreview = onDemand(
  'the preview',
  'h-64',
  async () => (await import('#web/ads/ad-preview.tsx')).AdPreview,
);

const drawHouseAd: DrawHouseAd = ({ width, height }, ad) => {
  const creative = { ...ad, adType: 'text', imageUrl: null, videoUrl: null } as const;
  return <AdPreview creative={creative} width={width} height={height} isHouse />;
};

export default function AdZonesPage() {
  const canSell = useHasAccess('seller');
  return (
    <Page>
      <AccessNote needs="seller" />
      <MyZones
        canSell={canSell}
        drawHouseAd={drawHouseAd}
        renderTools={(zone, website) => <ZoneTools zone={zone} website={website} />}
      />
    </Page>
  );
}
