import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { answer, toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();
const beside = (page: Page) => page.mouse.click(5, 300);
const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement);

// Proves EASE-06
it('a dialog with typed text asks before Escape or a click beside it, and an untouched one closes at once', async () => {
  const { page } = await suite.enter('seller');
  await page.goto('/ad-zones');
  const dialog = page.getByRole('dialog', { name: 'Add Website' });
  const open = async () => {
    await page.getByRole('button', { name: 'Add Website' }).click();
    await dialog.waitFor();
  };
  const gone = async () => await dialog.waitFor({ state: 'detached' });
  await open();
  await beside(page);
  await gone();
  await open();
  await page.keyboard.press('Escape');
  await gone();

  await open();
  const name = dialog.getByLabel('Website name');
  await name.fill('Typed');
  const question = dialog.getByRole('alertdialog', { name: 'Discard what you typed?' });
  for (const ask of [() => beside(page), () => page.keyboard.press('Escape')]) {
    await ask();
    await question.waitFor();
    await expect.poll(() => focusedName(page)).toBe('Keep editing');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Typed');
    await expect.poll(() => hasFocus(name)).toBe(true);
  }

  // Text that a reload restored is typed text as well.
  await page.reload();
  await open();
  expect(await name.inputValue()).toBe('Typed');
  await beside(page);
  await question.getByRole('button', { name: 'Discard' }).press('Enter');
  await gone();
  await open();
  expect(await name.inputValue()).toBe('');
});

// Proves EASE-06
it('a review that was decided in another tab offers only to close', async () => {
  const { page, client } = await suite.enter('seller');
  const { product } = await makePricedZone(client);
  const ad = await makeAd(await suite.client('buyer'), product, { title: 'Decided elsewhere' });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /Decided elsewhere/ }).click();
  const review = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await review.getByRole('button', { name: 'Reject Ad' }).click();
  const reject = page.getByRole('dialog', { name: 'Reject Ad' });
  await reject.getByLabel('Reason for rejection').fill('Too loud');
  await approve(client, ad);
  // The page loads its data again when the user returns to the tab.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await reject.waitFor({ state: 'detached' });
  await review.getByText('Its status is now approved.').waitFor();
  expect(await review.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  await review.getByRole('button', { name: 'Close' }).last().click();
  await review.waitFor({ state: 'detached' });
});

// Proves EASE-07, A11Y-05
it('on the smallest phone, a toast covers no dialog, goes after a success, and the highest price fits', async () => {
  const { page, client } = await suite.enter('seller', { width: 320 });
  await page.setViewportSize({ width: 320, height: 568 });
  const zone = await makeZone(client, await makeWebsite(client));
  await makeProduct(client, zone, { price: '999999.99' });
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Zone Settings' });
  await dialog.getByRole('button', { name: 'Change price' }).waitFor();
  const overflow = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('[role=dialog] *')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
        .map(({ className }) => className),
    );
  expect((await overflow()).filter((name) => !/sr-only|overflow/.test(name))).toEqual([]);

  await answer(page, '/api/ad-zones/*', { status: 422, json: { message: 'Not today' } });
  const active = dialog.getByRole('switch', { name: 'Active' });
  await active.click();
  const failure = toastTitled(page, 'Error').filter({ hasText: 'Not today' });
  await failure.waitFor();
  await expect
    .poll(async () => {
      const [box, toast] = [await dialog.boundingBox(), await failure.boundingBox()];
      return box !== null && toast !== null && box.y >= 0 && box.y + box.height <= toast.y;
    })
    .toBe(true);

  await page.unrouteAll();
  await active.click();
  await expect.poll(() => failure.and(page.locator('[data-state=open]')).count()).toBe(0);
});
