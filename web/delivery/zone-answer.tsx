import type { AdZone } from '#domain/inventory/contract.ts';
import { MAX_ADS, tagHint, type ZoneAd, type ZoneShowing } from '#domain/delivery/showing.ts';
import { Banner } from '#web/ui/banner.tsx';
import { cn } from '#web/ui/cn.ts';
import { countOf, formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { useZoneShowing } from './api.ts';
import { LastDay, NotCounted, TagLastSeen } from './last-day.tsx';
import { SELLER_WORDS } from './rule-words.ts';
import { ShareBar } from './share-bar.tsx';
import { shareText } from './share-text.ts';

export type ShownZone = Pick<AdZone, 'publicId' | 'name'>;

/** What one's own zone shows now, and of every other ad what keeps it out. */
export function ZoneAnswer({ zone }: { zone: ShownZone }) {
  const { data, isError, refetch } = useZoneShowing(zone.publicId);
  if (!data) {
    if (isError) return <LoadError what="the answer of the ad server" onRetry={() => void refetch()} />;
    return <Skeleton className="h-96" />;
  }
  const { requests, ads } = data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <State {...data} />
      <Ads {...data} />
      <LastDay
        figures={[
          ['Requests', requests.total],
          ['With a paid ad', sum(ads, ({ lately }) => lately.chosen)],
          ['Views counted', sum(ads, ({ lately }) => lately.views)],
          ['Clicks counted', sum(ads, ({ lately }) => lately.clicks)],
        ]}
      />
      <NotCounted title="Requests after which nothing counts" filtered={requests.filtered} />
      <p className="text-xs text-ink-faint">
        {isError
          ? 'The server did not answer just now: this is what it said last.'
          : 'The ad server itself answers, and is asked again every five seconds.'}
      </p>
    </div>
  );
}

function sum(ads: readonly ZoneAd[], of: (ad: ZoneAd) => number): number {
  return ads.reduce((total, ad) => total + of(ad), 0);
}

/** Whether anything is shown at all. */
function State({ rule, tagSeenAt, checkedAt }: ZoneShowing) {
  if (rule) {
    const { title, todo } = SELLER_WORDS[rule];
    return (
      <Banner tone="warn" title={title}>
        {todo}
      </Banner>
    );
  }
  const hint = tagHint(tagSeenAt, new Date(checkedAt));
  if (!hint) return <TagLastSeen at={tagSeenAt} checkedAt={checkedAt} />;
  return hint.kind === 'tag_never_seen' ? (
    <Banner tone="warn" title="Your website has never asked for an ad of this zone">
      Put the zone’s code into your page, as it is, and open the page once.
    </Banner>
  ) : (
    <Banner tone="warn" title="Your website has gone silent">
      It has not asked for an ad of this zone for more than a day. See whether the zone’s code still stands in
      your page.
    </Banner>
  );
}

function Ads({ ads, adCount, houseShare, rule }: ZoneShowing) {
  const shown = ads.filter((ad) => ad.rule === null);
  const kept = ads.filter((ad) => ad.rule !== null);
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
      {kept.length > 0 && (
        <section aria-label="Kept out" className="grid gap-3">
          <h3 className="text-sm font-medium">Kept out</h3>
          <AdList ads={kept} />
        </section>
      )}
      {ads.length === 0 && rule === null && (
        <p className="text-sm text-ink-soft">
          Nobody has booked this zone yet, so it advertises itself. An ad that is submitted waits for your
          approval on your dashboard.
        </p>
      )}
      {adCount > MAX_ADS && (
        <p className="text-sm text-ink-faint">
          {formatCount(ads.length)} of {formatCount(adCount)} ads are listed: those that run or may soon, then
          the latest others.
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
  if (ad.rule === null) return <p className="text-good">It can be shown</p>;
  const { title, todo } = SELLER_WORDS[ad.rule];
  return (
    <p>
      <span className={cn('font-medium', ad.rule === 'completed' ? 'text-ink-soft' : 'text-warn')}>
        {title}
      </span>
      <span className="text-ink-soft">{`. ${todo}`}</span>
    </p>
  );
}

/** In the last 24 hours; nothing where nothing was. */
function Lately({ ad: { lately } }: { ad: ZoneAd }) {
  if (lately.chosen === 0 && lately.views === 0) return null;
  const filtered = lately.filtered.reduce((total, { n }) => total + n, 0);
  const parts = [
    lately.chosen === 1 ? 'chosen once' : `chosen ${formatCount(lately.chosen)} times`,
    countOf(lately.views, 'view'),
    countOf(lately.clicks, 'click'),
    ...(filtered > 0 ? [`${formatCount(filtered)} not counted`] : []),
  ];
  return <p className="figures text-xs text-ink-faint first-letter:uppercase">{parts.join(' · ')}</p>;
}
