/** Walks through screens and checks each in both themes and at several window sizes. */
import type { Page } from 'playwright-core';
import type { Client } from '../../server/testing/client.ts';
import { axeFindings, keepAxe, leaveOutKnown, type Shapes } from './axe.ts';
import { type Fixture } from './fixture.ts';
import { harm } from './hostile.ts';
import {
  lostText,
  movements,
  resize,
  sideways,
  spaceText,
  unspaceText,
  recordLayoutShifts,
} from './layout.ts';
import { outline } from './outline.ts';
import { STEP_MS, waitForReact } from './person.ts';
import { waitForAnimations, type Screen, walkToScreen } from './screens.ts';

/** The titles and shapes that the walks of a file have seen so far. */
export type Seen = {
  /** The paths of the pages with each document title. */
  titles: Map<string, Set<string>>;
  shapes: Shapes;
};

/** Adds findings to those of a screen, with the state of the page in which they were found. */
export type Note = (when: string, findings: string[]) => void;

export const DESKTOP = { width: 1280, height: 900 };
/** The narrowest window without a sideways scrollbar. [A11Y-05] */
export const PHONE = { width: 320, height: 640 };
/** The layout of a desktop at 200% zoom. [A11Y-06] */
export const ZOOMED = { width: 640, height: 450 };

/** Opens a page in a browser that wants no motion. */
export async function enterWalk(fixture: Fixture, viewport = DESKTOP): Promise<Page> {
  const context = await fixture.browser.newContext({
    baseURL: fixture.server.url,
    viewport,
    reducedMotion: 'reduce',
  });
  await recordLayoutShifts(context);
  await keepAxe(context);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  waitForReact(page);
  return page;
}

/** Gives the page the session of `client`, and nothing of the person before. The next screen has to be loaded. */
export async function becomePerson(page: Page, { server }: Fixture, client: Client): Promise<void> {
  const [name = '', value = ''] = client.cookie.split(/=(.*)/s);
  await page.unrouteAll();
  // Leaves the page of the person before first: without its session, it would report a call that is under way.
  await page.goto(`${server.url}/robots.txt`);
  await page.context().clearCookies();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  if (name) await page.context().addCookies([{ name, value, url: server.url }]);
}

/** Opens each screen and returns the findings there, one line for each. Adds to `seen`. */
export async function walk(
  page: Page,
  screens: readonly Screen[],
  seen: Seen,
  open = walkToScreen,
): Promise<string[]> {
  const found: string[] = [];
  for (const [index, screen] of screens.entries()) {
    const note: Note = (when, findings) =>
      found.push(...findings.map((finding) => `${screen.name}, ${when}: ${finding}`));
    await open(page, screen);
    // Every second screen opens in the last window size of the screen before, because a change of size takes long.
    const checks = [atDesktop, onPhone, zoomed];
    for (const check of index % 2 === 0 ? checks : checks.toReversed()) await check(page, note, seen);
    note('reduced motion', await movements(page));
    const title = await page.title();
    // The checkout is one page for all ads, and the report for all plans.
    const path = new URL(page.url()).pathname.replace(/^\/(checkout|ledger|plans)\/.*/, '/$1');
    seen.titles.set(title, (seen.titles.get(title) ?? new Set()).add(path));
  }
  return found;
}

async function atDesktop(page: Page, note: Note, { shapes }: Seen): Promise<void> {
  await resize(page, DESKTOP);
  note('outline', await outline(page));
  await inBothThemes(page, note, shapes);
  await unfold(page);
  note('1280 px', [...(await harm(page)), ...(await sideways(page)), ...(await lostText(page))]);
}

async function onPhone(page: Page, note: Note): Promise<void> {
  await resize(page, PHONE);
  await unfold(page);
  note('320 px', [...(await sideways(page)), ...(await lostText(page))]);
}

/** Checks the page at 200% zoom, also with the text spacing of WCAG 1.4.12. */
async function zoomed(page: Page, note: Note): Promise<void> {
  await resize(page, ZOOMED);
  note('200 %', [...(await sideways(page)), ...(await lostText(page))]);
  await spaceText(page);
  note('wide text', [...(await sideways(page)), ...(await lostText(page))]);
  await unspaceText(page);
}

/**
 * Checks the elements with a new shape, if there are any, in the present theme and then in the other one. `layer` is a
 * selector of dialogs, menus and toasts.
 */
export async function inBothThemes(page: Page, note: Note, shapes: Shapes, layer?: string): Promise<void> {
  if ((await leaveOutKnown(page, shapes, layer)) === 0) return;
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const now = isDark ? 'dark' : 'light';
  note(now, await axeFindings(page, now, layer));
  const other = isDark ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme: other });
  await waitForAnimations(page);
  note(other, await axeFindings(page, other, layer));
}

/** Opens the parts of the page that hide a text. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
}
