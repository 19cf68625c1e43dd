/** Buttons that do nothing yet. The keyboard reaches them, and they say why. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { recordCalls, toastTitled, walkTo } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** Presses the button with Enter and expects the toast that says why it does nothing. */
async function pressUnavailable(page: Page, button: Locator, why: string): Promise<void> {
  await button.focus();
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await button.getAttribute('aria-description')).toBe(why);
  await page.keyboard.press('Enter');
  await toastTitled(page, why).waitFor();
}

// Proves A11Y-11, ZONE-06, TXN-02
it('Rename and Save price ask for another name or price and send nothing while the value is unchanged, and Download CSV says that there are no transactions', async () => {
  const { page, client } = await suite.enter('seller');
  await makeProduct(client, await makeZone(client, await makeWebsite(client)));
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog');
  const calls = recordCalls(page);
  await pressUnavailable(
    page,
    dialog.getByRole('button', { name: 'Rename' }),
    'Enter a different name first',
  );
  await dialog.getByRole('button', { name: /Change price/ }).click();
  await pressUnavailable(
    page,
    dialog.getByRole('button', { name: 'Save price' }),
    'Enter a different price first',
  );
  expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([]);

  await page.keyboard.press('Escape');
  await walkTo(page, '/transactions');
  const download = page.getByRole('button', { name: 'Download CSV' });
  await expect.poll(() => download.getAttribute('aria-disabled')).toBe('true');
  await pressUnavailable(page, download, 'There’s nothing to download yet');
});
