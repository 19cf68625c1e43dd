import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { appCode } from '../server/testing/accounts/second-factor.ts';
import { makeEarned, waitDays } from '../server/testing/money/payouts.ts';
import { pngOfSize } from '../server/testing/pictures.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { keyboardOf } from './support/keyboard.ts';
import { codeFromMail } from './support/mail.ts';
import { recordCalls, runUntil, stopClock, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const FIXTURE = path.join(import.meta.dirname, 'fixtures/ad.jpg');
const person = useResident(suite, 'both');

/** Walks to the first tab of Settings. */
async function openSettings(): Promise<void> {
  await person.open('/settings');
  await person.page.getByLabel('First name').waitFor();
}

async function tab(name: string): Promise<void> {
  await person.page.getByRole('tab', { name }).click();
}

// Proves SET-07, SET-15, SET-19
it('a new account has its switches set, and the role, a switch and typed text survive a reload', async () => {
  const { page } = person;
  await openSettings();
  const role = page.getByLabel('Role');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await role.selectOption('Ad Buyer');
  await expect.poll(() => navigation.getByRole('link').count()).toBe(4);
  await page.reload();
  await role.waitFor();
  expect(await role.locator('option:checked').innerText()).toBe('Ad Buyer');
  await role.selectOption('Both');
  await expect.poll(() => navigation.getByRole('link').count()).toBe(5);

  const states = async () =>
    await page.getByRole('switch').evaluateAll((all) => all.map((one) => one.getAttribute('aria-checked')));
  await tab('Notifications');
  await page.getByRole('switch').first().waitFor();
  const labels = ['Email notifications', 'Campaign updates', 'Payment alerts', 'Marketing emails'];
  for (const label of labels) expect(await page.getByRole('switch', { name: label }).count()).toBe(1);
  expect(await states()).toEqual(['true', 'true', 'true', 'false']);
  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  await toastTitled(page, 'Settings Updated').waitFor();
  await page.reload();
  await page.getByRole('switch').first().waitFor();
  await expect.poll(states).toEqual(['true', 'true', 'true', 'true']);

  await tab('Business');
  await page.getByLabel('Website').fill('not an address');
  await page.reload();
  expect(await page.getByLabel('Website').inputValue()).toBe('not an address');
  await page.getByText('Not saved yet').waitFor();
});

async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Enter your password again' });
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

// Proves SET-01, ERR-36
it('the password can be reset with a mailed code from the Security tab, which signs the user out', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Send reset code' }).click();
  await page
    .getByLabel('Reset code')
    .fill(await codeFromMail(suite.fixture.server.anyone(), client.user.email));
  await page.getByLabel('New password').fill('a better password');
  await page.getByLabel('Confirm password').fill('a better password');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await toastTitled(page, 'Password reset successful!').waitFor();
  await page.waitForURL('/auth');
  expect(await toastTitled(page, 'Unauthorized').count()).toBe(0);
  expect((await client.get('/api/auth/user')).status).toBe(401);
});

// Proves SET-11, ERR-69, API-27
it('after the account is deleted, the browser is signed out through /api/logout', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings?tab=privacy');
  const calls = recordCalls(page);
  // The logout replaces this page, with its toast, after half a second of its clock.
  await stopClock(page);
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Account' }).click();
  await runUntil(page, () => toastTitled(page, 'Account Deleted').isVisible());
  await page.clock.runFor(500);
  await page.getByRole('heading', { name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  expect(calls).toContain('DELETE /api/user/account');
  expect(calls).toContain('GET /api/logout');
  expect((await client.get('/api/auth/user')).status).toBe(401);
});

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

// Proves ACCT-01, ACC-16
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

// Proves SEC-20
it('Security sets up two-step verification, the sign-in asks for a code, and it can be turned off', async () => {
  const { page, client } = await suite.enter('both');
  const { clock } = suite.fixture.server;
  const { email } = client.user;
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  const setUp = page.getByRole('button', { name: 'Set up two-step verification' });
  await setUp.click();
  // Each step takes the focus from the control that it replaces.
  await expect.poll(() => hasFocus(page.getByLabel('Your password'))).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => hasFocus(setUp)).toBe(true);
  await setUp.click();
  await page.getByLabel('Your password').fill('not my password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').filter({ hasText: 'This password is wrong' }).waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  const qr = page.getByRole('img', { name: 'QR code for your authenticator app' });
  await qr.waitFor();
  // Scanners need dark on light, whatever the theme.
  expect(await qr.locator('rect').evaluate((ground) => getComputedStyle(ground).fill)).toBe(
    'rgb(255, 255, 255)',
  );
  const secret = await page.getByRole('group', { name: 'Key for your authenticator app' }).innerText();
  await page.getByLabel('Code', { exact: true }).fill(appCode(secret.trim(), clock.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const shown = page.getByRole('group', { name: 'Recovery codes' });
  const codes = (await shown.innerText()).trim().split('\n');
  expect(codes).toHaveLength(8);
  await page.getByRole('button', { name: 'I saved my codes' }).click();
  await page.getByText('8 recovery codes are unused').waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByText('8 recovery codes are unused').waitFor();
  expect(await page.getByText(codes[0] ?? '').count()).toBe(0);

  const activity = page.getByRole('list', { name: 'Recent activity' });
  await activity.getByText('Two-step verification turned on').waitFor();
  await activity.getByText('Signed in', { exact: true }).waitFor();

  clock.advance(30_000);
  const elsewhere = await suite.fixture.enter();
  await elsewhere.page.goto('/auth');
  await elsewhere.page.getByLabel('Email').fill(email);
  await elsewhere.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await elsewhere.page.getByRole('button', { name: 'Sign In' }).click();
  const code = elsewhere.page.getByLabel('Code', { exact: true });
  await code.waitFor();
  expect(await hasFocus(code)).toBe(true);
  await code.fill('wrong');
  await elsewhere.page.getByRole('button', { name: 'Sign In' }).click();
  await toastTitled(elsewhere.page, 'Login Failed').filter({ hasText: 'recovery code' }).waitFor();
  await code.fill(codes[0] ?? '');
  await elsewhere.page.getByRole('button', { name: 'Sign In' }).click();
  await toastTitled(elsewhere.page, 'Login Successful').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByLabel('Code', { exact: true }).fill(appCode(secret.trim(), clock.now()));
  await page.getByRole('button', { name: 'Turn off' }).click();
  await toastTitled(page, 'Two-Step Verification Is Off').waitFor();
  await setUp.waitFor();
});

async function hasFocus(control: Locator): Promise<boolean> {
  return await control.evaluate((element) => element === document.activeElement);
}

/** By then, a sign-in is too long ago for a change of the account. */
const LATER = 16 * MINUTE_MS;
const NEW_PASSWORD = 'another horse battery';

// Proves SEC-07, KEY-06
it('an older session is asked for the password, and then the change goes on', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  const email = page.getByLabel('Email');
  await email.waitFor();
  suite.fixture.server.clock.advance(LATER);
  await email.fill(`moved-${client.user.email}`);
  await email.blur();
  const dialog = page.getByRole('dialog', { name: 'Enter your password again' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await toastTitled(page, 'Update Failed').filter({ hasText: 'Enter your password again' }).waitFor();
  expect((await client.get('/api/auth/user')).body.email).toBe(client.user.email);

  await email.focus();
  await email.blur();
  const field = dialog.getByLabel('Your password');
  await field.fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'This password is wrong' }).waitFor();
  await field.fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await toastTitled(page, 'Profile Updated').waitFor();
  // The session has a new id, which only the browser knows.
  expect((await client.get('/api/auth/user')).status).toBe(401);
  const own = () =>
    page.evaluate(async () => {
      const answer = await fetch('/api/auth/user');
      return { status: answer.status, body: (await answer.json()) as { email?: string } };
    });
  expect((await own()).body.email).toBe(`moved-${client.user.email}`);

  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByLabel('Confirm password').fill('something else');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText("Passwords don't match").waitFor();
  await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await toastTitled(page, 'Password Changed').waitFor();

  suite.fixture.server.clock.advance(LATER);
  await page.getByRole('tab', { name: 'Privacy' }).click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await question.getByRole('button', { name: 'Delete Account' }).click();
  await dialog.getByLabel('Your password').fill(NEW_PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  // The logout replaces the page.
  await page.getByRole('heading', { name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  expect((await own()).status).toBe(401);
});

// The clock moves by a month, so the tests before it keep their recent sign-in.
it('a publisher sets up payouts by keyboard, comes back ready, and is paid out', async () => {
  const { server } = suite.fixture;
  const [{ page, client }, buyer] = [await suite.enter('seller'), await suite.client('buyer')];
  await makeEarned(server, client, buyer, { price: '200.00' });
  await waitDays(server, 31);
  await page.goto('/transactions');
  await region(page, 'Payouts').getByText('$170.00').waitFor();
  await region(page, 'Payouts').getByRole('link', { name: 'Payouts' }).click();

  const settings = region(page, 'Payout Settings');
  await settings.getByText('Not set up').waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'Pay out now');
  await toastTitled(page, 'Set up payouts first, under Payout Settings.').waitFor();
  await keyboard.enter('button', 'Set up payouts');
  await settings.getByText('Choose the country of your bank account.').waitFor();
  await settings.getByLabel('Country of your bank account').selectOption('Germany');
  await keyboard.enter('button', 'Set up payouts');
  // Days have passed since the sign-in.
  await confirmPassword(page);
  await page.getByRole('heading', { name: 'Payout set-up (sandbox)' }).waitFor();
  await page.getByRole('button', { name: 'Everything is complete' }).click();
  await page.waitForURL('/earnings');
  await settings.getByText('Ready').waitFor();
  await settings.getByText('Bank account in Germany').waitFor();
  // A first set-up holds nothing, and says when the money leaves.
  await region(page, 'Coming payouts').getByText('$170.00').waitFor();
  expect(await region(page, 'On hold').count()).toBe(0);
  await expectSound(page);

  await keyboard.enter('button', 'Update details');
  await page.getByRole('button', { name: 'Everything is complete' }).click();
  await page.waitForURL('/earnings');
  const onHold = region(page, 'On hold');
  await onHold.getByText('The details of your payout account were opened for changes').waitFor();
  await onHold.getByText('$170.00').waitFor();
  await onHold.getByText(/^Until /).waitFor();
  await onHold.getByRole('link', { name: 'Review your sessions' }).waitFor();
  await keyboard.enter('button', 'Pay out now');
  await toastTitled(page, 'Your earnings are on hold. The reasons are below.').waitFor();
  await expectSound(page);
  await page.goto('/transactions');
  await region(page, 'Payouts').getByText('Payouts are on hold until').waitFor();
  await expectSound(page);

  server.clock.advance(3 * DAY_MS);
  await page.goto('/earnings');
  await page.getByRole('button', { name: 'Pay out now' }).click();
  await page.getByRole('dialog').getByText('We send $170.00 to your bank account now').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Pay out $170.00' }).click();
  await confirmPassword(page);
  await toastTitled(page, 'Payout Sent').getByText('$170.00 is on its way').waitFor();
  await region(page, 'Payout history').getByText('On its way').waitFor();
  await expect.poll(() => page.getByTestId('available').innerText()).toBe('$0.00');
});
