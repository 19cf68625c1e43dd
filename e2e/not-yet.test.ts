/** Buttons that cannot be pressed yet: they are reached by keyboard, and say why. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { recordCalls, toastTitled } from './support/people.ts';
import { useStage } from './support/use-stage.ts';

const house = useStage();

/** Focus, Enter, and what is said; the button then sends nothing. */
async function pressInVain(page: Page, button: Locator, why: string): Promise<void> {
  await button.focus();
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await button.getAttribute('aria-description')).toBe(why);
  await page.keyboard.press('Enter');
  await toastTitled(page, why).waitFor();
}

// Proves A11Y-11, ZONE-06
it('a zone is renamed by another name, and a price changed to another, only', async () => {
  const { page, client } = await house.enter('seller');
  await makeProduct(client, await makeZone(client, await makeWebsite(client)));
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog');
  const calls = recordCalls(page);
  await pressInVain(page, dialog.getByRole('button', { name: 'Rename' }), 'Enter a different name first');
  await dialog.getByRole('button', { name: /Change price/ }).click();
  await pressInVain(
    page,
    dialog.getByRole('button', { name: 'Save price' }),
    'Enter a different price first',
  );
  expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
});

// Proves A11Y-11, TXN-02
it('there is no download of nothing', async () => {
  const { page } = await house.enter('seller');
  await page.goto('/transactions');
  const download = page.getByRole('button', { name: 'Download CSV' });
  await expect.poll(() => download.getAttribute('aria-disabled')).toBe('true');
  await pressInVain(page, download, 'There’s nothing to download yet');
});
