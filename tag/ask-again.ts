import { DELIVERY_PLACEHOLDER, type ServedAd, type ServedAds } from '#domain/delivery/wire.ts';
import type { Module } from './request.ts';

/** Asks for the ad again; if it depends on the page, by the module that states its facts. `last` ends the address. */
export function askAgain(zone: Element, last: string | number, show: (ad: ServedAd) => void): void {
  fetch(`${DELIVERY_PLACEHOLDER}/api/serve/ads?m&z=${zone.getAttribute('zone')}&${last}`, {
    signal: AbortSignal.timeout(5000),
    credentials: 'omit',
  })
    .then((reply) => reply.json())
    .then(async ({ ads: [ad] }: ServedAds) =>
      ad!.needs ? ((await import(ad!.needs)) as Module).ask([zone, show]) : show(ad!),
    )
    // The box stays reserved and blank, so that a failing ad server does not affect the page.
    .catch(() => {});
}
