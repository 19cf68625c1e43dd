/** Every dialog, menu and toast that opens over a page, and how to open it. */
import type { Page } from 'playwright-core';
import type { Market } from './world.ts';

export type Layer = {
  name: string;
  of: 'seller' | 'buyer' | 'newcomer';
  path: string;
  open: (page: Page, market: Market) => Promise<void>;
  narrow?: true;
};

const press = async (page: Page, name: string | RegExp) =>
  await page.getByRole('button', { name }).first().click();

const chooseInFirstMenu = async (page: Page, item: string) => {
  await press(page, /^More for/);
  await page.getByRole('menuitem', { name: item }).click();
};

const pressPending = async (page: Page, { ads }: Market) =>
  await page.getByTestId('pending-approvals').getByRole('button', { name: ads.pending.title }).last().click();

const NOON = '2026-11-21T12:00:00.000Z';

/** Every layer that `web/` can open. */
export const LAYERS: readonly Layer[] = [
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
    open: async (page, market) => {
      await pressPending(page, market);
      await page.getByRole('button', { name: 'Approve Ad' }).waitFor();
    },
  },
  {
    name: 'rejection, with its error',
    of: 'seller',
    path: '/dashboard',
    open: async (page, market) => {
      await pressPending(page, market);
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
      await chooseInFirstMenu(page, 'Settings');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Withdraw/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'new price of an option',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, 'Settings');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Change price/ })
        .first()
        .click();
    },
  },
  {
    name: 'own ad of a zone, with errors',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, 'Settings');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Add your own ad' }).click();
      await dialog.getByRole('button', { name: 'Save your ad' }).click();
      await dialog.locator('[aria-invalid]').first().waitFor();
    },
  },
  {
    name: 'edit of a website, with errors',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, /^Manage /);
      await page.getByRole('menuitem', { name: 'Edit website' }).click();
      await page.getByRole('dialog').getByLabel('Website name').fill('');
      await page.getByRole('dialog').getByRole('button', { name: 'Save Website' }).click();
      await page.locator('[aria-invalid]').first().waitFor();
    },
  },
  {
    name: 'look of a zone, with a corrected accent',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, 'Settings');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: 'Card' }).click();
      await dialog.getByLabel('Accent color').fill('#ff0000');
      await dialog.getByText('Too little contrast on dark pages.').waitFor();
    },
  },
  {
    name: 'code of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, /^Code for/);
      await page.getByRole('dialog').getByText('Waiting for the tag…').waitFor();
    },
  },
  {
    name: 'menu of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => await press(page, /^More for/),
  },
  {
    name: 'calendar of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await chooseInFirstMenu(page, 'Calendar & Slots');
      await page.locator('[data-day]').first().waitFor();
    },
  },
  {
    name: 'ownership of a website',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await press(page, /^(?:Verify|Ownership of) /);
      await page.getByRole('button', { name: 'Copy Meta tag' }).waitFor();
    },
  },
  {
    name: 'delivery of a campaign',
    of: 'buyer',
    path: '/dashboard',
    open: async (page, { ads }) => {
      await page.getByTestId('my-campaigns').getByRole('button', { name: ads.active.title }).first().click();
      await page.getByRole('dialog').getByRole('slider').waitFor();
    },
  },
  {
    name: 'cancel a campaign',
    of: 'buyer',
    path: '/dashboard',
    open: async (page) => {
      await page.getByTestId('my-campaigns').getByRole('button', { name: 'Cancel campaign' }).first().click();
      await page.getByTestId('refund-amount').waitFor();
    },
  },
  {
    name: 'why an ad is not showing',
    of: 'buyer',
    path: '/dashboard',
    open: async (page) => {
      const live = page
        .getByRole('row')
        .filter({ has: page.getByText('Live', { exact: true }) })
        .first();
      await live.getByRole('button', { name: 'Not showing?' }).click();
      await page.getByRole('dialog').getByText('Your ad can be shown').waitFor();
    },
  },
  {
    name: 'what is shown in a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await chooseInFirstMenu(page, 'What’s showing?');
      await page.getByRole('dialog').getByText('Waiting for your approval').first().waitFor();
    },
  },
  {
    name: 'test of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => {
      await chooseInFirstMenu(page, 'Test my zone');
      await page.getByRole('dialog').getByText('Viewable after').waitFor();
    },
  },
  {
    name: 'what the publisher’s zones show',
    of: 'seller',
    path: '/dashboard',
    open: async (page) => {
      await press(page, 'Why is an ad not showing?');
      await page.getByRole('dialog').getByText('Waiting for your approval').first().waitFor();
    },
  },
  {
    name: 'deletion of a zone',
    of: 'seller',
    path: '/ad-zones',
    open: async (page) => await chooseInFirstMenu(page, 'Delete'),
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
      await press(page, 'Sign out everywhere else');
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

/** The path of the page that the layer opens over, with the ads of this market. */
export function pathOf({ path }: Layer, { ads }: Market): string {
  return path
    .replace('TEXT', ads.rejected.publicId)
    .replace('IMAGE', ads.rejectedImage.publicId)
    .replace('AD', ads.approved.publicId);
}
