import { useEffect, useState } from 'react';
import { CircleCheck, ExternalLink, LoaderCircle } from 'lucide-react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonOutLink } from '#web/ui/button.tsx';
import { formatAgo } from '#web/ui/format/ago.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SiteRequests } from './site-requests.tsx';
import { useZoneWatch } from './use-zone-watch.ts';

/** The ad server stores the time of 'tag seen' within this time (FLUSH_MS in server/delivery/ad-server.ts). */
const LIST_DELAY_MS = 1000;

type TagWatchProps = {
  zone: Pick<AdZone, 'publicId' | 'tagSeenAt'>;
  site: Pick<Website, 'url' | 'displayAddress'>;
  /** Refreshes the caller's list, whose zone then has its time of 'tag seen'. Pass the same function at each render. */
  onSeen: () => void;
};

/** Waits live for the first ad request of the publisher's own pages. */
export function TagWatch({ zone, site, onSeen }: TagWatchProps) {
  const [opened] = useState(() => new Date());
  const { zoneWatch, isError, retry, isOver, resume } = useZoneWatch(zone.publicId);
  const requests = zoneWatch?.requests.filter(({ isTest }) => !isTest) ?? [];
  const isSeen = requests.some(({ reason }) => reason === null);
  const isUnlisted = isSeen && zone.tagSeenAt === null;
  useEffect(() => {
    if (!isUnlisted) return;
    const timer = setInterval(onSeen, LIST_DELAY_MS);
    return () => clearInterval(timer);
  }, [isUnlisted, onSeen]);

  if (!zoneWatch) {
    if (isError) return <LoadError what="the live view" onRetry={retry} />;
    return <Skeleton className="h-40" />;
  }
  return (
    <section aria-labelledby="tag-watch" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 id="tag-watch" aria-live="polite" className="flex items-center gap-2 font-medium">
          {isSeen ? (
            <>
              <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-good" />
              Tag seen on {site.displayAddress}
            </>
          ) : (
            <>
              {!isOver && (
                <LoaderCircle
                  aria-hidden="true"
                  className="size-5 shrink-0 text-ink-faint motion-safe:animate-spin"
                />
              )}
              {isOver ? 'Tag not seen' : 'Waiting for the tag…'}
            </>
          )}
        </h3>
        <ButtonOutLink href={site.url} variant="secondary" size="sm">
          <ExternalLink aria-hidden="true" />
          Open {site.displayAddress}
        </ButtonOutLink>
      </div>
      {isError && <Banner tone="warn">Connection lost. We’ll try again every second.</Banner>}
      {isOver && (
        <Banner
          title="No longer waiting"
          action={
            <Button size="sm" variant="secondary" onClick={resume}>
              Resume
            </Button>
          }
        >
          We stop watching after ten minutes. This doesn’t affect the ad zone.
        </Banner>
      )}
      {!isSeen && zone.tagSeenAt !== null && (
        <p className="text-sm text-ink-soft">
          Last seen {formatAgo(zone.tagSeenAt, opened)}. New ad requests appear here.
        </p>
      )}
      <SiteRequests
        {...zoneWatch}
        address={site.displayAddress}
        isKnown={zone.tagSeenAt !== null}
        requests={requests}
      />
    </section>
  );
}
