/** Every dialog, menu and toast, opened from where people open it, in both themes and on the smallest screen. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import type { Shapes } from './support/axe.ts';
import { harm, OTHER_SCRIPT, signInHostile } from './support/hostile.ts';
import { LAYERS, pathOf, type Layer } from './support/layers.ts';
import { lostText, movements, resize, sideways, spaceText, unspaceText } from './support/layout.ts';
import { changeUser } from './support/people.ts';
import { LAYER, walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, DESKTOP, enterWalk, inBothThemes, type Note, PHONE, ZOOMED } from './support/walk.ts';
import { furnish, type Market } from './support/world.ts';

const suite = useFixture();
/** One page for all people, because a new one starts a process. */
let page: Page;
let people: Record<Layer['of'], Client>;
let market: Market;
const shapes: Shapes = new Set();

beforeAll(async () => {
  const { server } = suite.fixture;
  const [seller, buyer] = [await signInHostile(server, 'seller'), await signInHostile(server, 'buyer')];
  people = { seller, buyer, newcomer: buyer };
  market = await furnish(seller, buyer, OTHER_SCRIPT);
  page = await enterWalk(suite.fixture);
});

/** The person who is signed in on the page. */
let present: Client | undefined;

/** Opens the screen that the layer opens over. */
async function enter(layer: Layer): Promise<void> {
  const { of, narrow } = layer;
  if (present !== people[of]) await becomePerson(page, suite.fixture, people[of]);
  present = people[of];
  await page.unrouteAll();
  if (of === 'newcomer') await changeUser(page, { hasCompletedOnboarding: false });
  await resize(page, narrow ? { width: 375, height: 900 } : DESKTOP);
  await walkToScreen(page, { name: layer.name, path: pathOf(layer, market) });
}

/** The layers by person, because each change of the person has to load a page. */
const IN_ORDER = LAYERS.toSorted((one, other) => one.of.localeCompare(other.of));

// Proves A11Y-02, A11Y-05, A11Y-06, A11Y-07, A11Y-09
it.each(IN_ORDER.map((layer) => [layer.name, layer] as const))(
  'this layer has no accessibility, overflow or motion findings, and hostile texts do no harm: %s',
  async (_name, layer) => {
    await enter(layer);
    const found: string[] = [];
    const note: Note = (when, findings) => found.push(...findings.map((finding) => `${when}: ${finding}`));
    await layer.open(page, market);
    const shown = page.locator(LAYER).last();
    await shown.waitFor();
    await inBothThemes(page, note, shapes, LAYER);
    note('texts', await harm(page));
    for (const size of [PHONE, ZOOMED]) {
      await resize(page, size);
      for (const spaced of [false, true]) {
        if (spaced) await spaceText(page);
        note(`${size.width} px${spaced ? ', wide text' : ''}`, [
          ...(await sideways(page)),
          ...(await lostText(page)),
          ...(await outside(shown)),
        ]);
        if (spaced) await unspaceText(page);
      }
    }
    note('reduced motion', await movements(page));
    expect(found).toEqual([]);
  },
);

/** Returns whether the layer reaches beyond the window, and its parts that scroll sideways. */
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
