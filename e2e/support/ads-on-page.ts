import type { Page } from 'playwright-core';

/** For `addInitScript`: keeps the shadow roots of the tag open, so that a test can look inside. */
export function openShadowRoots(): void {
  type Attach = (init: ShadowRootInit) => ShadowRoot;
  const attachShadow: Attach = Reflect.get(Element.prototype, 'attachShadow');
  Element.prototype.attachShadow = new Proxy(attachShadow, {
    apply: (attach, element: Element, [init]: [ShadowRootInit]) =>
      Reflect.apply(attach, element, [{ ...init, mode: 'open' }]),
  });
}

/** Waits until this many zones of the page have rendered. Needs open shadow roots. */
export async function rendered(page: Page, zones: number): Promise<void> {
  await page.waitForFunction(
    (zones) =>
      [...document.querySelectorAll('ad-zone')].filter((zone) => zone.shadowRoot?.lastElementChild).length ===
      zones,
    zones,
  );
}

/** The text, media element and links in each zone of the page. */
export async function revealAds(
  page: Page,
): Promise<{ text: string; media: string | null; links: string[] }[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('ad-zone')].map((zone) => ({
      text: zone.shadowRoot?.textContent ?? '',
      media: zone.shadowRoot?.querySelector('img,video')?.tagName ?? null,
      links: [...(zone.shadowRoot?.querySelectorAll('a') ?? [])].map((link) => link.href),
    })),
  );
}
