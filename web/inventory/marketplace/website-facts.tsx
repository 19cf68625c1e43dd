/** The wording of a website's facts that the marketplace's cards and table share. */
import { BadgeCheck } from 'lucide-react';
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { offerText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { TRAFFIC_LABELS, trafficLevel } from '#domain/inventory/traffic.ts';
import { wizardAddress } from '#domain/inventory/wizard-address.ts';
import { cn } from '#web/ui/cn.ts';
import { CURRENCY } from '#web/ui/format/format.ts';

/** The address of the wizard with this website chosen, and the ad type that the list is limited to. [MKT-10] */
export function advertiseAt({ publicId }: MarketplaceWebsite, type?: AdType): string {
  return wizardAddress({ website: publicId, type });
}

/** The name of a website, as a link to its page in the catalogue if it has one. */
export function NameLink({ website: { name, pageUrl } }: { website: MarketplaceWebsite }) {
  if (pageUrl === null) return name;
  // A page that the server renders, so this is no link of the application's router. It lies above the card's own link.
  return (
    <a href={pageUrl} className="rounded-tight hover:text-accent hover:underline max-sm:relative max-sm:z-10">
      {name}
    </a>
  );
}

/** The traffic level as a word, such as 'High'. */
export function TrafficLabel({ website }: { website: MarketplaceWebsite }) {
  return <span>{TRAFFIC_LABELS[trafficLevel(website.monthlyVisitors)]}</span>;
}

/** The cheapest option with its quantity, such as '$25.00 per 7 days'; null if no option is for sale now. */
export function lowestOfferText({ lowestOffer }: MarketplaceWebsite): string | null {
  return lowestOffer && offerText(lowestOffer.price, planOf(lowestOffer), CURRENCY);
}

/** Our server found a proof that the website is the publisher's own. [OWN-01] */
export function Verified() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs text-good">
      <BadgeCheck aria-hidden="true" className="size-3.5" />
      Verified
    </span>
  );
}

/** Always lists all three ad types, and dims those that are not on sale. [OP-079] */
export function AdTypes({ website, className }: { website: MarketplaceWebsite; className?: string }) {
  return (
    <ul aria-label="Ad types" className={cn('flex gap-x-1.5 text-xs', className)}>
      {AD_TYPES.map((type) =>
        website.adTypes.includes(type) ? (
          <li key={type} className="font-medium text-accent">
            {AD_KINDS[type].name}
          </li>
        ) : (
          <li
            key={type}
            className="text-ink-faint line-through decoration-line-strong"
            title="Not available right now"
          >
            {AD_KINDS[type].name}
            <span className="sr-only">(unavailable)</span>
          </li>
        ),
      )}
    </ul>
  );
}
