/** How pages load: without layout shifts, and the landing page with little JavaScript. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { enterAs } from './support/people.ts';
import { OWN } from './support/raw-page.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
});
afterAll(async () => {
  await fixture.close();
});

/** The screens that a buyer or a seller does not see as a person with both roles does. */
const DIFFERENT_BY_ROLE = ['/dashboard', '/ad-zones', '/transactions'];

describe('layout while a page loads', () => {
  // Proves FND-08
  it('does not shift on any page of a visitor, at 375 and 1280 px', async () => {
    for (const width of [375, 1280]) {
      const { page, context } = await fixture.enter({ width });
      await recordShifts(page);
      for (const path of ['/', '/demo', '/auth', '/auth?tab=signup']) {
        expect(await shiftsOn(page, path)).toEqual([]);
      }
      await context.close();
    }
  });

  // Proves FND-08
  it.each([
    ['buyer', 375],
    ['seller', 375],
    ['both', 375],
    ['both', 1280],
  ] as const)('does not shift on any page for role %s at %i px', async (role, width) => {
    const { page, context, client } = await enterAs(fixture, role, { width });
    const other = await fixture.server.signIn('both');
    const buyer = role === 'seller' ? other : client;
    const seller = role === 'buyer' ? other : client;
    const { website, zone, ad } = await makeLiveAd(seller, buyer);
    await makeAd(buyer, await makeProduct(seller, zone, { price: '40.00' }));
    await makeZone(seller, await makeWebsite(seller, { name: 'The second' }));
    await recordShifts(page);
    const wizard = `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
    const paths = role === 'both' ? ['/demo', ...OWN, `/checkout/${ad.publicId}`, wizard] : DIFFERENT_BY_ROLE;
    for (const path of ['/', ...paths]) {
      expect(await shiftsOn(page, path)).toEqual([]);
    }
    await context.close();
  });
});

/** Makes each page that is opened from now on record its layout shifts in `window.shifts`. */
async function recordShifts(page: Page): Promise<void> {
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

/** The layout shifts of a page whose API answers arrive one by one, each after the page was rendered without it. */
async function shiftsOn(page: Page, path: string): Promise<string[]> {
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
  await page.goto(path, { waitUntil: 'networkidle' });
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

/** Resolves when the browser has rendered the page in its present state. */
async function rendered(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}

describe('page weight', () => {
  // Proves FND-06
  it('the first visit of / takes at most 120 kB of JavaScript', async () => {
    const { page, context } = await fixture.enter();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    // Encoded sizes of the bodies, without headers.
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    // The limit is for gzip. Chromium would accept brotli, which is smaller.
    await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': 'gzip' } });
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(120_000);
    await context.close();
  });
});
