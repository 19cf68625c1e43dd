/** Walks through screens and checks each in both themes and at several window sizes. */
import type { Page } from 'playwright-core';
import type { Client } from '../../server/testing/client.ts';
import { axeFindings } from './axe.ts';
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
import { waitForAnimations, openScreen, type Screen, walkToScreen } from './screens.ts';
import { type Fixture } from './fixture.ts';
import { STEP_MS } from './person.ts';

/** The paths of the pages with each document title. */
export type Titles = Map<string, Set<string>>;

/**
 * Opens each screen in a browser that wants no motion and returns what is wrong there, one line
 * for each finding. Adds the titles of the pages to `titles`.
 */
export async function walk(
  fixture: Fixture,
  client: Client,
  screens: readonly Screen[],
  titles: Titles = new Map(),
): Promise<string[]> {
  const context = await fixture.browser.newContext({
    baseURL: fixture.server.url,
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = client.cookie.split(/=(.*)/s);
  if (name) await context.addCookies([{ name, value, url: fixture.server.url }]);
  await recordLayoutShifts(context);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  const found: string[] = [];
  for (const screen of screens) {
    const note = (when: string, findings: string[]) =>
      found.push(...findings.map((finding) => `${screen.name}, ${when}: ${finding}`));
    await resize(page, { width: 1280, height: 900 });
    // The pages of visitors are made by the server, so each is loaded.
    await (client.cookie ? walkToScreen : openScreen)(page, screen);
    note('outline', await outline(page));
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await waitForAnimations(page);
      note(theme, await axeFindings(page, theme));
    }
    await lookClosely(page, note);
    note('reduced motion', await movements(page));
    const title = await page.title();
    // The checkout is one page for all ads.
    const path = new URL(page.url()).pathname.replace(/^\/(checkout|ledger)\/.*/, '/$1');
    titles.set(title, (titles.get(title) ?? new Set()).add(path));
  }
  await context.close();
  return found;
}

/** Checks the page at 320 px and at 200% zoom of 1280 px, and the latter with the text spacing of WCAG 1.4.12. */
async function lookClosely(page: Page, note: (when: string, findings: string[]) => void): Promise<void> {
  await resize(page, { width: 320, height: 640 });
  note('320 px', await sideways(page));
  await resize(page, { width: 640, height: 450 });
  note('200 %', [...(await sideways(page)), ...(await lostText(page))]);
  await spaceText(page);
  note('wide text', [...(await sideways(page)), ...(await lostText(page))]);
  await unspaceText(page);
}
