/** Every dialog, menu and toast, opened from where people open it, in both themes and on the smallest screen. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { axeFindings } from './support/axe.ts';
import { LAYERS, pathOf, type Layer } from './support/layers.ts';
import {
  lostText,
  movements,
  resize,
  sideways,
  spaceText,
  unspaceText,
  recordLayoutShifts,
} from './support/layout.ts';
import { changeUser } from './support/people.ts';
import { waitForAnimations, walkToScreen } from './support/screens.ts';
import { STEP_MS } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';
import { furnish, type Market } from './support/world.ts';

/** A selector of every dialog, menu and toast. */
const LAYER = '[role=dialog], [role=menu], [data-variant]';

const suite = useFixture();
let seller: Client;
let buyer: Client;
let market: Market;

beforeAll(async () => {
  [seller, buyer] = [await suite.client('seller'), await suite.client('buyer')];
  market = await furnish(seller, buyer);
});

/** A page for each user and device, because a new page starts a process. */
const pages = new Map<string, Promise<Page>>();

async function newPage({ of, narrow }: Layer): Promise<Page> {
  const { browser, server } = suite.fixture;
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: sizeFor(narrow),
    reducedMotion: 'reduce',
  });
  const { cookie } = of === 'seller' ? seller : buyer;
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: server.url }]);
  await recordLayoutShifts(context);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  return page;
}

function sizeFor(narrow: boolean | undefined) {
  return { width: narrow ? 375 : 1280, height: 900 };
}

async function enter(layer: Layer): Promise<Page> {
  const kind = `${layer.of} ${layer.narrow ?? false}`;
  const known = pages.get(kind) ?? newPage(layer);
  pages.set(kind, known);
  const page = await known;
  await page.unrouteAll();
  if (layer.of === 'newcomer') await changeUser(page, { hasCompletedOnboarding: false });
  await resize(page, sizeFor(layer.narrow));
  return page;
}

// Proves A11Y-02, A11Y-05, A11Y-06, A11Y-09
it.each(LAYERS.map((layer) => [layer.name, layer] as const))(
  'this layer has no accessibility, overflow or motion findings: %s',
  async (_name, layer) => {
    const page = await enter(layer);
    const found: string[] = [];
    await walkToScreen(page, { name: layer.name, path: pathOf(layer, market) });
    await layer.open(page, market);
    const shown = page.locator(LAYER).last();
    await shown.waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await waitForAnimations(page);
      for (const finding of await axeFindings(page, theme, LAYER)) found.push(`${theme}: ${finding}`);
    }
    for (const [width, height] of [
      [320, 640],
      [640, 450],
    ] as const) {
      await resize(page, { width, height });
      for (const spaced of [false, true]) {
        if (spaced) await spaceText(page);
        const when = `${width}x${height}${spaced ? ', wide text' : ''}`;
        for (const finding of [
          ...(await sideways(page)),
          ...(await lostText(page)),
          ...(await outside(shown)),
        ])
          found.push(`${when}: ${finding}`);
        if (spaced) await unspaceText(page);
      }
    }
    found.push(...(await movements(page)));
    expect(found).toEqual([]);
  },
);

/** Where the layer reaches beyond the window, and which of its parts scroll sideways. */
async function outside(layer: ReturnType<Page['locator']>): Promise<string[]> {
  // The change of window size may have closed a menu.
  if (!(await layer.isVisible())) return [];
  return await layer.evaluate((element) => {
    const found: string[] = [];
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
      found.push('beyond the window');
    for (const part of [element, ...element.querySelectorAll('*')]) {
      const { overflowX } = getComputedStyle(part);
      // Rows of tabs scroll by design. So may any part that has a tab stop, because the keyboard can scroll it.
      if (part.getAttribute('role') === 'tablist' || part.hasAttribute('tabindex')) continue;
      if (!/auto|scroll/.test(overflowX) || part.scrollWidth <= part.clientWidth + 1) continue;
      const edge = part.getBoundingClientRect().left + part.clientWidth;
      const wide = [...part.querySelectorAll('*')].filter(
        (child) => child.getBoundingClientRect().right > edge,
      );
      found.push(
        `scrolls sideways: ${wide
          .slice(0, 3)
          .map((child) => `${child.tagName}.${child.className}`)
          .join(' | ')}`,
      );
    }
    return found;
  });
}
