import type { Page } from 'playwright-core';

/** A selector of every dialog, menu and toast. */
const LAYER = '[role=dialog], [role=menu], [data-variant]';

/** An address without a page. */
const NOWHERE = '/nope';

/**
 * Opens a screen of the person whose application runs in the page, as a link does. This takes a third of the processor
 * time of a load. Goes by the page of an unknown address, so that nothing of the screen before is left, not even if it has
 * the same address. Loads the screen if the page has no application yet, or if a dialog or toast stays open.
 */
export async function walkToScreen(page: Page, path: string): Promise<void> {
  if (await leaveScreen(page)) {
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.getByRole('heading', { name: 'Page Not Found' }).waitFor({ state: 'detached' });
  } else await page.goto(path);
  await waitForAnimations(page);
}

/** Returns whether an empty page of the application is shown. */
async function leaveScreen(page: Page): Promise<boolean> {
  // A toast stays when the page changes, so the next screen has to be loaded.
  const canWalk = await page.evaluate(
    () => document.querySelector('#root main') !== null && !document.querySelector('[data-variant]'),
  );
  if (!canWalk) return false;
  await page.evaluate((nowhere) => history.pushState(null, '', nowhere), NOWHERE);
  await page.getByRole('heading', { name: 'Page Not Found', includeHidden: true }).waitFor();
  return !(await hasLayer(page));
}

async function hasLayer(page: Page): Promise<boolean> {
  return (await page.locator(LAYER).count()) > 0;
}

/** Waits until the page shows all its data and images, and no animation runs. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
  await page.waitForFunction(
    () =>
      // The page below an open dialog may still be loading.
      !([...document.querySelectorAll('[role=dialog]')].at(-1) ?? document).querySelector(
        // The last one is a list that still shows what was asked for before.
        '.animate-pulse, .animate-spin, .opacity-55',
      ) &&
      ![...document.querySelectorAll('.figures')].some(({ textContent }) => textContent === '...') &&
      document.getAnimations().every(({ playState }) => playState !== 'running') &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  );
}
