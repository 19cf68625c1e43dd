import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { MyZones } from '#web/inventory/my-zones.tsx';
import { Page } from '#web/ui/page.tsx';

export default function AdZonesPage() {
  const canSell = useHasAccess('seller');
  return (
    <Page>
      <AccessNote needs="seller" />
      <MyZones canSell={canSell} />
    </Page>
  );
}
