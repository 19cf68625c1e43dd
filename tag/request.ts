import { MAX_ZONES_PER_REQUEST, type ServedAd, type ServedAds } from '#domain/delivery/wire.ts';

type Show = (ad: ServedAd) => void;

/** The script's own address, …/api/serve/zone/{publicId}: zones are asked of the host that sent it. */
const { src } = document.currentScript as HTMLScriptElement;

const waiting: [zone: string | null, show: Show][] = [];

/** Asks for an ad. Zones that ask within one task share a request: the first timer takes all of them. Returns its own. */
export function ask(zone: string | null, show: Show): number {
  waiting.push([zone, show]);
  return setTimeout(flush);
}

function flush(): void {
  const asked = waiting.splice(0, MAX_ZONES_PER_REQUEST);
  if (asked[0])
    fetch(new URL('../ads?z=' + asked.map(([zone]) => zone), src), {
      cache: 'no-store',
      signal: AbortSignal.timeout(5000),
      credentials: 'omit',
    })
      .then((reply) => reply.json())
      // Answers come in the order of the question.
      .then((answer: ServedAds) => answer.ads.map((ad, i) => asked[i]![1](ad)))
      // The box stays reserved and blank: the page must not notice an ad server that is down.
      .catch(() => {});
}
