import type { AdType } from '#domain/ads/types.ts';
import { zoneForecastText } from '#domain/delivery/forecast-text.ts';
import { counted } from '#domain/format.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { offerText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CURRENCY } from '#web/ui/format/format.ts';
import { OptionButton } from '#web/ui/forms/option-button.tsx';
import { SlotDrawing } from '../slot-drawing.tsx';

type ZoneListProps = { zones: readonly AdZone[]; adType: AdType; onChoose: (zone: AdZone) => void };

/** The ad zones of a website, for a link that names the website only. */
export function ZoneList({ zones, adType, onChoose }: ZoneListProps) {
  if (zones.length === 0) {
    return (
      <EmptyState title="No ad zones available" className="py-8">
        This website has no ad zone you can book right now. Choose another website.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Ad zones" className="grid gap-2 sm:grid-cols-2">
      {zones.map((zone) => (
        <li key={zone.publicId}>
          <OptionButton
            title={zone.name}
            picture={
              <span className="grid h-18 w-20 place-items-center rounded-control bg-sunken">
                <SlotDrawing sizes={[zone]} width={64} height={56} />
              </span>
            }
            selected={false}
            onSelect={() => onChoose(zone)}
          >
            <ZonePrice zone={zone} adType={adType} />
            <span className="block">{`${zone.width} × ${zone.height}`}</span>
            <span className="block">{zoneForecastText(zone.forecast)}</span>
            <span className="block">{sharedText(zone)}</span>
          </OptionButton>
        </li>
      ))}
    </ul>
  );
}

export function sharedText({ liveAds }: AdZone): string {
  return liveAds === 0 ? 'No other ad runs here now' : `Shared with ${counted(liveAds, 'other ad')} now`;
}

/** The lowest price for an ad of this type, with its quantity. */
function ZonePrice({ zone, adType }: { zone: AdZone; adType: AdType }) {
  const offer = zone.offers.find((each) => each.adType === adType);
  if (!offer) return <span className="block text-ink-faint">No {adType} ads in this ad zone</span>;
  return (
    <span className="figures block font-medium text-ink">
      {offer.optionCount > 1 && 'from '}
      {offerText(offer.price, planOf(offer), CURRENCY)}
    </span>
  );
}
