import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { makeEarned, waitDays } from '../server/testing/money/payouts.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { keyboardOf } from './support/keyboard.ts';
import { codeFromMail } from './support/mail.ts';
import { recordCalls, runUntil, stopClock, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const person = useResident(suite, 'both');

/** Walks to the first tab of Settings. */
async function openSettings(): Promise<void> {
  await person.open('/settings');
  await person.page.getByLabel('First name').waitFor();
}

async function tab(name: string): Promise<void> {
  await person.page.getByRole('tab', { name }).click();
}

// Proves EASE-05, SET-07, SET-15, SET-19, ROLE-03, CONST-34
it('a new account has its switches set, and the role, a switch and typed text survive a reload', async () => {
  const { page } = person;
  await openSettings();
  const role = page.getByLabel('Role');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await role.selectOption('Ad Buyer');
  await expect.poll(() => navigation.getByRole('link').count()).toBe(5);
  await page.reload();
  await role.waitFor();
  expect(await role.locator('option:checked').innerText()).toBe('Ad Buyer');
  await role.selectOption('Both');
  await expect.poll(() => navigation.getByRole('link').count()).toBe(7);

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

// Proves SET-05, ERR-36
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

// Proves SET-11, ERR-74, STATE-19
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

// The clock moves by a month, so the tests before it keep their recent sign-in.
// Proves PYEE-07, PYEE-08
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
