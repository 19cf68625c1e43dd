import { DELIVERY_PLACEHOLDER, type ServedAd, type ServedAds } from '#domain/delivery/wire.ts';

/**
 * Asks for the ad again, with what only the page knows: its path, its topics and the timezone of its visitor. `before` and
 * `after` stand around these in the query.
 */
export function askAgain(zone: Element, show: (ad: ServedAd) => void, before: string, after: string): void {
  const topics = document.querySelector<HTMLMetaElement>('[data-topics],[name="openslot:topics"]');
  const facts = new URLSearchParams({
    z: zone.getAttribute('zone')!,
    p: location.pathname,
    t: topics?.dataset['topics'] ?? topics?.content ?? '',
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // The number makes the address a new one, as in request.ts.
    r: Math.random() as unknown as string,
  });
  fetch(`${DELIVERY_PLACEHOLDER}/api/serve/ads?${before}${facts}${after}`, {
    signal: AbortSignal.timeout(5000),
    credentials: 'omit',
  })
    .then((reply) => reply.json())
    .then(({ ads }: ServedAds) => show(ads[0]!))
    // The box stays reserved and blank, so that a failing ad server does not affect the page.
    .catch(() => {});
}
