import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { WatchedRequest, ZoneWatch } from '#domain/delivery/zone-watch.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { formatTime } from '#web/ui/format/format.ts';
import { secondsText } from './seconds-text.ts';

type SiteRequestsProps = Pick<ZoneWatch, 'script' | 'unknown' | 'requests'> & {
  siteUrl: string;
};

/** What pages ask for while one watches; while nothing comes, what to look at. */
export function SiteRequests({ requests, script, unknown, siteUrl }: SiteRequestsProps) {
  return (
    <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      {unknown && (
        <Banner tone="warn" title="A page of yours asks for a zone that does not exist">
          It asked for ‘{unknown.asked}’. Copy the code of this zone again, and paste it whole.
        </Banner>
      )}
      {requests.length === 0 && <Waiting script={script} siteUrl={siteUrl} />}
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

function Waiting({ script, siteUrl }: Pick<SiteRequestsProps, 'script' | 'siteUrl'>) {
  return (
    <div className="grid gap-2 text-ink-soft">
      {script ? (
        <p>
          <span className="font-medium text-ink">Your page has loaded the tag</span>, but has not asked for an
          ad yet. Scroll until the zone comes into sight: it asks just before.
        </p>
      ) : (
        <p>
          <span className="font-medium text-ink">Nothing seen yet.</span> Open a page of{' '}
          {new URL(siteUrl).host} that holds the zone’s code, and scroll to it: what the page asks for appears
          here within a second.
        </p>
      )}
      <p>Nothing comes? Then see whether</p>
      <ul className="list-disc space-y-0.5 pl-5">
        <li>the zone’s code stands in the page, whole and as it is, and the page is published;</li>
        <li>the place is in sight, and not hidden by a style or a closed menu;</li>
        <li>
          an ad blocker or the page’s security policy keeps the code out: the browser’s console says so.
        </li>
      </ul>
    </div>
  );
}

function Request({ request }: { request: WatchedRequest }) {
  const { at, origin, ad } = request;
  const [tone, label, words] = outcomeOf(request);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 py-3">
      <p className="min-w-0 wrap-anywhere">
        {ad ? <bdi className="font-medium">{ad.title}</bdi> : 'Your own ad or ‘Advertise here’'}
      </p>
      <Badge tone={tone} className="self-start">
        {label}
      </Badge>
      <p className="col-span-2 text-ink-soft">{words}</p>
      <p className="col-span-2 text-xs wrap-anywhere text-ink-faint">
        {formatTime(at)} · {origin ?? 'a sandboxed page, which names no website'}
      </p>
    </li>
  );
}

/** What became of a request so far: how it looks, in a word, in a sentence. */
function outcomeOf({ ad, reason, view, rendered, click }: WatchedRequest): [Tone, string, string] {
  if (reason) return ['warn', 'not billed', `Nothing that follows counts. ${explained(reason)}`];
  if (!ad) return ['neutral', 'not billed', 'No paid ad could be shown, and of this nothing is measured.'];
  const clicked = click ? ` Clicked after ${secondsText(click.afterMs)}.` : '';
  const failed = view?.reason ?? click?.reason;
  if (failed) return ['warn', 'not billed', `It does not count. ${explained(failed)}`];
  if (view) return ['good', 'counted', `Viewable after ${secondsText(view.afterMs)}.${clicked}`];
  if (click) return ['good', 'counted', clicked.trim()];
  if (rendered)
    return [
      'neutral',
      'not billed',
      'It was drawn, but the page was left before half of it was in sight for a second.',
    ];
  return ['accent', 'waiting', 'Chosen; it counts once half of it is in sight for a second.'];
}

function explained(reason: Reason): string {
  const { name, meaning } = REASON_TEXTS[reason];
  return `${name}: ${meaning}`;
}
