import { ZoneAnswer } from '#web/delivery/zone-showing.tsx';
import { ZoneChoice } from '#web/inventory/my-zones/zone-choice.tsx';

/** Lets the publisher choose one of their ad zones and shows which ads it serves now. */
export function ZonesShowing() {
  return <ZoneChoice>{(zone) => <ZoneAnswer key={zone.publicId} zone={zone} />}</ZoneChoice>;
}
