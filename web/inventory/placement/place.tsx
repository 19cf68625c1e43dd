import { Link } from 'wouter';
import type { AdType } from '#domain/ads/types.ts';
import { zoneForecastText } from '#domain/delivery/forecast-text.ts';
import type { AdZone, MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { Button } from '#web/ui/button.tsx';
import { WebsitePicture } from '../website-picture.tsx';
import { sharedText } from './zone-list.tsx';

type PlaceProps = {
  website: MarketplaceWebsite;
  zone: AdZone | undefined;
  isLinked: boolean;
  /** The marketplace then shows the sites that sell it. */
  adType: AdType;
  /** Null if the website has no other ad zone. */
  onOtherZone: (() => void) | null;
};

const LINK =
  'rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent';

/** Where the ad runs, and the ways to another place. */
export function Place({ website, zone, isLinked, adType, onOtherZone }: PlaceProps) {
  return (
    <section aria-label="Placement" className="flex items-start gap-3">
      <WebsitePicture website={website} className="size-14" />
      <div className="grid min-w-0 gap-0.5 text-sm">
        {isLinked && zone && (
          <p role="status" className="text-xs font-medium text-accent">
            Ad zone selected
          </p>
        )}
        <h3 className="font-medium wrap-anywhere">
          {zone ? (
            <>
              <bdi>{zone.name}</bdi> <span className="font-normal text-ink-soft">on</span>{' '}
              <bdi>{website.name}</bdi>
            </>
          ) : (
            <bdi>{website.name}</bdi>
          )}
        </h3>
        {zone && (
          <p className="text-ink-soft">
            {[`${zone.width} × ${zone.height}`, zoneForecastText(zone.forecast), sharedText(zone)].join(
              ' · ',
            )}
          </p>
        )}
        {!website.isVerified && <p className="text-warn">{UNVERIFIED_WARNING}</p>}
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {website.pageUrl !== null && (
            <a href={website.pageUrl} target="_blank" rel="noopener" className={LINK}>
              All prices and figures of this site
            </a>
          )}
          {zone && onOtherZone && (
            <Button variant="link" onClick={onOtherZone}>
              Another ad zone
            </Button>
          )}
          <Link href={`/marketplace?adType=${adType}`} className={LINK}>
            Another site
          </Link>
        </p>
      </div>
    </section>
  );
}
