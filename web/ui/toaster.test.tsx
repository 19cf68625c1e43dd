import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { getSettings, updateSettings } from '#domain/accounts/contract.ts';
import { answer, broken, ended, offline, refused, type Trouble } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const settings = sample(getSettings.reply);

/** Opens a switch whose change ends in a toast. */
async function openSwitch(): Promise<void> {
  answer(getSettings, settings);
  answer(updateSettings, settings);
  await openPage('/settings?tab=notifications', { as: person('both') });
  await expect.element(page.getByRole('switch', { name: 'Marketing emails' })).toBeVisible();
}

const cause = async () => await page.getByRole('switch', { name: 'Marketing emails' }).click();

const open = () => document.querySelectorAll('[data-variant][data-state=open]').length;
const present = () => document.querySelectorAll('[data-variant]').length;

// Proves ERR-13
it('at most three toasts are visible', async () => {
  await openSwitch();
  for (let count = 0; count < 5; count++) await cause();
  await expect.poll(open).toBe(3);
  expect(present()).toBe(3);
});

// Proves ERR-13
it('a toast closes by itself after 5 s and is removed 5 s later', async () => {
  await openSwitch();
  const clock = stopClock();
  await cause();
  await expect.poll(open).toBe(1);
  await clock.pass(4900);
  expect(open()).toBe(1);
  await clock.pass(150);
  await expect.poll(open).toBe(0);
  await clock.pass(5000);
  await expect.poll(present).toBe(0);
});

// Proves ERR-15
it('F8 moves the focus to the toasts', async () => {
  await openSwitch();
  await cause();
  await expect.poll(open).toBe(1);
  await userEvent.keyboard('{F8}');
  expect(document.activeElement?.querySelectorAll('[data-variant]').length).toBe(1);
});

// Proves ERR-17, ERR-19, API-04
it('a call that answers 401 shows the Unauthorized toast and redirects to /auth', async () => {
  await openSwitch();
  answer(updateSettings, ended);
  await cause();
  await expect.element(page.getByText('You are logged out. Logging in again...')).toBeVisible();
  await expect.poll(() => window.location.pathname).toBe('/auth');
  expect(page.getByText('Update Failed').elements()).toEqual([]);
});

// Proves ERR-05, ERR-06, ERR-56
it.each<[trouble: Trouble, words: string]>([
  [refused(422, 'M1'), 'M1'],
  [broken, 'Something went wrong on our side. Please try again.'],
  [offline, 'We couldn’t reach the server. Check your connection and try again.'],
])(
  'an error toast shows the message of the server, or that there is no connection',
  async (trouble, words) => {
    await openSwitch();
    answer(updateSettings, trouble);
    await cause();
    await expect.element(page.getByText('Update Failed', { exact: true })).toBeVisible();
    await expect.element(page.getByText(words)).toBeVisible();
  },
);

it('a toast covers neither a field nor what was pressed: it moves below the header', async () => {
  await page.viewport(375, 700);
  await openSwitch();
  const pressed = page.getByRole('switch', { name: 'Marketing emails' });
  const box = () => document.querySelector('[data-variant]')!.getBoundingClientRect();
  const scrollTo = (top: number) => window.scrollBy(0, pressed.element().getBoundingClientRect().top - top);
  // What can't be scrolled so far would prove nothing.
  document.querySelector('main')!.style.paddingBlock = '700px';
  scrollTo(650);
  await cause();
  await expect.poll(open).toBe(1);
  await expect.poll(() => box().bottom).toBeLessThan(pressed.element().getBoundingClientRect().top);
  expect(box().top).toBeGreaterThanOrEqual(document.querySelector('header')!.getBoundingClientRect().bottom);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(present).toBe(0);
  scrollTo(100);
  await cause();
  await expect.poll(open).toBe(1);
  await expect.poll(() => box().bottom).toBeGreaterThan(600);
  await page.viewport(1280, 900);
});
