import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { answer, enterAs, runUntil, stopClock, toastTitled } from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { type Person, leave } from './support/person.ts';

let fixture: Fixture;
let person: Person;
let page: Page;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
});
beforeEach(async () => {
  person = await enterAs(fixture, 'both');
  page = person.page;
  return async () => await leave(person.page);
});
afterAll(async () => {
  await fixture.close();
});

/** Causes a toast by switching a notification. */
async function toast(): Promise<void> {
  const saved = page.waitForResponse('**/api/user/settings');
  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  await saved;
}

async function openSwitches(): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await page.getByRole('switch', { name: 'Marketing emails' }).waitFor();
}

const shown = () => page.locator('[data-variant][data-state=open]');

// Proves ERR-12, CONST-14
it('at most three toasts are visible', async () => {
  await openSwitches();
  for (let count = 0; count < 5; count++) await toast();
  await expect.poll(() => shown().count()).toBe(3);
  expect(await page.locator('[data-variant]').count()).toBe(3);
});

// Proves ERR-13, ERR-14, CONST-14
it('a toast closes by itself after 5 s and is removed 5 s later', async () => {
  await openSwitches();
  await stopClock(page);
  await toast();
  await runUntil(page, () => shown().isVisible());
  await page.clock.runFor(4900);
  expect(await shown().count()).toBe(1);
  await page.clock.runFor(150);
  expect(await shown().count()).toBe(0);
  await page.clock.runFor(5000);
  await expect.poll(() => page.locator('[data-variant]').count()).toBe(0);
});

// Proves ERR-15
it('a swipe of 60 px to the right dismisses a toast, and one of 30 px does not', async () => {
  await openSwitches();
  await toast();
  await shown().waitFor();
  // Wait for the end of its animation, so that the toast does not move under the pointer.
  await shown().evaluate(
    async (element) => await Promise.all(element.getAnimations().map((one) => one.finished)),
  );
  const swipe = async (distance: number) => {
    const box = await shown().boundingBox();
    if (!box) throw new Error('There is no toast to swipe');
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance / 2, y, { steps: 3 });
    await page.mouse.move(x + distance, y, { steps: 3 });
    await page.mouse.up();
  };
  await swipe(30);
  expect(await shown().count()).toBe(1);
  await swipe(60);
  await expect.poll(() => shown().count()).toBe(0);
});

// Proves ERR-16
it('F8 moves the focus to the toasts', async () => {
  await openSwitches();
  await toast();
  await shown().waitFor();
  await page.keyboard.press('F8');
  expect(await page.evaluate(() => document.activeElement?.querySelectorAll('[data-variant]').length)).toBe(
    1,
  );
});

// Proves ERR-17, ERR-19, API-04
it('a call that answers 401 shows the Unauthorized toast and redirects to /auth', async () => {
  await openSwitches();
  await answer(page, '/api/user/settings', { status: 401, json: { message: 'Unauthorized' } });
  await toast();
  const told = toastTitled(page, 'Unauthorized');
  await told.waitFor();
  expect(await told.getAttribute('data-variant')).toBe('destructive');
  expect(await told.innerText()).toContain('You are logged out. Logging in again...');
  await page.waitForURL('/auth');
  expect(await toastTitled(page, 'Update Failed').count()).toBe(0);
});

// Proves ERR-05, ERR-06, ERR-07, ERR-56
it('an error toast shows the message or text of the server, or the status text', async () => {
  await openSwitches();
  for (const [reply, words] of [
    [{ status: 422, json: { message: 'M1' } }, 'M1'],
    [{ status: 400, body: 'T1', contentType: 'text/plain' }, 'T1'],
    [{ status: 400, body: '' }, 'Bad Request'],
  ] as const) {
    await answer(page, '/api/user/settings', reply);
    await toast();
    await toastTitled(page, 'Update Failed').filter({ hasText: words }).waitFor();
  }
});

// Proves ERR-01, ERR-02, ERR-03, ERR-04
it('an error while rendering shows an error page, and Refresh Page brings the application back', async () => {
  // A name of the wrong type makes React throw.
  await answer(page, '/api/auth/user', { json: { id: 1, email: 'a@x.test', firstName: { no: 'text' } } });
  await page.goto('/');
  await page
    .getByText('Something went wrong. Please refresh the page to try again.', { exact: true })
    .waitFor();
  expect(await page.getByRole('banner').count()).toBe(0);
  const details = page.locator('details');
  expect(await details.getAttribute('open')).toBeNull();
  await details.locator('summary').click();
  expect(await details.locator('pre').isVisible()).toBe(true);
  expect(await details.innerText()).toMatch(/\w+/);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await page.getByText('Welcome back').waitFor();
});
