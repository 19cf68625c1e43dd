/** Every screen, for every role, with data and without, in both themes and at the sizes people use. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { ROLES, type Role } from '#domain/accounts/roles.ts';
import type { Client } from '../server/testing/client.ts';
import { axeFindings } from './support/axe.ts';
import {
  lostText,
  movements,
  resize,
  sideways,
  spaceText,
  unspaceText,
  watchMovements,
} from './support/layout.ts';
import { calm, newScreens, openScreen, PUBLIC_SCREENS, screensOf, type Screen } from './support/screens.ts';
import { outline } from './support/outline.ts';
import { useFixture } from './support/use-fixture.ts';
import { furnish, type Market } from './support/world.ts';

const suite = useFixture();
/** A walk is two dozen screens, each looked at five times. */
const WALK_MS = 300_000;
const clients = {} as Record<Role, Client>;
const markets = {} as Record<Role, Market>;
/** By title of the document, the paths that bear it. */
const titles = new Map<string, Set<string>>();

beforeAll(async () => {
  for (const role of ROLES) clients[role] = await suite.client(role);
  markets.seller = await furnish(clients.seller, clients.both);
  markets.both = markets.seller;
  markets.buyer = await furnish(clients.both, clients.buyer);
});

/** Opens each screen in a browser that wants no motion, with twice the pixels, and gathers what is wrong there. */
async function walk(client: Client, screens: readonly Screen[]): Promise<string[]> {
  const context = await suite.fixture.browser.newContext({
    baseURL: suite.fixture.server.url,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = client.cookie.split(/=(.*)/s);
  if (name) await context.addCookies([{ name, value, url: suite.fixture.server.url }]);
  await watchMovements(context);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const found: string[] = [];
  for (const screen of screens) {
    const note = (when: string, findings: string[]) =>
      found.push(...findings.map((finding) => `${screen.name}, ${when}: ${finding}`));
    await resize(page, { width: 1280, height: 900 });
    await openScreen(page, screen);
    note('outline', await outline(page));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await calm(page);
      note(colorScheme, await axeFindings(page));
    }
    await lookClosely(page, note);
    note('reduced motion', await movements(page));
    const title = await page.title();
    // One page, whichever ad is paid.
    const path = new URL(page.url()).pathname.replace(/^\/checkout\/.*/, '/checkout');
    titles.set(title, (titles.get(title) ?? new Set()).add(path));
  }
  await context.close();
  return found;
}

/** 320 px; 1280 px at 200 %, which are 640 px of twice the pixels; and that with the distances of WCAG 1.4.12. */
async function lookClosely(page: Page, note: (when: string, findings: string[]) => void): Promise<void> {
  await resize(page, { width: 320, height: 640 });
  note('320 px', await sideways(page));
  await resize(page, { width: 640, height: 450 });
  note('200 %', [...(await sideways(page)), ...(await lostText(page))]);
  await spaceText(page);
  note('wide text', [...(await sideways(page)), ...(await lostText(page))]);
  await unspaceText(page);
}

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09, A11Y-10
it('nothing is wrong with what a visitor sees', async () => {
  expect(await walk(suite.fixture.server.anyone(), PUBLIC_SCREENS)).toEqual([]);
});

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09, A11Y-10
it.each(ROLES)(
  'nothing is wrong with any screen of the role %s',
  async (role) => {
    expect(await walk(clients[role], screensOf(role, markets[role]))).toEqual([]);
  },
  WALK_MS,
);

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09
it.each(ROLES)(
  'nor with any of a new account of the role %s',
  async (role) => {
    expect(await walk(await suite.client(role), newScreens(role))).toEqual([]);
  },
  WALK_MS,
);

// Proves A11Y-10
it('each page has a title of its own', () => {
  const shared = [...titles].filter(([, paths]) => paths.size > 1);
  // Home and the landing page are both '/', and say different things.
  expect(shared.map(([title, paths]) => `${title}: ${[...paths].join(', ')}`)).toEqual([]);
  expect(titles.size).toBeGreaterThan(10);
  expect([...titles.keys()].filter((title) => title === 'Openslot' || title === '')).toEqual([]);
});
