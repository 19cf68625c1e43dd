/** A page that goes from person to person, and the checks of a page in both themes. */
import type { Page } from 'playwright-core';
import type { Client } from '../../server/testing/client.ts';
import { axeFindings, keepAxe, leaveOutKnown, type Shapes } from './axe.ts';
import { type Fixture } from './fixture.ts';
import { STEP_MS, waitForReact } from './person.ts';
import { waitForAnimations } from './screens.ts';

/** Adds findings to those of a screen, with the state of the page in which they were found. */
export type Note = (when: string, findings: string[]) => void;

export const DESKTOP = { width: 1280, height: 900 };
/** The narrowest window without a sideways scrollbar. */
export const PHONE = { width: 320, height: 640 };

/** Opens a page in a browser that wants no motion. */
export async function enterWalk(fixture: Fixture, viewport = DESKTOP): Promise<Page> {
  const context = await fixture.browser.newContext({
    baseURL: fixture.server.url,
    viewport,
    reducedMotion: 'reduce',
  });
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
