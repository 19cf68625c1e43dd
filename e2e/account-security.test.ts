import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { pngOfSize } from '../server/testing/pictures.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const FIXTURE = path.join(import.meta.dirname, 'fixtures/ad.jpg');

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

// Proves ACCT-02, ACC-16
it('after a session was ended from another device, the next click leads to the sign-in page', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  await page.getByLabel('First name').waitFor();
  const elsewhere = suite.fixture.server.anyone();
  await elsewhere.post('/api/auth/login', { email: client.user.email, password: PASSWORD });
  await elsewhere.delete('/api/user/sessions');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }).click();
  await page.waitForURL('/auth');
});

// Proves ACCT-04, ACCT-05
it('a profile picture can be uploaded, replaced and removed, and a refused file keeps the old one', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  const group = page.getByRole('group', { name: 'Profile picture' });
  const header = page.getByRole('button', { name: 'Account' });
  expect(await group.innerText()).toContain('AB');
  expect(await header.locator('img').count()).toBe(0);

  const chosen = page.waitForEvent('filechooser');
  await group.getByRole('button', { name: 'Upload picture' }).press('Enter');
  await (await chosen).setFiles(FIXTURE);
  await toastTitled(page, 'Picture Updated').waitFor();
  const address = (await client.get('/api/auth/user')).body.profileImageUrl as string;
  await header.click();
  const shown = () =>
    page
      .locator('img')
      .evaluateAll((all) => all.map((one) => new URL((one as HTMLImageElement).src).pathname));
  await expect.poll(shown).toEqual([address, address, address]);
  const sides = () =>
    group
      .locator('img')
      .evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [naturalWidth, naturalHeight]);
  await expect.poll(sides).toEqual([256, 256]);
  await page.keyboard.press('Escape');

  const directory = path.join(suite.fixture.server.ctx.config.dataDir, 'chosen');
  await mkdir(directory, { recursive: true });
  const file = async (name: string, bytes: Buffer) => {
    await writeFile(path.join(directory, name), bytes);
    return path.join(directory, name);
  };
  const input = page.locator('input[type=file]');
  for (const [chosenFile, words] of [
    [await file('notes.txt', Buffer.from('no picture')), `"notes.txt" can't be used as a picture.`],
    [
      await file('six.png', await pngOfSize(6 * 1024 * 1024)),
      '"six.png" is too large. Choose a file of 5 MB or less.',
    ],
    [
      await file('broken.png', (await pngOfSize(5000)).subarray(0, 4000)),
      'This image is damaged or incomplete.',
    ],
  ] as const) {
    await input.setInputFiles(chosenFile);
    await group.getByRole('alert').filter({ hasText: words }).waitFor();
    expect((await client.get('/api/auth/user')).body.profileImageUrl).toBe(address);
  }

  await input.setInputFiles(await file('good.png', await pngOfSize(5000)));
  await expect
    .poll(async () => (await client.get('/api/auth/user')).body.profileImageUrl as string)
    .not.toBe(address);
  await expect.poll(() => group.getByRole('alert').count()).toBe(0);
  await group.getByRole('button', { name: 'Remove' }).click();
  await toastTitled(page, 'Picture Removed').waitFor();
  expect(await group.innerText()).toContain('AB');
  await expect.poll(() => focused(page)).toBe('Upload picture');
  expect(await page.locator('img').count()).toBe(0);
});
