import { MAX_ZONES_PER_REQUEST, type ServedAd, type ServedAds } from '#domain/delivery/wire.ts';

/** An ad zone and the function that shows an ad in it. */
export type Asked = [zone: string | null, show: (ad: ServedAd) => void];
/** A module that asks again: facts.ts or placement.ts. */
export type Module = { ask: (asked: Asked) => void };

/** The URL of this script, …/api/serve/zone/{publicId}. Ads are requested from the same host. */
const { src } = document.currentScript as HTMLScriptElement;

const waiting: Asked[] = [];

/**
 * Requests an ad. Zones that call this within one task share a request, because the first timer sends all of them.
 * Returns the id of the timer.
 */
export function ask(...asked: Asked): number {
  waiting.push(asked);
  return setTimeout(flush);
}

function flush(): void {
  const batch = waiting.splice(0, MAX_ZONES_PER_REQUEST);
  if (batch[0])
    fetch(new URL('../ads?n&z=' + batch.map((asked) => asked[0]), src), {
      signal: AbortSignal.timeout(5000),
      credentials: 'omit',
    })
      .then((reply) => reply.json())
      // The answers come in the order of the request. A zone whose ads depend on the page asks again with its facts.
      .then((answer: ServedAds) =>
        answer.ads.map((ad, i) =>
          ad.needs
            ? import(ad.needs).then(
                (module: Module) => module.ask(batch[i]!),
                () => {},
              )
            : batch[i]![1](ad),
        ),
      )
      // The box stays reserved and blank, so that a failing ad server does not affect the page.
      .catch(() => {});
}
