import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { makeEarned, waitDays } from '../server/testing/money/payouts.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { keyboardOf } from './support/keyboard.ts';
import { codeFromMail } from './support/mail.ts';
import { answer, recordCalls, runUntil, stopClock, toastTitled } from './support/people.ts';
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

const changes = (calls: string[]) => calls.filter((call) => !call.startsWith('GET'));

// Proves SET-01, SET-02, SET-03, SET-04, SET-05, SET-06, SET-16, A11Y-12
it('Settings has seven tabs; the arrow keys, Home and End select them, and the Tab key goes to the panel of the selected one', async () => {
  const { page } = person;
  await openSettings();
  expect(await page.getByRole('tab').allInnerTexts()).toEqual([
    'Profile',
    'Business',
    'Notifications',
    'Billing',
    'Members',
    'Security',
    'Privacy',
  ]);
  const focused = () =>
    page.evaluate(() => [document.activeElement?.getAttribute('role'), document.activeElement?.textContent]);
  await page.getByRole('tab', { name: 'Profile' }).focus();
  for (const [key, name] of [
    ['ArrowRight', 'Business'],
    ['ArrowRight', 'Notifications'],
    ['ArrowLeft', 'Business'],
    ['End', 'Privacy'],
    ['ArrowRight', 'Profile'],
    ['ArrowLeft', 'Privacy'],
    ['Home', 'Profile'],
    ['ArrowRight', 'Business'],
  ] as const) {
    await page.keyboard.press(key);
    // The tabs move the focus in a task of its own after the key.
    await expect.poll(focused).toEqual(['tab', name]);
    await page.getByRole('tab', { name, selected: true }).waitFor();
    await page.getByRole('tabpanel', { name }).waitFor();
  }
  expect(await page.getByRole('tabpanel').count()).toBe(1);
  await page.keyboard.press('Tab');
  expect((await focused())[0]).toBe('tabpanel');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toEqual(['tab', 'Business']);
});

// Proves SET-12, SET-13, ERR-72
it('a profile field is saved when the user leaves it, only if it changed and is valid', async () => {
  const { page, client } = person;
  await openSettings();
  const calls = recordCalls(page);
  await page.getByLabel('First name').fill(' ');
  await page.getByLabel('Email').fill('abc');
  await page.getByLabel('Last name').focus();
  await page.getByText('First name is required').waitFor();
  await page.getByText('Please enter a valid email address').waitFor();
  expect(changes(calls)).toEqual([]);
  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('Email').fill(client.user.email);
  await page.getByLabel('First name').focus();
  await page.getByLabel('Last name').fill('Bellamy');
  await page.getByLabel('First name').focus();
  await toastTitled(page, 'Profile Updated').waitFor();
  expect(changes(calls)).toEqual(['PATCH /api/user/profile {"lastName":"Bellamy"}']);
  await expect.poll(() => calls.includes('GET /api/auth/user')).toBe(true);
  expect((await client.get('/api/auth/user')).body.lastName).toBe('Bellamy');
});

// Proves EASE-05, DOCU-13
it('Enter saves a field, typed text survives a reload, and the same e-mail address in capitals is no change', async () => {
  const { page, client } = person;
  await openSettings();
  await tab('Business');
  await page.getByLabel('Tax ID').fill('DE 42');
  await page.getByLabel('Tax ID').press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await client.get('/api/user/settings')).body.taxId).toBe('DE 42');

  await tab('Billing');
  const details = page.getByRole('region', { name: 'Billing details' });
  await details.getByText(/on new receipts, credit notes, commission notes and statements/).waitFor();
  expect(await details.getByLabel('Tax ID').inputValue()).toBe('DE 42');
  await details.getByLabel('Country').selectOption('Germany');
  await expect.poll(async () => (await client.get('/api/user/settings')).body.country as unknown).toBe('DE');
  await details.getByLabel('Address').fill('x'.repeat(501));
  await details.getByLabel('Tax ID').focus();
  await details.getByText(/500/).waitFor();
  await details.getByLabel('Address').fill('Hauptstraße 5\n50667 Köln');
  await details.getByLabel('Tax ID').focus();
  await details.getByText('Saved', { exact: true }).waitFor();
  expect((await client.get('/api/user/settings')).body.address).toBe('Hauptstraße 5\n50667 Köln');
  await tab('Business');

  await page.getByLabel('Website').fill('not an address');
  await page.reload();
  expect(await page.getByLabel('Website').inputValue()).toBe('not an address');
  await page.getByText('Not saved yet').waitFor();
  await page.getByLabel('Website').fill('');
  await page.getByLabel('Website').press('Enter');

  await tab('Profile');
  const calls = recordCalls(page);
  const email = page.getByLabel('Email');
  await email.fill(client.user.email.toUpperCase());
  await email.press('Enter');
  await expect.poll(() => email.inputValue()).toBe(client.user.email);
  expect(changes(calls)).toEqual([]);
  expect(await page.getByText('Saved', { exact: true }).count()).toBe(0);
});

// Proves SET-07, ROLE-01, ROLE-03, ERR-73, SET-17, SET-18, CONST-32, CONST-33
it('role, timezone and currency offer the listed options and are saved on change; a role changes the navigation and survives a reload', async () => {
  const { page, client } = person;
  await openSettings();
  const role = page.getByLabel('Role');
  expect(await role.locator('option').allInnerTexts()).toEqual(['Ad Buyer', 'Ad Seller / Publisher', 'Both']);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const [choice, links] of [
    ['Ad Buyer', ['Marketplace', 'Dashboard', 'Create Ad', 'Billing', 'Demo']],
    ['Ad Seller / Publisher', ['Dashboard', 'Ad Zones', 'Earnings', 'Demo']],
    ['Both', ['Marketplace', 'Dashboard', 'Create Ad', 'Ad Zones', 'Earnings', 'Billing', 'Demo']],
  ] as const) {
    await role.selectOption(choice);
    await expect.poll(() => navigation.getByRole('link').allInnerTexts()).toEqual(links);
    await toastTitled(page, 'Role Updated').first().waitFor();
  }
  await role.selectOption('Ad Buyer');
  await expect.poll(() => navigation.getByRole('link').count()).toBe(5);
  await page.reload();
  await role.waitFor();
  expect(await role.locator('option:checked').innerText()).toBe('Ad Buyer');
  await role.selectOption('Both');
  await expect.poll(() => navigation.getByRole('link').count()).toBe(7);

  const zones = ['UTC', 'Eastern', 'Central', 'Mountain', 'Pacific', 'London', 'Paris', 'Tokyo'];
  expect(await page.getByLabel('Timezone').locator('option').allInnerTexts()).toEqual(zones);
  expect(await page.getByLabel('Currency').locator('option').allInnerTexts()).toEqual([
    'USD',
    'EUR',
    'GBP',
    'CAD',
    'AUD',
  ]);
  await page.getByLabel('Timezone').selectOption('Paris');
  await toastTitled(page, 'Settings Updated').first().waitFor();
  expect((await client.get('/api/user/settings')).body.timezone).toBe('Europe/Paris');

  // One that the browser gave at the sign-up is a choice, too.
  await client.patch('/api/user/settings', { timezone: 'America/Argentina/Buenos_Aires' });
  await page.reload();
  const own = 'America/Argentina/Buenos Aires';
  await expect
    .poll(() => page.getByLabel('Timezone').locator('option').allInnerTexts())
    .toEqual([...zones, own]);
  expect(await page.getByLabel('Timezone').locator('option:checked').innerText()).toBe(own);
});

// Proves SET-14, ERR-71, SET-15, SET-19, CONST-34
it('a business field is saved when the user leaves it; the notification switches have their defaults, are saved on change and survive a reload', async () => {
  const { page, client } = person;
  await openSettings();
  await tab('Business');
  const calls = recordCalls(page);
  await page.getByLabel('Business name').fill('Bell Ltd');
  await page.getByLabel('Tax ID').focus();
  await toastTitled(page, 'Settings Updated').waitFor();
  expect(changes(calls)).toEqual(['PATCH /api/user/settings {"businessName":"Bell Ltd"}']);
  expect((await client.get('/api/user/settings')).body.businessName).toBe('Bell Ltd');

  const states = async () =>
    await page.getByRole('switch').evaluateAll((all) => all.map((one) => one.getAttribute('aria-checked')));
  await tab('Notifications');
  await page.getByRole('switch').first().waitFor();
  const labels = ['Email notifications', 'Campaign updates', 'Payment alerts', 'Marketing emails'];
  for (const label of labels) expect(await page.getByRole('switch', { name: label }).count()).toBe(1);
  expect(await states()).toEqual(['true', 'true', 'true', 'false']);

  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  await expect.poll(() => changes(calls).at(-1)).toBe('PATCH /api/user/settings {"marketingEmails":true}');
  await expect
    .poll(async () => (await client.get('/api/user/settings')).body.marketingEmails as unknown)
    .toBe(true);
  await page.reload();
  await tab('Notifications');
  await expect.poll(states).toEqual(['true', 'true', 'true', 'true']);
});

// Proves SET-08, SET-09, ROLE-14
it('the Billing tab opens the portal in a new tab and shows payout settings only to sellers', async () => {
  const { page, context, client } = person;
  for (const [role, payouts] of [
    ['buyer', 0],
    ['both', 1],
  ] as const) {
    await client.patch('/api/user/role', { role });
    await page.goto('/settings?tab=billing');
    await page.getByRole('heading', { name: 'Billing', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Payout Settings' }).count()).toBe(payouts);
  }
  const [portal] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open billing portal' }).click(),
  ]);
  await portal.waitForURL('/api/billing/portal');
  await portal.close();
});

async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Enter your password again' });
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

// Proves PYEE-07
it('payouts say what is on hold, owed, missing or refused, and what to do about each', async () => {
  const { page } = person;
  const payouts = {
    currency: 'USD',
    pending: '12.00',
    available: '20.00',
    held: '34.00',
    paidOut: '100.00',
    owed: '5.00',
    holds: [
      { id: 1, amount: '30.00', reason: 'unverified_site', until: null, adPublicId: null, adTitle: null },
      { id: 2, amount: '1.00', reason: 'traffic', until: null, adPublicId: 'a1', adTitle: 'Fresh coffee' },
      { id: 3, amount: '3.00', reason: 'traffic', until: null, adPublicId: 'b2', adTitle: 'x'.repeat(100) },
    ],
    nextPayoutAt: '2026-11-30T00:00:00.000Z',
    account: { state: 'restricted', country: 'DE', requirements: ['Enter your address.'] },
    history: [
      { id: 2, at: '2026-11-23T00:00:00.000Z', amount: '100.00', status: 'failed', message: 'M2' },
      { id: 1, at: '2026-11-16T00:00:00.000Z', amount: '50.00', status: 'paid', message: null },
    ],
  };
  await answer(page, '/api/payouts', { status: 500, json: { message: 'M1' } });
  await page.goto('/earnings?payouts=expired');
  await page.getByText('The link to the card provider has expired').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByText('Could not load your payouts').waitFor();
  await answer(page, '/api/payouts', { json: payouts });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByTestId('available').getByText('$20.00').waitFor();
  await page.getByText('You no longer earn this amount').waitFor();
  const onHold = region(page, 'On hold');
  await onHold.getByRole('link', { name: 'Verify your website' }).waitFor();
  expect(await onHold.getByText('The traffic of this campaign is unusual').count()).toBe(1);
  const coffee = onHold.getByRole('listitem').filter({ hasText: 'Fresh coffee' }).last();
  await coffee.getByText('$1.00').waitFor();
  expect(await coffee.getByRole('link').getAttribute('href')).toBe('/ledger/a1?side=publisher');
  await region(page, 'Payout history').getByText('M2').waitFor();
  await region(page, 'Payout Settings').getByText('Enter your address.').waitFor();
  await expectSound(page);
  await answer(page, '/api/payouts/account', { status: 503, json: { message: 'M3' } });
  await region(page, 'Payout Settings').getByRole('button', { name: 'Update details' }).click();
  await toastTitled(page, 'Payout Set-up Failed').getByText('M3').waitFor();

  await answer(page, '/api/payouts', {
    json: { ...payouts, account: { ...payouts.account, state: 'ready' } },
  });
  await page.reload();
  await page.getByRole('button', { name: 'Pay out now' }).click();
  for (const [reason, step] of [
    ['below_minimum', 'pay it out as soon as it’s large enough'],
    ['held', 'what ends its hold'],
    ['running', 'Check the history'],
  ] as const) {
    await page.unroute('**/api/payouts');
    await page.route('**/api/payouts', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { message: `No: ${reason}.`, reason, missing: '5.00' } })
        : route.fulfill({ json: payouts }),
    );
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Pay out $20.00' }).click();
    const refusal = dialog.getByRole('alert').filter({ hasText: `No: ${reason}.` });
    await refusal.filter({ hasText: step }).waitFor();
  }
});

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

// Proves SET-10, ERR-70, ERR-75
it('the data export is a JSON file with the date in its name', async () => {
  const { page, client } = person;
  await openSettings();
  await tab('Privacy');
  const button = page.getByRole('button', { name: 'Export Data' });
  await answer(page, '/api/user/export-data', { status: 500, json: { message: 'M1' } });
  await button.click();
  await toastTitled(page, 'Export Failed').filter({ hasText: 'M1' }).waitFor();
  await page.unrouteAll();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toBe(`user-data-${new Date().toISOString().slice(0, 10)}.json`);
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as { profile: { email: string } };
  expect(data.profile.email).toBe(client.user.email);
  await toastTitled(page, 'Data Exported').waitFor();
});

// Proves ERR-68
it('a failed change shows the server’s error message and is not shown as saved', async () => {
  const { page } = person;
  await openSettings();
  const refusal = { status: 400, json: { message: 'M1' } };
  await answer(page, '/api/user/profile', refusal);
  await answer(page, '/api/user/role', refusal);
  await page.getByLabel('First name').fill('Anna');
  await page.getByLabel('Last name').focus();
  await toastTitled(page, 'Update Failed').filter({ hasText: 'M1' }).waitFor();
  await page.getByText('Not saved. Please try again.').waitFor();
  await page.getByLabel('Role').selectOption('Ad Buyer');
  await expect.poll(() => toastTitled(page, 'Update Failed').count()).toBe(2);
  expect(await page.getByLabel('Role').inputValue()).toBe('both');

  await page.getByRole('tab', { name: 'Notifications' }).click();
  await answer(page, '/api/user/settings', refusal);
  await page.getByRole('switch', { name: 'Campaign updates' }).click();
  await expect.poll(() => toastTitled(page, 'Update Failed').count()).toBe(3);
  expect(await page.getByRole('switch', { name: 'Campaign updates' }).isChecked()).toBe(true);
});

// Proves SET-11, ERR-69, ERR-74, STATE-19, GONE-01
it('the account is deleted only after a confirmation, and the browser is signed out through /api/logout', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Privacy' }).click();
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Account' }).click();
  };
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect((await client.get('/api/auth/user')).status).toBe(200);

  await answer(page, '/api/user/account', { status: 409, json: { message: 'M1' } });
  await remove();
  await toastTitled(page, 'Deletion Failed').filter({ hasText: 'M1' }).waitFor();
  const left = ['campaign', 'earnings', 'dispute', 'refund'].map((kind, at) => ({
    kind,
    amount: `${at + 1}.00`,
    currency: 'USD',
  }));
  await answer(page, '/api/user/account', { status: 409, json: { message: 'M2', left } });
  await remove();
  const before = page.getByRole('status', { name: 'Before you can delete your account' });
  for (const amount of ['$1.00', '$2.00', '$3.00', '$4.00']) await before.getByText(amount).waitFor();
  await before.getByRole('button', { name: 'Pay out available earnings' }).click();
  await before.getByText('Your payout account isn’t ready').waitFor();
  await expectSound(page);
  await page.unrouteAll();

  const calls = recordCalls(page);
  // The logout replaces this page, with its toast, after half a second of its clock.
  await stopClock(page);
  await remove();
  await runUntil(page, () => toastTitled(page, 'Account Deleted').isVisible());
  await page.clock.runFor(500);
  await page.getByRole('heading', { name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
  expect(calls).toContain('DELETE /api/user/account');
  expect(calls).toContain('GET /api/logout');
  expect((await client.get('/api/auth/user')).status).toBe(401);
});

// Proves GONE-06
it('a publisher who can’t be paid gives up an amount that the dialog names, and the account is deleted', async () => {
  const { server } = suite.fixture;
  const [{ page, client }, buyer] = [await suite.enter('seller'), await suite.client('buyer')];
  await makeEarned(server, client, buyer, { price: '200.00' });
  await page.goto('/settings?tab=privacy');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Account' }).click();
  const before = page.getByRole('status', { name: 'Before you can delete your account' });
  await before.getByRole('button', { name: 'Give up $170.00' }).click();
  const dialog = page.getByRole('dialog', { name: 'Give up $170.00 and delete your account?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await client.get('/api/auth/user')).status).toBe(200);
  await before.getByRole('button', { name: 'Give up $170.00' }).click();
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Give up $170.00 and delete' }).click();
  await page.getByRole('heading', { name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
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
