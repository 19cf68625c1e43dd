/** Where the focus is after a navigation, and that the header and the toasts do not cover it. */
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerSettings, answerTabs } from '#web/testing/account.ts';
import { lookAtFocus } from '#web/testing/focus-sight.ts';
import { press, see } from '#web/testing/look.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { openPage } from '#web/testing/screen.tsx';

const heading = () => page.getByRole('heading', { level: 1 });

async function open(path: string): Promise<void> {
  answerNewAccount();
  answerTabs();
  answerSettings();
  await openPage(path, { as: person('both') });
  await see(heading());
}

afterEach(async () => {
  await page.viewport(1280, 900);
});

it('a navigation moves the focus to the heading of the new page, and Back to the heading of the previous one', async () => {
  await open('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Marketplace', 'Dashboard', 'Demo']) {
    await press(navigation.getByRole('link', { name }));
    await expect.poll(() => document.title).toContain(name);
    await expect.poll(() => document.activeElement?.tagName).toBe('H1');
    // The focus ring is visible after a key press.
    expect(lookAtFocus()?.ring).toBe(true);
  }
  window.history.back();
  await expect.poll(() => document.title).toContain('Dashboard');
  await expect.poll(() => document.activeElement?.tagName).toBe('H1');
});

it('the skip link is the first tab stop, is visible, and skips the menu', async () => {
  await open('/settings');
  await userEvent.keyboard('{Tab}');
  const link = page.getByRole('link', { name: 'Skip to content' });
  await expect.element(link).toHaveFocus();
  expect(lookAtFocus()?.ring).toBe(true);
  expect(link.element().getBoundingClientRect().width).toBeGreaterThan(50);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.tagName).toBe('MAIN');
  await userEvent.keyboard('{Tab}');
  expect(document.activeElement?.closest('main')).not.toBeNull();
});

it('on a phone, a toast does not cover the header, and the header does not cover the focused control', async () => {
  await page.viewport(375, 900);
  await open('/settings?tab=notifications');
  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  const toast = () => document.querySelector('[data-variant][data-state=open]');
  await expect.poll(toast).not.toBeNull();
  const { bottom } = page.getByRole('banner').element().getBoundingClientRect();
  expect(toast()!.getBoundingClientRect().top).toBeGreaterThan(bottom);

  await page.viewport(375, 400);
  const switches = page.getByRole('switch').elements() as HTMLElement[];
  switches.at(-1)!.focus();
  for (let stop = 0; stop < 8; stop++) {
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    const here = lookAtFocus();
    if (here) expect([here.texts, here.inView]).toEqual([here.texts, true]);
  }
});
