import type { Page } from 'playwright-core';
import { hasBuyerAccess, hasSellerAccess, type Role } from '#domain/accounts/roles.ts';
import { changeUser } from './people.ts';
import type { Market } from './world.ts';

/** A view of the application, and how to open it. */
export type Screen = {
  name: string;
  path: string;
  /** Runs after the page has loaded. */
  step?: (page: Page) => Promise<void>;
};

const pressTab = (name: string) => async (page: Page) => await page.getByRole('tab', { name }).click();

const SETTINGS_TABS = ['Profile', 'Business', 'Notifications', 'Billing', 'Security', 'Privacy'];

/** The screens that a visitor can open. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { name: 'landing', path: '/' },
  { name: 'sign in', path: '/auth' },
  { name: 'sign up', path: '/auth?tab=signup' },
  { name: 'verify by link', path: '/auth?verify=abc' },
  { name: 'restore by link', path: '/auth?restore=abc' },
  { name: 'reset by a link that is over', path: '/auth?reset=0123456789012345678901' },
  {
    name: 'forgot',
    path: '/auth',
    step: async (page) => await page.getByRole('button', { name: 'Forgot your password?' }).click(),
  },
  { name: 'demo', path: '/demo' },
];

/** The screens that a user of this role can open, with the ads of `market` if it is given. */
export function screensOf(role: Role, market?: Market): Screen[] {
  const screens: Screen[] = [
    { name: 'home', path: '/' },
    { name: 'demo', path: '/demo' },
    { name: 'not found', path: '/nope' },
    { name: 'checkout of nothing', path: '/checkout/nothing' },
    { name: 'transactions', path: '/transactions' },
    { name: 'marketplace', path: '/marketplace' },
    { name: 'marketplace, nothing found', path: '/marketplace?search=zzzz' },
    { name: 'wizard, step 1', path: '/create-ad' },
    { name: 'wizard, step 2', path: '/create-ad?type=text&step=2' },
    { name: 'ad zones', path: '/ad-zones' },
    ...SETTINGS_TABS.map((tab) => ({ name: `settings, ${tab}`, path: '/settings', step: pressTab(tab) })),
    {
      name: 'settings, an address to confirm',
      path: '/settings',
      step: async (page) => {
        await changeUser(page, { isEmailVerified: false, previousEmail: 'before@example.test' });
        await page.reload();
        await page.getByRole('button', { name: 'Undo the change' }).waitFor();
      },
    },
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
    const { website, zone, products, ads } = market;
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
    );
  }
  return screens;
}

/** The screens that look the same in every role. */
const ALIKE_FOR_ALL =
  /^(demo|not found|checkout of nothing|marketplace, nothing found|settings, (Business|Notifications|Security|Privacy|an address to confirm))$/;

/** Screens that show a buyer what they show a person with both roles. */
const ALIKE_FOR_BUYERS =
  /^(wizard, (step 2|a place chosen|text|image|video)|checkout( of what is paid)?|ledger)$/;

/** The screens that look different to this role than to a person with both roles, who sees all of them. */
export function ownScreens(role: 'buyer' | 'seller', screens: readonly Screen[]): Screen[] {
  return screens.filter(
    ({ name }) => !ALIKE_FOR_ALL.test(name) && !(role === 'buyer' && ALIKE_FOR_BUYERS.test(name)),
  );
}

/** The screens that show a new account something else than an account with data. */
export function newScreens(role: Role): Screen[] {
  return screensOf(role).filter(({ name }) => !/^(settings|demo|not found|checkout)/.test(name));
}

export async function openScreen(page: Page, { path, step }: Screen): Promise<void> {
  await page.goto(path);
  await calm(page);
  if (!step) return;
  await step(page);
  await calm(page);
}

/** Waits until the page shows all its data and images, and no animation runs. */
export async function calm(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor();
  await page.waitForFunction(
    () =>
      // The page below an open dialog may still be loading.
      !([...document.querySelectorAll('[role=dialog]')].at(-1) ?? document).querySelector(
        '.animate-pulse, .animate-spin',
      ) &&
      ![...document.querySelectorAll('.figures')].some(({ textContent }) => textContent === '...') &&
      document.getAnimations().every(({ playState }) => playState !== 'running') &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  );
}
