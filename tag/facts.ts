/**
 * The module that the tag loads for zones whose ads are limited by page, topic or the visitor's clock. It asks for the ad
 * again, with the path of the page, its topics and the timezone of the visitor's clock.
 */
import { DELIVERY_PLACEHOLDER, type ServedAds } from '#domain/delivery/wire.ts';
import { pageFacts } from './page-facts.ts';
import type { Asked } from './request.ts';

export function ask([zone, show]: Asked): void {
  fetch(`${DELIVERY_PLACEHOLDER}/api/serve/ads?${pageFacts(zone)}`, {
    signal: AbortSignal.timeout(5000),
    credentials: 'omit',
  })
    .then((reply) => reply.json())
    .then(({ ads }: ServedAds) => show(ads[0]!))
    // The box stays reserved and blank, so that a failing ad server does not affect the page.
    .catch(() => {});
}
