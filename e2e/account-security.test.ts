import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { pngOfSize } from '../server/testing/pictures.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { answer, toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const FIXTURE = path.join(import.meta.dirname, 'fixtures/ad.jpg');

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

async function openSecurity(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByText('This session').waitFor();
}

// Proves ACCT-01, ACCT-02, EASE-09
it('the Security tab lists the sessions and ends one of them, or after a confirmation all others', async () => {
  const { page, client } = await suite.enter('both');
  const { email } = client.user;
  const others = [
    suite.fixture.server.anyone(),
    suite.fixture.server.anyone(),
    suite.fixture.server.anyone(),
  ];
  for (const other of others) {
    await other.post(
      '/api/auth/login',
      { email, password: PASSWORD },
      { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1' },
    );
  }
  await openSecurity(page);
  const rows = page.getByRole('group', { name: 'Active sessions' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(3);
  const onPhones = page.getByRole('list', { name: 'Safari on iPhone' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Show all 4 sessions' }).click();
  await expect.poll(() => focused(page)).toBe('Active sessions');
  expect(await rows.count()).toBe(4);
  expect(await onPhones.count()).toBe(3);
  await onPhones
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await toastTitled(page, 'Session Signed Out').waitFor();
  await expect.poll(() => rows.count()).toBe(3);
  // The pressed button is gone, so the list has the focus.
  await expect.poll(() => focused(page)).toBe('Active sessions');
  const alive = async () => {
    const answers = await Promise.all(others.map((other) => other.get('/api/auth/user')));
    return answers.filter(({ status }) => status === 200).length;
  };
  expect(await alive()).toBe(2);

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await alive()).toBe(2);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText("You're only signed in here").first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await alive()).toBe(0);
  expect((await client.get('/api/auth/user')).status).toBe(200);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await toastTitled(page, 'Logged out').waitFor();
  expect((await client.get('/api/auth/user')).status).toBe(401);
});

// Proves ACCT-01
it('the Security tab says when a session cannot be ended or the list cannot be loaded', async () => {
  const { page, client } = await suite.enter('both');
  await suite.fixture.server
    .anyone()
    .post('/api/auth/login', { email: client.user.email, password: PASSWORD });
  await openSecurity(page);
  await page.route('**/api/user/sessions/*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: /^Sign out .*signed in/ }).click();
  await toastTitled(page, 'Session Not Signed Out').waitFor();
  await answer(page, '/api/user/sessions', { status: 500, json: {} });
  await page.reload();
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByText('Could not load your sessions').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This session').waitFor();
});

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

// Proves ACCT-04
it('the initials are shown when the profile picture does not load', async () => {
  const { page, client } = await suite.enter('both');
  await suite.fixture.server.ctx.db
    .updateTable('users')
    .set({ profileImageUrl: '/avatars/gone.webp' })
    .where('id', '=', client.user.id)
    .execute();
  await page.goto('/settings');
  await page.getByLabel('First name').waitFor();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Account' }).innerText()).toContain('AB');
});

// Proves ACCT-10
it('dates are shown in the timezone of the settings and change with it at once', async () => {
  const { page, client } = await suite.enter('both');
  // Half an hour before midnight in London, in winter.
  await suite.fixture.server.app.pool.query(
    `update sessions set started_at = '2026-01-15T23:30:00Z' where sess ->> 'userId' = $1`,
    [String(client.user.id)],
  );
  const begun = page.getByText(/^Signed in /);
  await page.goto('/settings');
  for (const [choice, words] of [
    ['Tokyo', 'Signed in Jan 16, 2026, 8:30 AM GMT+9'],
    ['Pacific', 'Signed in Jan 15, 2026, 3:30 PM PST'],
    ['UTC', 'Signed in Jan 15, 2026, 11:30 PM UTC'],
  ] as const) {
    await page.getByRole('tab', { name: 'Profile' }).click();
    const saved = page.waitForResponse('**/api/user/settings');
    await page.getByLabel('Timezone').selectOption(choice);
    await saved;
    await page.getByRole('tab', { name: 'Security' }).click();
    await expect.poll(() => begun.innerText()).toBe(words);
  }
  await page.reload();
  await page.getByText('Signed in Jan 15, 2026, 11:30 PM UTC').waitFor();
});
