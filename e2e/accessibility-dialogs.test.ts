/** Every dialog, menu and toast, opened from where people open it, in both themes and on the smallest screen. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways, spaceText, unspaceText } from './support/layout.ts';
import { changeUser } from './support/people.ts';
import { calm, openScreen } from './support/screens.ts';
import { useStage } from './support/use-stage.ts';
import { furnish, type Market } from './support/world.ts';

const house = useStage();
let seller: Client;
let buyer: Client;
let market: Market;

beforeAll(async () => {
  [seller, buyer] = [await house.client('seller'), await house.client('buyer')];
  market = await furnish(seller, buyer);
});

type Layer = {
  name: string;
  of: 'seller' | 'buyer' | 'newcomer';
  path: string;
  open: (page: Page) => Promise<void>;
  narrow?: true;
};

const press = async (page: Page, name: string | RegExp) =>
  await page.getByRole('button', { name }).first().click();

/** The dashboard's report names the same ads. */
const openPending = async (page: Page) =>
  await page
    .getByTestId('pending-approvals')
    .getByRole('button', { name: /Fresh coffee/ })
    .first()
    .click();

const NOON = '2026-11-21T12:00:00.000Z';

/** Every one that `web/` can open. */
const LAYERS: readonly Layer[] = [
  {
    name: 'menu of the account',
    of: 'buyer',
    path: '/',
    open: async (page) => await press(page, 'Account'),
  },
  {
    name: 'menu of the phone',
    of: 'buyer',
    path: '/',
    narrow: true,
    open: async (page) => await press(page, 'Open menu'),
  },
  {
    name: 'role',
    of: 'newcomer',
    path: '/',
    open: async (page) => await page.getByRole('dialog').waitFor(),
  },
  {
    name: 'review',
    of: 'seller',
    path: '/dashboard',
    open: async (page) => {
      await openPending(page);
      await page.getByRole('button', { name: 'Approve Ad' }).waitFor();
    },
  },
  {
    name: 'rejection, with its error',
    of: 'seller',
    path: '/dashboard',
    open: async (page) => {
      await openPending(page);
      await press(page, 'Reject Ad');
      await page
        .getByRole('dialog', { name: 'Reject Ad' })
        .getByRole('button', { name: 'Reject Ad' })
        .click();
      await page.getByText('Please provide a reason for rejection').waitFor();
    },
  },
  {
    name: 'edit of a text ad, with an error',
    of: 'buyer',
    path: '/dashboard?editAd=TEXT',
    open: async (page) => {
      await page.getByLabel('Title').fill('');
      await press(page, 'Update & Resubmit');
      await page.getByText('Title is required').waitFor();
    },
  },
  {
    name: 'edit of an image ad',
    of: 'buyer',
    path: '/dashboard?editAd=IMAGE',
    open: async (page) => await page.getByLabel('Title').waitFor(),
  },
  {
    name: 'media library over the edit',
    of: 'buyer',
    path: '/dashboard?editAd=IMAGE',
    open: async (page) => {
      await press(page, 'Choose from Media Library');
      await page.getByRole('button', { name: /\.png/ }).first().click();
    },
  },
  {
    name: 'media library, upload',
    of: 'buyer',
    path: '/dashboard?editAd=IMAGE',
    open: async (page) => {
      await press(page, 'Choose from Media Library');
      await page.getByRole('tab', { name: 'Upload New' }).click();
    },
  },
  {
    name: 'new website, with errors',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, 'Add Website');
      await page.getByRole('dialog').getByRole('button', { name: 'Add Website' }).click();
      await page.locator('[aria-invalid]').first().waitFor();
    },
  },
  {
    name: 'new zone, with errors',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, 'Create Ad Zone');
      await page.getByRole('dialog').getByRole('button', { name: 'Create Ad Zone' }).click();
      await page.getByText('Please select a website first').waitFor();
    },
  },
  {
    name: 'settings of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, 'Settings');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Withdraw/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'deletion of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => await press(page, 'Delete'),
  },
  {
    name: 'deletion of the account',
    of: 'seller',
    path: '/settings',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Privacy' }).click();
      await press(page, 'Delete Account');
    },
  },
  {
    name: 'end of all other sessions',
    of: 'buyer',
    path: '/settings',
    open: async (page) => {
      const session = { device: 'Firefox on Windows', startedAt: NOON, lastUsedAt: NOON };
      await page.route('**/api/user/sessions', (route) =>
        route.fulfill({
          json: [
            { ...session, id: crypto.randomUUID(), isCurrent: true },
            { ...session, id: crypto.randomUUID(), isCurrent: false },
          ],
        }),
      );
      await page.getByRole('tab', { name: 'Security' }).click();
      await press(page, 'End all others');
    },
  },
  {
    name: 'challenge of a card',
    of: 'buyer',
    path: '/checkout/AD',
    open: async (page) => {
      await page.getByLabel('Card number').fill('4000 0000 0000 3220');
      await page.getByLabel('Expiry').fill('12 / 40');
      await page.getByLabel('CVC').fill('123');
      await page.getByLabel('Name on card').fill('Abe Ads');
      await press(page, /^Pay/);
      await page.getByRole('dialog', { name: 'Confirm your payment' }).waitFor();
    },
  },
  {
    name: 'toast',
    of: 'buyer',
    path: '/settings',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Notifications' }).click();
      await page.getByRole('switch', { name: 'Marketing emails' }).click();
      await page.getByText('Settings Updated').first().waitFor();
    },
  },
  {
    name: 'toast of a failure',
    of: 'buyer',
    path: '/settings',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Notifications' }).click();
      await page.route('**/api/user/settings', (route) =>
        route.fulfill({ status: 422, json: { message: 'No' } }),
      );
      await page.getByRole('switch', { name: 'Marketing emails' }).click();
      await page.getByText('Update Failed').first().waitFor();
    },
  },
];

async function enter({ of, narrow }: Layer): Promise<Page> {
  const { browser, server } = house.stage;
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: narrow ? 375 : 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  const { cookie } = of === 'seller' ? seller : buyer;
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  if (of === 'newcomer') await changeUser(page, { hasCompletedOnboarding: false });
  return page;
}

it.each(LAYERS.map((layer) => [layer.name, layer] as const))(
  'A11Y-02 A11Y-05 A11Y-06 nothing is wrong with: %s',
  async (_name, layer) => {
    const page = await enter(layer);
    const found: string[] = [];
    const { ads } = market;
    const path = layer.path
      .replace('TEXT', ads.rejected.publicId)
      .replace('IMAGE', ads.rejectedImage.publicId)
      .replace('AD', ads.approved.publicId);
    await openScreen(page, { name: layer.name, path });
    await layer.open(page);
    const shown = page.locator('[role=dialog], [role=menu], [data-variant]').last();
    await shown.waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await calm(page);
      for (const finding of await axeFindings(page)) found.push(`${colorScheme}: ${finding}`);
    }
    for (const [width, height] of [
      [320, 640],
      [640, 450],
    ] as const) {
      await resize(page, { width, height });
      for (const spaced of [false, true]) {
        if (spaced) await spaceText(page);
        const when = `${width}x${height}${spaced ? ', wide text' : ''}`;
        for (const finding of [
          ...(await sideways(page)),
          ...(await lostText(page)),
          ...(await outside(shown)),
        ])
          found.push(`${when}: ${finding}`);
        if (spaced) await unspaceText(page);
      }
    }
    await page.context().close();
    expect(found).toEqual([]);
  },
);

/** A layer stands within the window, and nothing in it is wider than it. */
async function outside(layer: ReturnType<Page['locator']>): Promise<string[]> {
  // A menu that the change of size closed is not to be seen at all.
  if (!(await layer.isVisible())) return [];
  return await layer.evaluate((element) => {
    const found: string[] = [];
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
      found.push('beyond the window');
    for (const part of [element, ...element.querySelectorAll('*')]) {
      const { overflowX } = getComputedStyle(part);
      // Rows of tabs scroll by design, as everything with a tab stop of its own may.
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
