import { PAUSED_BY_ADVERTISER } from '#domain/ads/pause-text.ts';
import { counted } from '#domain/format.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { MAX_ADS, tagHint } from '#domain/delivery/showing.ts';
import type { ZoneAd, ZoneShowing } from '#domain/delivery/showing-contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { useZoneShowing } from './api.ts';
import { LastDay, NotCounted, TagLastSeen } from './last-day.tsx';
import { PUBLISHER_TEXTS } from './rule-texts.ts';
import { ShareBar } from './share-bar.tsx';
import { shareText } from './share-text.ts';

export type ShownZone = Pick<AdZone, 'publicId' | 'name'>;

/** Tells the publisher which ads their ad zone shows right now, and why the others are not shown. */
export function ZoneAnswer({ zone }: { zone: ShownZone }) {
  const { data, isError, refetch } = useZoneShowing(zone.publicId);
  if (!data) {
    if (isError) return <LoadError what="the delivery status" onRetry={() => void refetch()} />;
    return <Skeleton className="h-96" />;
  }
  const { requests, ads } = data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <State {...data} />
      <Ads {...data} />
      <LastDay
        figures={[
          ['Ad requests', requests.total],
          ['Paid ads served', sum(ads, ({ lately }) => lately.chosen)],
          ['Views counted', sum(ads, ({ lately }) => lately.views)],
          ['Clicks counted', sum(ads, ({ lately }) => lately.clicks)],
        ]}
      />
      <NotCounted title="Requests that weren’t counted" filtered={requests.filtered} />
      <p className="text-xs text-ink-faint">
        {isError
          ? 'Connection lost. Showing the last result.'
          : 'Live from the ad server, refreshed every 5 seconds.'}
      </p>
    </div>
  );
}

function sum(ads: readonly ZoneAd[], of: (ad: ZoneAd) => number): number {
  return ads.reduce((total, ad) => total + of(ad), 0);
}

/** Tells whether the zone shows any ads at all. */
function State({ rule, tagSeenAt, checkedAt }: ZoneShowing) {
  if (rule) {
    const { title, todo } = PUBLISHER_TEXTS[rule];
    return (
      <Banner tone="warn" title={title}>
        {todo}
      </Banner>
    );
  }
  const hint = tagHint(tagSeenAt, new Date(checkedAt));
  if (!hint) return <TagLastSeen at={tagSeenAt} checkedAt={checkedAt} />;
  return hint.kind === 'tag_never_seen' ? (
    <Banner tone="warn" title="Your website has never requested an ad for this zone">
      Paste the zone’s embed code into your page unchanged, then open the page once.
    </Banner>
  ) : (
    <Banner tone="warn" title="Your website has stopped requesting ads">
      It hasn’t requested an ad for this zone in more than a day. Check that the zone’s embed code is still on
      your page.
    </Banner>
  );
}

function Ads({ ads, adCount, houseShare, rule }: ZoneShowing) {
  const shown = ads.filter((ad) => ad.rule === null);
  const excluded = ads.filter((ad) => ad.rule !== null);
  return (
    <>
      {rule === null && (
        <section aria-label="Shown now" className="grid gap-3">
          <h3 className="text-sm font-medium">Shown now</h3>
          <ShareBar
            shares={[
              {
                name: shown.length === 1 ? 'One paid ad' : `${formatCount(shown.length)} paid ads`,
                share: 1 - houseShare,
                look: 'own',
              },
              { name: 'Your own ad or ‘Advertise here’', share: houseShare, look: 'house' },
            ]}
          />
          <AdList ads={shown} />
        </section>
      )}
      {excluded.length > 0 && (
        <section aria-label="Not shown" className="grid gap-3">
          <h3 className="text-sm font-medium">Not shown</h3>
          <AdList ads={excluded} />
        </section>
      )}
      {ads.length === 0 && rule === null && (
        <p className="text-sm text-ink-soft">
          No ads are booked yet, so this zone shows your own ad or ‘Advertise here’. New ads wait for your
          approval on your dashboard.
        </p>
      )}
      {adCount > MAX_ADS && (
        <p className="text-xs text-ink-faint">
          Showing {formatCount(ads.length)} of {formatCount(adCount)} ads: current and upcoming ads first,
          then the most recent others.
        </p>
      )}
    </>
  );
}

function AdList({ ads }: { ads: readonly ZoneAd[] }) {
  if (ads.length === 0) return null;
  return (
    <ul className="divide-y divide-line border-y border-line text-sm">
      {ads.map((ad) => (
        <li key={ad.id} className="flex items-start gap-3 py-3">
          <Thumbnail kind={ad.adType} src={ad.imageUrl} />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <p dir="auto" className="line-clamp-2 font-medium wrap-anywhere">
              {ad.title}
            </p>
            <Verdict ad={ad} />
            <Lately ad={ad} />
          </div>
          {ad.rule === null && (
            <span className="figures shrink-0 font-medium">
              <span className="sr-only">Share: </span>
              {shareText(ad.share)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Verdict({ ad }: { ad: ZoneAd }) {
  if (ad.rule === null) return <p className="text-good">Can be shown</p>;
  const { title, todo } = PUBLISHER_TEXTS[ad.rule];
  const goesOn = ad.rule === 'advertiser_paused' && ad.pricingModel === 'per_day';
  return (
    <p>
      <span className={cn('font-medium', ad.rule === 'completed' ? 'text-ink-soft' : 'text-warn')}>
        {title}
      </span>
      <span className="text-ink-soft">{`. ${goesOn ? PAUSED_BY_ADVERTISER.byTheDay : todo}`}</span>
    </p>
  );
}

/** Figures of the last 24 hours; renders nothing if there were none. */
function Lately({ ad: { lately } }: { ad: ZoneAd }) {
  if (lately.chosen === 0 && lately.views === 0) return null;
  const filtered = lately.filtered.reduce((total, { n }) => total + n, 0);
  const parts = [
    lately.chosen === 1 ? 'served once' : `served ${formatCount(lately.chosen)} times`,
    counted(lately.views, 'view'),
    counted(lately.clicks, 'click'),
    ...(filtered > 0 ? [`${formatCount(filtered)} not counted`] : []),
  ];
  return <p className="figures text-xs text-ink-faint first-letter:uppercase">{parts.join(' · ')}</p>;
}
