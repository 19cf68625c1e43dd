import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { WatchedRequest, ZoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { formatTime } from '#web/ui/format/format.ts';
import { nextStep } from './next-step.ts';
import { secondsText } from './seconds-text.ts';
import { TagChecks } from './tag-checks.tsx';

type SiteRequestsProps = Pick<ZoneWatch, 'script' | 'unknown' | 'requests'> & {
  /** The website's address, for people. */
  address: string;
  /** The tag of the zone was seen before. */
  isKnown?: boolean;
};

/** The ad requests of the publisher's pages while the test runs, or a list of checks until the first one. */
export function SiteRequests({ requests, script, unknown, address, isKnown = false }: SiteRequestsProps) {
  return (
    <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      {unknown && (
        <Banner tone="warn" title="One of your pages requests an ad zone that doesn’t exist">
          It requested ‘{unknown.asked}’. Copy this zone’s embed code again and paste it unchanged.
        </Banner>
      )}
      {requests.length === 0 && <Waiting script={script} address={address} isKnown={isKnown} />}
      {requests.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {requests.map((request) => (
            <Request key={request.id} request={request} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Waiting({ script, address, isKnown }: Pick<SiteRequestsProps, 'script' | 'address' | 'isKnown'>) {
  return (
    <div className="grid gap-2 text-ink-soft">
      {script ? (
        <p>
          <span className="font-medium text-ink">Your page has loaded the tag</span>, but hasn’t requested an
          ad yet. Scroll to the ad zone: the tag requests an ad just before the zone comes into view.
        </p>
      ) : (
        <p>
          <span className="font-medium text-ink">
            {isKnown ? 'No new ad requests.' : 'No ad requests yet.'}
          </span>{' '}
          Open a page on {address} that contains the zone’s embed code, and scroll to the ad zone. Its ad
          requests appear here within a second.
        </p>
      )}
      <TagChecks isLoaded={script !== null} />
    </div>
  );
}

function Request({ request }: { request: WatchedRequest }) {
  const { at, origin, ad, isSample } = request;
  const [tone, label, words] = outcomeOf(request);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 py-3">
      <p className="min-w-0 wrap-anywhere">
        {ad ? (
          <bdi className="font-medium">{ad.title}</bdi>
        ) : isSample ? (
          'Sample ad'
        ) : (
          'Your own ad or ‘Advertise here’'
        )}
      </p>
      <Badge tone={tone} className="self-start">
        {label}
      </Badge>
      <p className="col-span-2 text-ink-soft">{words}</p>
      <p className="col-span-2 text-xs wrap-anywhere text-ink-faint">
        {formatTime(at)} · {origin ?? 'a sandboxed page, which doesn’t name its website'}
      </p>
    </li>
  );
}

/** The badge's tone, the badge's label, and a sentence on what has happened to the request so far. */
function outcomeOf(request: WatchedRequest): [Tone, string, string] {
  const { ad, isSample, reason, view, rendered, click } = request;
  const explained = (reason: Reason) => explain(reason, request);
  if (reason) return ['warn', 'not billed', `Its views and clicks won’t be counted. ${explained(reason)}`];
  if (isSample)
    return [
      'accent',
      'not billed',
      view
        ? `Viewable after ${secondsText(view.afterMs)}. A real ad would be counted.`
        : 'Shown to you only. Keep half of it in view for a second.',
    ];
  if (!ad) return ['neutral', 'not billed', 'No paid ad could be shown, so nothing is measured.'];
  const clicked = click ? ` Clicked after ${secondsText(click.afterMs)}.` : '';
  const failed = view?.reason ?? click?.reason;
  if (failed) return ['warn', 'not billed', `Not counted. ${explained(failed)}`];
  if (view) return ['good', 'counted', `Viewable after ${secondsText(view.afterMs)}.${clicked}`];
  if (click) return ['good', 'counted', clicked.trim()];
  if (rendered)
    return [
      'neutral',
      'not billed',
      'It was rendered, but the visitor left the page before half of it had been in view for a second.',
    ];
  return ['accent', 'waiting', 'Served. It counts once half of it has been in view for a second.'];
}

function explain(reason: Reason, { origin }: WatchedRequest): string {
  const { name, meaning } = REASON_TEXTS[reason];
  return `${name}: ${meaning} ${nextStep(reason, origin)}`.trim();
}
