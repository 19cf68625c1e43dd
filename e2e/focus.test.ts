/** Where the focus is: after a navigation, in a dialog or menu and after it closes, and beside a toast. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { focused } from './support/keyboard.ts';
import { LAYERS, pathOf, type Layer } from './support/layers.ts';
import { resize } from './support/layout.ts';
import { answer, enterAs, toastTitled } from './support/people.ts';
import { waitForAnimations, walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';
import { furnish, type Market } from './support/world.ts';
import { leave } from './support/person.ts';

const suite = useFixture();
/** The page of a person with both roles. It stays open from test to test, because a load takes longer than a walk. */
let page: Page;
let market: Market;

beforeAll(async () => {
  const both = await enterAs(suite.fixture, 'both');
  page = both.page;
  market = await furnish(both.client, both.client);
});

/** Walks to a page, in a window of this width. */
async function walkTo(path: string, width = 1280): Promise<void> {
  await page.unrouteAll();
  await resize(page, { width, height: 900 });
  await walkToScreen(page, { name: path, path });
}

const tagOfFocus = (shown: Page) => shown.evaluate(() => document.activeElement?.tagName ?? '');

// Proves A11Y-08, A11Y-10
it('a navigation moves the focus to the heading of the new page, and Back to the heading of the previous one', async () => {
  await page.goto('/');
  await waitForAnimations(page);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Marketplace', 'Dashboard', 'Demo']) {
    await navigation.getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.title()).toContain(name);
    await expect.poll(() => tagOfFocus(page)).toBe('H1');
    // The focus ring is visible after a key press.
    expect((await focused(page))?.ring).toBe(true);
  }
  await page.goBack();
  await expect.poll(() => page.title()).toContain('Dashboard');
  await expect.poll(() => tagOfFocus(page)).toBe('H1');
});

// Proves A11Y-08, A11Y-10
it('the skip link is the first tab stop, is visible, and skips the menu', async () => {
  // A page that was loaded. After a walk, the focus is on the heading.
  await page.goto('/settings');
  await waitForAnimations(page);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatchObject({ role: 'link', name: 'Skip to content', ring: true });
  expect((await page.getByRole('link', { name: 'Skip to content' }).boundingBox())?.width).toBeGreaterThan(
    50,
  );
  await page.keyboard.press('Enter');
  expect(await tagOfFocus(page)).toBe('MAIN');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

/** Layers that a button of the page opens. The focus returns to that button. */
const RETURNING = LAYERS.filter(({ name }) =>
  [
    'menu of the account',
    'menu of the phone',
    'review',
    'new website, with errors',
    'settings of a zone',
    'deletion of a zone',
    'deletion of the account',
  ].includes(name),
);

// Proves A11Y-08
it.each(RETURNING.map((layer) => [layer.name, layer] as const))(
  'this layer takes the focus, keeps it, and returns it to its opener: %s',
  async (_name, layer: Layer) => {
    await walkTo(pathOf(layer, market), layer.narrow ? 375 : 1280);
    // Remember the button that opens the layer: for an entry of a menu, the menu's button.
    await page.evaluate(() =>
      document.addEventListener(
        'click',
        ({ target }) => {
          const menu = (target as Element).closest('[role=menu]');
          const opener = menu
            ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
            : (target as Element).closest('button');
          if (opener && !opener.closest('[role=dialog]')) Object.assign(window, { opener });
        },
        { capture: true },
      ),
    );
    await layer.open(page, market);
    const shown = page.locator('[role=dialog], [role=menu]').last();
    await shown.waitFor();
    const isInside = () => shown.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(isInside).toBe(true);
    if (!layer.name.startsWith('menu of the account')) {
      // Around both ends of the layer: forward from its last control, and backward from its first one.
      for (const [end, key] of [
        [-1, 'Tab'],
        [0, 'Shift+Tab'],
      ] as const) {
        await focusControl(page, end);
        for (let stop = 0; stop < 2; stop++) {
          await page.keyboard.press(key);
          expect(await isInside()).toBe(true);
        }
      }
    }
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement === Reflect.get(window, 'opener')))
      .toBe(true);
  },
);

/** Focuses a control of the top dialog that Tab reaches: its first one, or with -1 its last one. */
async function focusControl(shown: Page, index: 0 | -1): Promise<void> {
  await shown.evaluate((at) => {
    const controls = [
      ...([...document.querySelectorAll('[role=dialog]')]
        .at(-1)
        ?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]') ??
        []),
    ].filter(
      (control) => control.tabIndex >= 0 && !control.matches(':disabled') && control.checkVisibility(),
    );
    controls.at(at)!.focus();
  }, index);
}

// Proves A11Y-08
it('Escape closes only the top one of two open dialogs', async () => {
  await walkTo('/dashboard');
  await page
    .getByTestId('pending-approvals')
    .getByRole('button', { name: /Fresh coffee/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Reject Ad' }).click();
  const upper = page.getByRole('dialog', { name: 'Reject Ad' });
  await upper.waitFor();
  await page.keyboard.press('Escape');
  await upper.waitFor({ state: 'detached' });
  const lower = page.getByRole('dialog', { name: 'Review Ad Submission' });
  expect(await lower.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await lower.waitFor({ state: 'detached' });
});

// Proves A11Y-08
it('the focus moves to the main content when the button that opened the dialog is gone', async () => {
  await walkTo('/dashboard');
  const entries = page.getByTestId('pending-approvals').getByRole('listitem').getByRole('button');
  await entries.first().waitFor();
  const before = await entries.count();
  await entries.first().press('Enter');
  await page.getByRole('button', { name: 'Approve Ad' }).press('Enter');
  await expect.poll(() => entries.count()).toBe(before - 1);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const isInMain = () => page.evaluate(() => Boolean(document.activeElement?.closest('main')));
  await expect.poll(isInMain).toBe(true);
});

// Proves A11Y-08
it('a dialog that has closed leaves the focus where the user has put it in the meantime', async () => {
  await walkTo('/ad-zones');
  await page.getByRole('button', { name: 'Settings' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Zone Settings' });
  await dialog.waitFor();
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role=dialog]')) return;
      observer.disconnect();
      document.querySelector<HTMLElement>('nav[aria-label=Main] a')?.focus();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The dialog returns the focus in the next task.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await page.evaluate(() => document.activeElement?.closest('nav')?.ariaLabel)).toBe('Main');
});

// Proves A11Y-08
it('Escape closes the dialog and leaves a toast open that appeared over it', async () => {
  await walkTo('/ad-zones');
  await page.getByRole('button', { name: 'Settings' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Zone Settings' });
  await answer(page, '/api/ad-zones/*', { status: 422, json: { message: 'Not today' } });
  await dialog.getByRole('switch', { name: 'Active' }).press('Space');
  const toast = page.locator('[data-variant][data-state=open]');
  await toast.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await toast.count()).toBe(1);
  // When the toast has the focus, Escape closes the toast.
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect.poll(() => toast.count()).toBe(0);
});

// Proves A11Y-08
it('on a phone, a toast does not cover the header, and the header does not cover the focused control', async () => {
  await walkTo('/settings', 375);
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  const toast = toastTitled(page, 'Settings Updated');
  await toast.waitFor();
  const [banner, box] = [await page.getByRole('banner').boundingBox(), await toast.boundingBox()];
  expect(box?.y).toBeGreaterThan((banner?.y ?? 0) + (banner?.height ?? 0));

  await resize(page, { width: 375, height: 400 });
  await page.getByRole('switch').last().focus();
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press('Shift+Tab');
    const here = await focused(page);
    expect(here?.inView, `${here?.role} ${here?.name}`).toBe(true);
  }
  await leave(page);
});

// Proves A11Y-08
it('a visitor who is redirected while the page loads sees no focus ring, and one who presses a key does', async () => {
  const visitor = await suite.fixture.enter();
  await visitor.page.goto('/settings');
  await visitor.page.waitForURL('/auth');
  await expect.poll(() => tagOfFocus(visitor.page)).toBe('H1');
  expect((await focused(visitor.page))?.ring).toBe(false);
  await visitor.page.keyboard.press('Tab');
  expect(await focused(visitor.page)).toMatchObject({ role: 'tab', ring: true });
  await leave(visitor.page);
});

// Proves A11Y-08
it('the heading of the sign-in page gets the focus even when its script arrives late', async () => {
  const visitor = await suite.fixture.enter();
  await visitor.page.goto('/');
  await waitForAnimations(visitor.page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await visitor.page.route('**/assets/auth-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await visitor.page.getByRole('link', { name: 'Login' }).focus();
  await visitor.page.keyboard.press('Enter');
  await visitor.page.waitForURL('/auth');
  release();
  await visitor.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await expect.poll(() => tagOfFocus(visitor.page)).toBe('H1');
  await leave(visitor.page);
});
