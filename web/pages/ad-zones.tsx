import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useMay } from '#web/accounts/membership.ts';
import { useZoneFigures } from '#web/analytics/zone-figures.ts';
import { MyZones } from '#web/inventory/my-zones/my-zones.tsx';
import { Page } from '#web/ui/page.tsx';
import { PARTS } from './zone-parts.tsx';

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
