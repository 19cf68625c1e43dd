/** Where the focus is: after a navigation, in a dialog or menu and after it closes, and beside a toast. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { focused } from './support/keyboard.ts';
import { LAYERS, pathOf, type Layer } from './support/layers.ts';
import { answer, toastTitled } from './support/people.ts';
import { waitForAnimations, openScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';
import { furnish, type Market } from './support/world.ts';
import { leave } from './support/person.ts';

const suite = useFixture();
let seller: Client;
let buyer: Client;
let market: Market;

beforeAll(async () => {
  [seller, buyer] = [await suite.client('seller'), await suite.client('buyer')];
  market = await furnish(seller, buyer);
});

async function enter({ cookie }: { cookie: string }, width = 1280): Promise<Page> {
  const { context, page } = await suite.fixture.enter({ width });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  if (name) await context.addCookies([{ name, value, url: suite.fixture.server.url }]);
  return page;
}

const tagOfFocus = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? '');

// Proves A11Y-08, A11Y-10
it('a navigation moves the focus to the heading of the new page, and Back to the heading of the previous one', async () => {
  const page = await enter(await suite.client('both'));
  await page.goto('/');
  await waitForAnimations(page);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Marketplace', 'Create Ad', 'Ad Zones', 'Dashboard', 'Demo']) {
    await navigation.getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.title()).toContain(name === 'Ad Zones' ? 'My Ad Zones' : name);
    await expect.poll(() => tagOfFocus(page)).toBe('H1');
    // The focus ring is visible after a key press.
    expect((await focused(page))?.ring).toBe(true);
  }
  await page.goBack();
  await expect.poll(() => page.title()).toContain('Dashboard');
  await expect.poll(() => tagOfFocus(page)).toBe('H1');
  await leave(page);
});

// Proves A11Y-08
it('a visitor who is redirected while the page loads sees no focus ring, and one who presses a key does', async () => {
  const page = await enter({ cookie: '' });
  await page.goto('/settings');
  await page.waitForURL('/auth');
  await expect.poll(() => tagOfFocus(page)).toBe('H1');
  expect((await focused(page))?.ring).toBe(false);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatchObject({ role: 'tab', ring: true });
  await leave(page);
});

// Proves A11Y-08
it('the heading of the sign-in page gets the focus even when its script arrives late', async () => {
  const page = await enter({ cookie: '' });
  await page.goto('/');
  await waitForAnimations(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/auth-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Login' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('/auth');
  release();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await expect.poll(() => tagOfFocus(page)).toBe('H1');
  await leave(page);
});

// Proves A11Y-08, A11Y-10
it('the skip link is the first tab stop, is visible, and skips the menu', async () => {
  const page = await enter(buyer);
  for (const path of ['/marketplace', '/settings']) {
    await page.goto(path);
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
  }
  await leave(page);
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
    const page = await enter(layer.of === 'seller' ? seller : buyer, layer.narrow ? 375 : 1280);
    await openScreen(page, { name: layer.name, path: pathOf(layer, market) });
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
      for (let stop = 0; stop < 25; stop++) {
        await page.keyboard.press('Tab');
        expect(await isInside()).toBe(true);
      }
    }
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement === Reflect.get(window, 'opener')))
      .toBe(true);
    await leave(page);
  },
);

// Proves A11Y-08
it('the focus moves to the main content when the button that opened the dialog is gone', async () => {
  const own = await suite.client('seller');
  await furnish(own, buyer);
  const page = await enter(own);
  await page.goto('/dashboard');
  const entries = page.getByTestId('pending-approvals').getByRole('listitem').getByRole('button');
  await entries.first().waitFor();
  const before = await entries.count();
  await entries.first().press('Enter');
  await page.getByRole('button', { name: 'Approve Ad' }).press('Enter');
  await expect.poll(() => entries.count()).toBe(before - 1);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  await leave(page);
});

// Proves A11Y-08
it('Escape closes the dialog and leaves a toast open that appeared over it', async () => {
  const page = await enter(seller);
  await page.goto('/ad-zones');
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
  await leave(page);
});

// Proves A11Y-08
it('Escape closes only the top one of two open dialogs', async () => {
  const page = await enter(seller);
  await page.goto('/dashboard');
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
  expect(await page.getByRole('dialog', { name: 'Review Ad Submission' }).isVisible()).toBe(true);
  await leave(page);
});

// Proves A11Y-08
it('the 3-D Secure dialog opens with the focus where Enter and Escape decide nothing', async () => {
  const page = await enter(buyer);
  const challenge = LAYERS.find(({ name }) => name === 'challenge of a card');
  if (!challenge) throw new Error('There is no challenge');
  await openScreen(page, { name: 'checkout', path: pathOf(challenge, market) });
  await challenge.open(page, market);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog', { name: 'Confirm your payment' }).isVisible()).toBe(true);
  await leave(page);
});

// Proves A11Y-08
it('on a phone, a toast does not cover the header, and the header does not cover the focused control', async () => {
  const page = await enter(buyer, 375);
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  const toast = toastTitled(page, 'Settings Updated');
  await toast.waitFor();
  const [banner, box] = [await page.getByRole('banner').boundingBox(), await toast.boundingBox()];
  expect(box?.y).toBeGreaterThan((banner?.y ?? 0) + (banner?.height ?? 0));

  await page.setViewportSize({ width: 375, height: 400 });
  await page.getByRole('switch').last().focus();
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press('Shift+Tab');
    const here = await focused(page);
    expect(here?.inView, `${here?.role} ${here?.name}`).toBe(true);
  }
  await leave(page);
});
