import { MAX_ZONES_PER_REQUEST, type ServedAd, type ServedAds } from '#domain/delivery/wire.ts';

type Show = (ad: ServedAd) => void;

/** The URL of this script, …/api/serve/zone/{publicId}. Ads are requested from the same host. */
const { src } = document.currentScript as HTMLScriptElement;

const waiting: [zone: string | null, show: Show][] = [];

/**
 * Requests an ad. Zones that call this within one task share a request, because the first timer sends all of them.
 * Returns the id of the timer.
 */
export function ask(zone: string | null, show: Show): number {
  waiting.push([zone, show]);
  return setTimeout(flush);
}

function flush(): void {
  const batch = waiting.splice(0, MAX_ZONES_PER_REQUEST);
  if (batch[0])
    fetch(new URL('../ads?z=' + batch.map(([zone]) => zone), src), {
      cache: 'no-store',
      signal: AbortSignal.timeout(5000),
      credentials: 'omit',
    })
      .then((reply) => reply.json())
      // The answers come in the order of the request.
      .then((answer: ServedAds) => answer.ads.map((ad, i) => batch[i]![1](ad)))
      // The box stays reserved and blank, so that a failing ad server does not affect the page.
      .catch(() => {});
}
