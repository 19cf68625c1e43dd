import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { approveAd, getAdDetails, listPendingAds } from '#domain/ads/contract.ts';
import { getCalendar } from '#domain/ads/booking-contract.ts';
import { updateZone } from '#domain/inventory/contract.ts';
import { answerSettings, answerTabs } from '#web/testing/account.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { press, see } from '#web/testing/look.ts';
import { makeAd, makeProduct, makeSubmission, makeWebsite, makeZone } from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { answerAdZones, answerSellerDashboard } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const dialog = (name?: string) => page.getByRole('dialog', name ? { name } : {});
const button = (name: string | RegExp) => page.getByRole('button', { name });
const gone = async (locator: Locator) => await expect.element(locator).not.toBeInTheDocument();
const openToasts = () => document.querySelectorAll('[data-variant][data-state=open]').length;
const boxOf = (locator: Locator) => locator.element().getBoundingClientRect();

async function openAdZones(): Promise<void> {
  answerAdZones({ websites: [makeWebsite()], zones: [makeZone()], products: [makeProduct()] });
  answer(getCalendar, { timezone: 'UTC', slots: null, nextFreeDay: null, days: [] });
  await openPage('/ad-zones', { as: person('seller') });
  await see(page.getByRole('article', { name: 'Sidebar' }));
}

/** Opens the dashboard of a publisher for whom an ad waits, and its review with the keyboard. */
async function openReview(): Promise<void> {
  answerSellerDashboard([makeSubmission()]);
  answer(getAdDetails, makeSubmission());
  await openPage('/dashboard', { as: person('seller') });
  await press(button(/Fresh coffee/));
  await see(button('Approve Ad'));
}

async function openSettings(tab: string): Promise<void> {
  answerNewAccount();
  answerTabs();
  answerSettings();
  await openPage(`/settings?tab=${tab}`, { as: person('both') });
}

/** Presses the page beside the dialog. */
const pressBeside = () =>
  userEvent.click(document.documentElement, { position: { x: 5, y: 300 }, force: true });

afterEach(async () => {
  await page.viewport(1280, 900);
});

describe('the Back of a phone', () => {
  const add = () => dialog('Add Website');
  const open = async () => {
    await button('Add Website').click();
    await see(add());
  };
  const isOnPage = () => window.location.pathname === '/ad-zones';

  it('closes a dialog and stays on the page, and leaves the page once none is open', async () => {
    await page.viewport(375, 800);
    window.history.pushState(null, '', '/demo');
    window.history.pushState(null, '', '/');
    await openAdZones();
    for (const close of [
      async () => window.history.back(),
      async () => await userEvent.keyboard('{Escape}'),
    ]) {
      await open();
      await close();
      await gone(add());
      expect(isOnPage()).toBe(true);
    }
    await open();
    await add().getByLabelText('Website name', { exact: false }).fill('Typed');
    window.history.back();
    await see(add().getByRole('alertdialog', { name: 'Discard what you typed?' }));
    await button('Discard').click();
    await gone(add());
    // The dialogs have left no entries behind.
    await expect.poll(() => window.history.state).toBeNull();
    window.history.back();
    await expect.poll(() => window.location.pathname).toBe('/demo');
  });

  it('closes the menu', async () => {
    await page.viewport(375, 800);
    await openAdZones();
    await button('Open menu').click();
    await see(dialog('Menu'));
    window.history.back();
    await gone(dialog('Menu'));
    expect(isOnPage()).toBe(true);
  });

  it('is that of the page on a wide screen, as everywhere', async () => {
    window.history.pushState(null, '', '/demo');
    window.history.pushState(null, '', '/');
    await openAdZones();
    await open();
    window.history.back();
    await expect.poll(() => window.location.pathname).toBe('/demo');
  });
});

describe('a dialog with typed text', () => {
  const add = () => dialog('Add Website');
  const name = () => add().getByLabelText('Website name', { exact: false });
  const open = async () => {
    await button('Add Website').click();
    await see(add());
  };
  const question = () => add().getByRole('alertdialog', { name: 'Discard what you typed?' });

  it('asks before Escape or a press beside it, and an untouched one closes at once', async () => {
    await openAdZones();
    for (const leave of [pressBeside, () => userEvent.keyboard('{Escape}')]) {
      await open();
      await leave();
      await gone(add());
    }
    await open();
    await name().fill('Typed');
    for (const leave of [pressBeside, () => userEvent.keyboard('{Escape}')]) {
      await leave();
      await see(question());
      await expect.element(button('Keep editing')).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await gone(question());
      await expect.element(name()).toHaveValue('Typed');
      await expect.element(name()).toHaveFocus();
    }
    await pressBeside();
    await press(question().getByRole('button', { name: 'Discard' }));
    await gone(add());
    await open();
    await expect.element(name()).toHaveValue('');
  });

  it('asks about text that a reload has restored, too', async () => {
    await openAdZones();
    await open();
    await name().fill('Typed');
    const kept = Object.entries(sessionStorage);
    closeScreen();
    for (const [key, value] of kept) sessionStorage.setItem(key, String(value));
    await openAdZones();
    await open();
    await expect.element(name()).toHaveValue('Typed');
    await pressBeside();
    await press(question().getByRole('button', { name: 'Discard' }));
    await gone(add());
    await open();
    await expect.element(name()).toHaveValue('');
  });
});

it('on the smallest phone, a toast covers no dialog, goes after a success, and the highest price fits', async () => {
  await page.viewport(320, 568);
  answerAdZones({
    websites: [makeWebsite()],
    zones: [makeZone()],
    products: [makeProduct({ price: '999999.99' })],
  });
  await openPage('/ad-zones', { as: person('seller') });
  await button('More for Sidebar').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = dialog('Zone Settings');
  await see(settings.getByRole('switch', { name: 'Active' }));
  const wide = [document.documentElement, ...document.querySelectorAll('[role=dialog] *')]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
    .map((element) => element.getAttribute('class') ?? '');
  expect(wide.filter((classes) => !/sr-only|overflow/.test(classes))).toEqual([]);

  answer(updateZone, refused(422, 'Not today'));
  const active = settings.getByRole('switch', { name: 'Active' });
  await active.click();
  const toast = () => document.querySelector('[data-variant][data-state=open]');
  await expect.poll(() => toast()?.textContent).toContain('Not today');
  await expect
    .poll(() => {
      const box = boxOf(settings);
      return box.top >= 0 && box.bottom <= (toast()?.getBoundingClientRect().top ?? 0);
    })
    .toBe(true);

  answer(updateZone, makeZone({ isActive: false }));
  await active.click();
  await expect.poll(() => toast()?.textContent ?? '').not.toContain('Not today');
});

/** Layers with the button that opens them, how they open from there, and whether they are menus, whose Tab key leaves. */
const LAYERS: [name: string, open: () => Promise<void>, opener: () => Locator, then?: () => Promise<void>][] =
  [
    [
      'review',
      async () => {
        answerSellerDashboard([makeSubmission()]);
        answer(getAdDetails, makeSubmission());
        await openPage('/dashboard', { as: person('seller') });
      },
      () => button(/Fresh coffee/),
      async () => await see(button('Approve Ad')),
    ],
    [
      'new website, with errors',
      openAdZones,
      () => button('Add Website'),
      async () => {
        await dialog().getByRole('button', { name: 'Add Website' }).click();
        await see(dialog().getByText('Website name is required'));
      },
    ],
    ['settings of an ad zone', openAdZones, () => button(/Settings$/).first()],
    [
      'deletion of an ad zone',
      openAdZones,
      () => button('More for Sidebar'),
      async () => await press(page.getByRole('menuitem', { name: 'Delete' })),
    ],
    ['deletion of the account', () => openSettings('privacy'), () => button('Delete Account')],
    [
      'menu of a phone',
      async () => {
        await page.viewport(375, 900);
        await openSettings('profile');
      },
      () => button('Open menu'),
    ],
  ];

/** The controls of the top dialog that Tab reaches. */
const stops = () =>
  [
    ...([...document.querySelectorAll('[role=dialog]')]
      .at(-1)
      ?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]') ?? []),
  ].filter((control) => control.tabIndex >= 0 && !control.matches(':disabled') && control.checkVisibility());

it.each(LAYERS)(
  'this layer takes the focus, keeps it, and returns it to its opener: %s',
  async (_, open, opener, then) => {
    await open();
    await press(opener());
    await then?.();
    await see(dialog().last());
    const isInside = () => dialog().last().element().contains(document.activeElement);
    await expect.poll(isInside).toBe(true);
    // Around both ends of the layer: forward from its last control, and backward from its first one.
    for (const [end, key] of [
      [-1, '{Tab}'],
      [0, '{Shift>}{Tab}{/Shift}'],
    ] as const) {
      stops().at(end)!.focus();
      for (let stop = 0; stop < 2; stop++) {
        await userEvent.keyboard(key);
        expect(isInside()).toBe(true);
      }
    }
    await userEvent.keyboard('{Escape}');
    await gone(dialog());
    await expect.element(opener()).toHaveFocus();
  },
);

it('a menu takes the focus, and returns it to its button', async () => {
  await openSettings('profile');
  await press(button(/^Account/));
  const menu = page.getByRole('menu');
  await see(menu);
  await expect.poll(() => menu.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await gone(menu);
  await expect.element(button(/^Account/)).toHaveFocus();
});

it('Escape closes only the top one of two open dialogs', async () => {
  await openReview();
  await button('Reject Ad').click();
  await see(dialog('Reject Ad'));
  await userEvent.keyboard('{Escape}');
  await gone(dialog('Reject Ad'));
  await see(dialog('Review Ad Submission'));
  await userEvent.keyboard('{Escape}');
  await gone(dialog());
});

it('the focus moves to the main content when the button that opened the dialog is gone', async () => {
  await openReview();
  answer(approveAd, makeAd({ status: 'approved' }));
  answer(listPendingAds, []);
  await press(button('Approve Ad'));
  await gone(button(/Fresh coffee/));
  await gone(dialog());
  await expect.poll(() => document.activeElement?.closest('main') !== null).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});

/** Opens the settings of the ad zone by keyboard. */
async function openZoneSettings(): Promise<Locator> {
  await openAdZones();
  await press(button(/Settings$/).first());
  await see(dialog('Zone Settings'));
  return dialog('Zone Settings');
}

it('a dialog that has closed leaves the focus where the user has put it in the meantime', async () => {
  const settings = await openZoneSettings();
  const link = document.querySelector<HTMLElement>('nav[aria-label=Main] a')!;
  new MutationObserver((_, observer) => {
    if (document.querySelector('[role=dialog]')) return;
    observer.disconnect();
    link.focus();
  }).observe(document.body, { childList: true, subtree: true });
  await settings.getByRole('button', { name: 'Close' }).click();
  await gone(settings);
  // The dialog returns the focus in the next task.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.activeElement).toBe(link);
});

it('Escape closes the dialog and leaves a toast open that appeared over it', async () => {
  const settings = await openZoneSettings();
  answer(updateZone, refused(422, 'Not today'));
  await settings.getByRole('switch', { name: 'Active' }).click();
  await expect.poll(openToasts).toBe(1);
  await userEvent.keyboard('{Escape}');
  await gone(settings);
  expect(openToasts()).toBe(1);
  // When the toast has the focus, Escape closes the toast.
  await userEvent.keyboard('{F8}{Tab}{Escape}');
  await expect.poll(openToasts).toBe(0);
});
