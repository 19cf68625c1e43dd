import {
  DELIVERY_PLACEHOLDER,
  MAX_ZONES_PER_REQUEST,
  type ServedAd,
  type ServedAds,
} from '#domain/delivery/wire.ts';

/** The element of an ad zone and the function that shows an ad in it. */
export type Asked = [element: Element, show: (ad: ServedAd) => void];
/** A module that asks again: facts.ts or placement.ts. */
export type Module = { ask: (asked: Asked) => void };

const waiting: Asked[] = [];

/** Requests an ad. Zones that call this within one task share a request, because the first timer sends all of them. */
export function ask(asked: Asked): unknown {
  return waiting.push(asked) && setTimeout(flush);
}

function flush(): void {
  const batch = waiting.splice(0, MAX_ZONES_PER_REQUEST);
  if (batch[0])
    // The number makes each address a new one, because a service worker of the page may answer a known address itself. The
    // address is a string: pages call variables of theirs `URL`, and some read the address in a `fetch` of their own.
    fetch(
      `${DELIVERY_PLACEHOLDER}/api/serve/ads?n&z=` +
        batch.map((asked) => asked[0].getAttribute('zone')) +
        `&${Math.random()}`,
      { signal: AbortSignal.timeout(5000), credentials: 'omit' },
    )
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
