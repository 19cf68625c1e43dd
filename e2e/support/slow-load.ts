/** Opens pages whose answers arrive one by one, and records the layout shifts meanwhile. */
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { Client } from '../../server/testing/client.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../../server/testing/story.ts';
import type { Fixture } from './fixture.ts';
import { resize } from './layout.ts';
import type { Person } from './person.ts';

/** Gives both people something in each of their lists. */
export async function makeLists(seller: Client, buyer: Client) {
  const live = await makeLiveAd(seller, buyer);
  await makeAd(buyer, await makeProduct(seller, live.zone, { price: '40.00' }));
  await makeZone(seller, await makeWebsite(seller, { name: 'The second' }));
  return live;
}

/** Gives the person's pages the session of `client`. */
export async function become({ context }: Person, { cookie }: Client, { server }: Fixture): Promise<void> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.clearCookies();
  await context.addCookies([{ name, value, url: server.url }]);
}

/** Opens each page slowly, and returns its layout shifts. */
export async function shiftsAt({ page }: Person, width: number, paths: readonly string[]): Promise<string[]> {
  await resize(page, { width, height: 900 });
  const found: string[] = [];
  for (const path of paths)
    found.push(...(await openSlowly(page, path, async (to) => await shown(page, to))));
  return found;
}

/** Makes each page that is opened from now on record its layout shifts in `window.shifts`. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.outerHTML.slice(0, 90)} from ${previousRect.y} to ${currentRect.y}`;
        });
        shifts.push(`${entry.value.toFixed(4)}: ${moved.join(' and ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
}

/** Lets the page's API answers arrive one by one, each after the page was rendered without it. Returns when it shows all. */
export async function openSlowly(
  page: Page,
  path: string,
  open: (path: string) => Promise<void>,
): Promise<string[]> {
  let queue: Promise<unknown> = Promise.resolve();
  await page.route('**/api/**', async (route) => {
    const before = queue;
    queue = (async () => {
      await before;
      await rendered(page);
      await route.continue();
      // A navigation cancels the pending requests.
    })().catch(() => {});
    await queue;
  });
  await open(path);
  await rendered(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  await page.unrouteAll({ behavior: 'wait' });
  return shifts.map((shift) => `${path} at ${page.viewportSize()?.width}: ${shift}`);
}

/** From the Layout Instability API, which the types of TypeScript lack. */
type LayoutShift = {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Opens a page. The network of a slow machine may be idle before the page has run, so this waits for both. */
export async function loaded(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
}

/**
 * Opens a page, until it shows its data and no request is under way. The network would count as idle half a second later,
 * which takes longer than most loads.
 */
async function shown(page: Page, path: string): Promise<void> {
  const pending = new Set<Request>();
  let started = 0;
  const begin = (request: Request) => {
    started++;
    pending.add(request);
  };
  const end = (request: Request) => pending.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  for (let before = -1; before !== started;) {
    before = started;
    await page.waitForFunction(
      () =>
        !document.querySelector('.animate-pulse, .animate-spin') &&
        ![...document.querySelectorAll('.figures')].some(({ textContent }) => textContent === '...'),
    );
    await expect.poll(() => pending.size, { interval: 10 }).toBe(0);
    await rendered(page);
  }
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

/** Resolves when the browser has rendered the page in its present state. */
async function rendered(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}
