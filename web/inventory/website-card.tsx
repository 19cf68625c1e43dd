import { BadgeCheck, Users } from 'lucide-react';
import { AD_TYPE_NAMES, AD_TYPES } from '#domain/ads/types.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import {
  formatVisitors,
  TRAFFIC_LABELS,
  trafficLevel,
  type TrafficLevel,
} from '#domain/inventory/traffic.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { siteHost } from './site-host.ts';

const TRAFFIC_TONES: Record<TrafficLevel, Tone> = { high: 'good', medium: 'accent', low: 'neutral' };

export function WebsiteCard({ website }: { website: MarketplaceWebsite }) {
  const level = trafficLevel(website.monthlyVisitors);
  const titleId = `website-${website.publicId}`;
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-rest"
    >
      <header className="grid gap-1">
        <div className="flex items-start justify-between gap-3">
          <h2 id={titleId} className="min-w-0 font-semibold wrap-anywhere">
            {website.name}
          </h2>
          <Verification isVerified={website.isVerified} />
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-faint">
          <span>{website.category}</span>
          <span aria-hidden="true">·</span>
          <span className="break-all">{siteHost(website.url)}</span>
        </p>
      </header>
      <p className="line-clamp-3 text-sm wrap-anywhere text-ink-soft">
        {website.description || 'No description available'}
      </p>
      <div className="mt-auto grid gap-3">
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="inline-flex items-center gap-1.5">
            <Users aria-hidden="true" className="size-4 text-ink-faint" />
            <span>
              <span className="figures font-semibold">{formatVisitors(website.monthlyVisitors)}</span> monthly
              visitors
            </span>
          </span>
          <Badge tone={TRAFFIC_TONES[level]}>{TRAFFIC_LABELS[level]}</Badge>
        </p>
        <AdTypeBadges available={website.adTypes} />
        <ButtonLink
          href={`/create-ad?website=${website.publicId}`}
          variant="secondary"
          wide
          aria-describedby={titleId}
        >
          Advertise Here
        </ButtonLink>
      </div>
    </article>
  );
}

/** The owner of a verified site has shown that it is theirs (design 6.9). */
function Verification({ isVerified }: { isVerified: boolean }) {
  if (isVerified) {
    return (
      <span className="inline-flex shrink-0 items-center gap-1 text-sm text-good">
        <BadgeCheck aria-hidden="true" className="size-4" />
        Verified
      </span>
    );
  }
  return (
    <span
      className="shrink-0 text-sm text-ink-faint"
      title="It has not been proved yet that this website belongs to its publisher."
    >
      Unverified
    </span>
  );
}

/** All three are always there; what cannot be bought now is dimmed (OP-079). */
function AdTypeBadges({ available }: { available: MarketplaceWebsite['adTypes'] }) {
  return (
    <ul aria-label="Ad types" className="flex flex-wrap gap-1.5">
      {AD_TYPES.map((type) => {
        const offered = available.includes(type);
        return (
          <li key={type}>
            <Badge tone={offered ? 'accent' : 'outline'}>
              <span className={cn(!offered && 'line-through')}>{AD_TYPE_NAMES[type]}</span>
              {!offered && <span className="sr-only">(unavailable)</span>}
            </Badge>
          </li>
        );
      })}
    </ul>
  );
}
