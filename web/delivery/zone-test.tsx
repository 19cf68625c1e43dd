import { useRef, useState } from 'react';
import { ExternalLink, RotateCw } from 'lucide-react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { SAMPLE_MINUTES } from '#domain/delivery/zone-watch.ts';
import type { WatchedRequest } from '#domain/delivery/zone-watch-contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonOutLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { PageSketch } from '#web/ui/page-sketch.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useWidth } from '#web/ui/chart/use-width.ts';
import { SiteRequests } from './site-requests.tsx';
import { TestSteps } from './test-steps.tsx';
import { useZoneWatch } from './use-zone-watch.ts';

export type TestedZone = Pick<AdZone, 'publicId' | 'name' | 'width' | 'height' | 'isActive' | 'tagSeenAt'>;

type ZoneTestProps = { zone: TestedZone; site: Pick<Website, 'url' | 'displayAddress'> };

/**
 * Shows the publisher, live, what the ad server receives from their ad zone: on our test page, where nothing is billed,
 * and on their own website.
 */
export function ZoneTest({ zone, site }: ZoneTestProps) {
  const { zoneWatch, isError, retry, isOver, resume } = useZoneWatch(zone.publicId);
  if (!zoneWatch) {
    if (isError) return <LoadError what="the test" onRetry={retry} />;
    return <Skeleton className="h-96" />;
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {isError && <Banner tone="warn">Connection lost. We’ll try again every second.</Banner>}
      {isOver && (
        <Banner
          title="Test paused"
          action={
            <Button size="sm" variant="secondary" onClick={resume}>
              Resume
            </Button>
          }
        >
          Tests pause after ten minutes. Resume the test to keep watching.
        </Banner>
      )}
      {!zone.isActive && (
        <Banner tone="warn" title="This ad zone is paused">
          It shows no ads, here or on your website. Resume it in its settings.
        </Banner>
      )}
      <OnTestPage
        zone={zone}
        testPage={zoneWatch.testPage + zoneWatch.sampleEnding}
        requests={zoneWatch.requests.filter(isOnTestPage)}
      />
      <section aria-labelledby="test-there" className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h3 id="test-there" className="font-medium">
            On your website
          </h3>
          <span className="flex flex-wrap gap-2">
            <ButtonOutLink href={site.url + zoneWatch.sampleEnding} variant="secondary" size="sm">
              <ExternalLink aria-hidden="true" />
              Open with a sample ad
            </ButtonOutLink>
            <ButtonOutLink href={site.url} variant="quiet" size="sm">
              Open {site.displayAddress}
            </ButtonOutLink>
          </span>
        </div>
        <SampleNote ending={zoneWatch.sampleEnding} />
        <SiteRequests
          {...zoneWatch}
          address={site.displayAddress}
          isKnown={zone.tagSeenAt !== null}
          requests={zoneWatch.requests.filter((request) => !isOnTestPage(request))}
        />
      </section>
    </div>
  );
}

/** The test page is a sandboxed frame, which names no website. A sample ad on the publisher's page is a test, too. */
const isOnTestPage = ({ isTest, origin }: WatchedRequest): boolean => isTest && origin === null;

function SampleNote({ ending }: { ending: string }) {
  return (
    <p className="text-sm text-ink-soft">
      <span>
        Only you see the sample ad: it works in this browser for {SAMPLE_MINUTES} minutes, and isn’t counted
        or billed. If the ad zone isn’t on your home page, add this ending to the address of its page. An ad
        zone in a sandboxed iframe shows no sample ad.
      </span>{' '}
      <CopyButton text={ending} label="Copy ending" />
    </p>
  );
}

type OnTestPageProps = { zone: TestedZone; testPage: string; requests: readonly WatchedRequest[] };

/** Frames our test page, which shows the ad zone with the real tag. */
function OnTestPage({ zone, testPage, requests }: OnTestPageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const availableWidth = useWidth(frame);
  const [round, setRound] = useState(0);
  // A new ending with each call would load the frame again.
  const [src] = useState(testPage);
  // Requests up to this id belong to the run before 'Test again'.
  const [before, setBefore] = useState<string>();
  const request = requests.find(({ id }) => before === undefined || BigInt(id) > BigInt(before));
  const { width, height } = zone;
  const scale = Math.min(1, availableWidth / width, 300 / height);

  function again() {
    setBefore(requests[0]?.id);
    setRound(round + 1);
  }

  return (
    <section aria-labelledby="test-here" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id="test-here" className="font-medium">
            On our test page
          </h3>
          <Badge tone="accent">Test: nothing is billed</Badge>
        </span>
        <Button variant="secondary" size="sm" onClick={again}>
          <RotateCw aria-hidden="true" />
          Test again
        </Button>
      </div>
      <PageSketch width={width * scale} height={height * scale}>
        <div ref={frame} className="min-w-0 overflow-hidden [contain:inline-size]">
          {scale > 0 && (
            <iframe
              key={round}
              src={src}
              title="Your ad zone on a test page"
              sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
              style={{ width, height, zoom: scale }}
              className="mx-auto block border-0"
            />
          )}
        </div>
      </PageSketch>
      <TestSteps request={request} />
    </section>
  );
}
