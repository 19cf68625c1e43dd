import { BadgeCheck } from 'lucide-react';
import { AD_TYPE_NAMES, AD_TYPES } from '#domain/ads/types.ts';
import { measuredText, siteForecastText } from '#domain/delivery/forecast-text.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import {
  formatVisitors,
  TRAFFIC_LABELS,
  trafficLevel,
  type TrafficLevel,
} from '#domain/inventory/traffic.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { SlotDrawing } from '../slot-drawing.tsx';

/** A website in the marketplace: its audience, ad zone sizes, ad types and lowest price. */
export function WebsiteCard({ website }: { website: MarketplaceWebsite }) {
  const titleId = `website-${website.publicId}`;
  return (
    <article
      aria-labelledby={titleId}
      className="flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-rest transition-shadow duration-150 hover:shadow-lift"
    >
      <header className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        <div className="flex items-baseline justify-between gap-3">
          <h2 id={titleId} dir="auto" className="line-clamp-2 min-w-0 text-base font-semibold wrap-anywhere">
            {website.name}
          </h2>
          {website.isVerified && <Verified />}
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-faint">
          <span>{website.category}</span>
          <span aria-hidden="true">·</span>
          <span className="max-w-full truncate">{website.displayAddress}</span>
        </p>
      </header>
      {!website.isVerified && <p className="text-sm text-warn">{UNVERIFIED_WARNING}</p>}
      <p dir="auto" className="line-clamp-3 text-sm wrap-anywhere text-ink-soft">
        {website.description || 'No description available'}
      </p>
      <div className="mt-auto flex items-center gap-4 border-t border-line pt-4">
        <ZoneSizes sizes={website.sizes} />
        <div className="grid min-w-0 gap-1 text-sm">
          <p>
            <span className="figures font-semibold">{formatVisitors(website.monthlyVisitors)}</span> monthly
            visitors
          </p>
          <Traffic level={trafficLevel(website.monthlyVisitors)} />
          <AdTypes available={website.adTypes} />
        </div>
      </div>
      <div className="grid gap-0.5 text-sm">
        {website.forecast && <p>{siteForecastText(website.forecast)}</p>}
        <p className="text-xs text-ink-faint">{measuredText(website.measured)}</p>
      </div>
      <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {website.lowestPrice === null ? (
          <p className="text-xs text-ink-faint">No ad space available right now</p>
        ) : (
          <p className="text-sm text-ink-soft">
            from{' '}
            <span className="figures text-base font-semibold text-ink">
              {formatMoney(website.lowestPrice)}
            </span>
          </p>
        )}
        <ButtonLink
          href={`/create-ad?website=${website.publicId}`}
          variant="secondary"
          size="sm"
          aria-describedby={titleId}
        >
          Advertise Here
        </ButtonLink>
      </footer>
    </article>
  );
}

/** Our server found a proof that the website is the publisher's own. [OWN-01] */
function Verified() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs text-good">
      <BadgeCheck aria-hidden="true" className="size-3.5" />
      Verified
    </span>
  );
}

/** The shapes of the website's ad zones; an empty frame if it has none. */
function ZoneSizes({ sizes }: { sizes: MarketplaceWebsite['sizes'] }) {
  const words = sizes.map(({ width, height }) => `${width}x${height}`).join(', ');
  return (
    <div
      title={words || undefined}
      className="slot-frame grid h-18 w-28 shrink-0 place-items-center [--mark:0.625rem] [--pen:var(--color-line)]"
    >
      {sizes.length > 0 && <SlotDrawing sizes={sizes} width={88} height={46} />}
      <span className="sr-only">{words ? `Ad zones: ${words}` : 'No ad zones'}</span>
    </div>
  );
}

const BARS: readonly TrafficLevel[] = ['low', 'medium', 'high'];

function Traffic({ level }: { level: TrafficLevel }) {
  return (
    <p className="flex items-center gap-2 text-ink-soft">
      <svg aria-hidden="true" width="14" height="12" className="shrink-0">
        {BARS.map((bar, index) => (
          <rect
            key={bar}
            x={index * 5}
            y={8 - index * 4}
            width="4"
            height={4 + index * 4}
            rx="1"
            className={index <= BARS.indexOf(level) ? 'fill-accent' : 'fill-line'}
          />
        ))}
      </svg>
      <span>
        <span>{TRAFFIC_LABELS[level]}</span> traffic
      </span>
    </p>
  );
}

/** Always lists all three ad types, and dims those that are not on sale. [OP-079] */
function AdTypes({ available }: { available: MarketplaceWebsite['adTypes'] }) {
  return (
    <ul aria-label="Ad types" className="-ml-0.5 flex flex-wrap gap-1 text-xs">
      {AD_TYPES.map((type) =>
        available.includes(type) ? (
          <li key={type} className="rounded-full bg-accent-soft px-2 py-0.5 font-medium text-accent">
            {AD_TYPE_NAMES[type]}
          </li>
        ) : (
          <li key={type} className="px-1.5 py-0.5 text-ink-faint" title="Not available right now">
            {AD_TYPE_NAMES[type]}
            <span className="sr-only">(unavailable)</span>
          </li>
        ),
      )}
    </ul>
  );
}
