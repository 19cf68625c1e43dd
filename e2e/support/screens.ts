import type { Page } from 'playwright-core';
import { hasBuyerAccess, hasSellerAccess, type Role } from '#domain/accounts/roles.ts';
import { changeUser, pathOf } from './people.ts';
import type { Market } from './world.ts';

/** A view of the application, and how to open it. */
export type Screen = {
  name: string;
  path: string;
  /** Runs after the page has loaded. */
  step?: (page: Page) => Promise<void>;
};

const pressTab = (name: string) => async (page: Page) => await page.getByRole('tab', { name }).click();

/** A selector of every dialog, menu and toast. */
export const LAYER = '[role=dialog], [role=menu], [data-variant]';

/** An address without a page. */
const NOWHERE = '/nope';

const SETTINGS_TABS = ['Profile', 'Business', 'Notifications', 'Billing', 'Members', 'Security', 'Privacy'];

/** The screens that a visitor can open. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { name: 'landing', path: '/' },
  { name: 'sign in', path: '/auth' },
  { name: 'sign up', path: '/auth?tab=signup' },
  { name: 'verify by link', path: '/auth?verify=abc' },
  { name: 'reset by a link that is over', path: '/auth?reset=0123456789012345678901' },
  {
    name: 'forgot',
    path: '/auth',
    step: async (page) => await page.getByRole('button', { name: 'Forgot your password?' }).click(),
  },
  { name: 'demo', path: '/demo' },
  { name: 'join an account', path: '/join?token=abc' },
];

/** The screens that a user of this role can open, with the ads of `market` if it is given. */
export function screensOf(role: Role, market?: Market): Screen[] {
  const screens: Screen[] = [
    { name: 'home', path: '/' },
    { name: 'demo', path: '/demo' },
    { name: 'not found', path: NOWHERE },
    { name: 'checkout of nothing', path: '/checkout/nothing' },
    { name: 'transactions', path: '/transactions' },
    { name: 'earnings', path: '/earnings' },
    { name: 'results', path: '/results' },
    { name: 'billing', path: '/billing' },
    { name: 'marketplace', path: '/marketplace' },
    { name: 'marketplace, nothing found', path: '/marketplace?search=zzzz' },
    { name: 'wizard, step 1', path: '/create-ad' },
    { name: 'wizard, step 2', path: '/create-ad?type=text&step=2' },
    { name: 'marketplace, table', path: '/marketplace?view=table' },
    { name: 'ad zones', path: '/ad-zones' },
    { name: 'plans', path: '/plans' },
    { name: 'plan of nothing', path: '/plans/nothing' },
    { name: 'new plan, empty', path: '/plans/new' },
    { name: 'accounts', path: '/accounts' },
    { name: 'join by an incomplete link', path: '/join' },
    ...SETTINGS_TABS.map((tab) => ({ name: `settings, ${tab}`, path: '/settings', step: pressTab(tab) })),
  ];
  if (hasSellerAccess(role)) screens.push({ name: 'dashboard', path: '/dashboard' });
  if (hasBuyerAccess(role)) {
    screens.push({
      name: 'buyer dashboard',
      path: '/dashboard?payment=success',
      step: pressTab('Buyer Dashboard'),
    });
  }
  if (market && hasBuyerAccess(role)) {
    const { website, zone, products, plan, ads } = market;
    const wizard = `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
    screens.push(
      { name: 'wizard, a place chosen', path: wizard },
      ...(['text', 'image', 'video'] as const).map((type) => ({
        name: `wizard, ${type}`,
        path: `${wizard}&type=${type}&option=${products[type].id}&step=3`,
      })),
      { name: 'checkout', path: `/checkout/${ads.approved.publicId}` },
      { name: 'checkout of what is paid', path: `/checkout/${ads.active.publicId}` },
      { name: 'ledger', path: `/ledger/${ads.active.id}` },
      { name: 'plan', path: `/plans/${plan}` },
      { name: 'new plan', path: `/plans/new?zones=${website.publicId}` },
      {
        name: 'new plan, image',
        path: `/plans/new?zones=${website.publicId}`,
        step: async (page) => await page.getByRole('button', { name: 'Image', exact: true }).click(),
      },
    );
  }
  // The last one, because its changed user stays.
  screens.push({
    name: 'settings, an address to confirm',
    path: '/settings',
    step: async (page) => {
      await changeUser(page, { isEmailVerified: false, previousEmail: 'before@example.test' });
      await page.reload();
      await page.getByRole('button', { name: 'Undo the change' }).waitFor();
    },
  });
  return screens;
}

/**
 * The screens on which this role sees other parts than a person with both roles does. The elements of all other screens,
 * with their classes and those of their parents, are also on a screen of role both, with data or without.
 */
const OWN = {
  buyer: /^(home|transactions|ad zones|buyer dashboard)$/,
  seller: /^(home|marketplace|settings, Billing|dashboard)$/,
};

/** The screens that look different to this role than to a person with both roles, who sees all of them. */
export function ownScreens(role: 'buyer' | 'seller', market: Market): Screen[] {
  return screensOf(role, market).filter(({ name }) => OWN[role].test(name));
}

/** The screens on which a new account has elements that no account with data has. */
export function newScreens(): Screen[] {
  return screensOf('both').filter(({ name }) => /^(ad zones|(buyer )?dashboard)$/.test(name));
}

export async function openScreen(page: Page, { path, step }: Screen): Promise<void> {
  await page.goto(path);
  await finish(page, step);
}

/**
 * Opens a screen of the person whose application runs in the page, as a link does. This takes a third of the processor
 * time of a load. Goes by the page of an unknown address, so that nothing of the screen before is left, not even if it has
 * the same address. Loads the screen if the page has no application yet, or if a dialog or toast stays open.
 */
export async function walkToScreen(page: Page, { path, step }: Screen): Promise<void> {
  // A tab of the page that is shown.
  if (step && pathOf(page) === path && !(await hasLayer(page))) return await finish(page, step);
  if (!(await leaveScreen(page))) return await openScreen(page, { name: '', path, step });
  if (path !== NOWHERE) {
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.getByRole('heading', { name: 'Page Not Found' }).waitFor({ state: 'detached' });
  }
  await finish(page, step);
}

/** Returns whether an empty page of the application is shown. */
async function leaveScreen(page: Page): Promise<boolean> {
  // A toast stays when the page changes, so the next screen has to be loaded.
  const canWalk = await page.evaluate(
    () => document.querySelector('#root main') !== null && !document.querySelector('[data-variant]'),
  );
  if (!canWalk) return false;
  await page.evaluate((nowhere) => {
    history.pushState(null, '', nowhere);
    // The movements of the screen before have been read (layout.ts).
    if ('moved' in window && Array.isArray(window.moved)) window.moved.length = 0;
  }, NOWHERE);
  await page.getByRole('heading', { name: 'Page Not Found', includeHidden: true }).waitFor();
  return !(await hasLayer(page));
}

async function hasLayer(page: Page): Promise<boolean> {
  return (await page.locator(LAYER).count()) > 0;
}

async function finish(page: Page, step: Screen['step']): Promise<void> {
  await waitForAnimations(page);
  if (!step) return;
  await step(page);
  await waitForAnimations(page);
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
