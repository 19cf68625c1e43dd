import { ZoneAnswer } from '#web/delivery/zone-showing.tsx';
import { ZoneChoice } from '#web/inventory/my-zones/zone-choice.tsx';

/** Any of one's own zones, and what it shows now. */
export function ZonesShowing() {
  return <ZoneChoice>{(zone) => <ZoneAnswer key={zone.publicId} zone={zone} />}</ZoneChoice>;
}
