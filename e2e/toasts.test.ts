import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { answer, enterAs } from './support/people.ts';
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
