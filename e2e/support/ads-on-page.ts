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

/**
 * The place in its zone, and every computed style, of each element of an ad and of the signs that its style sheet adds.
 * `host` selects the zone, or the preview of one.
 */
export async function adLooks(page: Page, host = 'ad-zone'): Promise<Record<string, string>[]> {
  // Playwright takes longer to pass thousands of values than one text.
  const looks = await page
    .locator(host)
    .first()
    .evaluate((zone) => {
      const frame = zone.getBoundingClientRect();
      const looksOf = (element: Element, pseudo?: string) => {
        const style = getComputedStyle(element, pseudo);
        // Leave out positions, which follow the page if it removes the zone's containment, and variables, which ads do
        // not use.
        const ofThePage = /^(top|right|bottom|left|inset-|--)/;
        const names = [...style].filter((name) => !ofThePage.test(name));
        return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
      };
      const all = [...(zone.shadowRoot?.querySelectorAll('a,b,span,i,img') ?? [])].flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const place = [x - frame.x, y - frame.y, width, height].join(' ');
        return [
          { name: element.tagName, place, ...looksOf(element) },
          { name: `${element.tagName}::before`, ...looksOf(element, '::before') },
          { name: `${element.tagName}::after`, ...looksOf(element, '::after') },
        ];
      });
      return JSON.stringify(all);
    });
  return JSON.parse(looks) as Record<string, string>[];
}
