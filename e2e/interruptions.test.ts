/** Interruptions of a user: another tab, a reload, the lost network. */
import { expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import { register } from './support/forms.ts';
import { codeFromMail } from './support/mail.ts';
import { toastTitled } from './support/people.ts';
import { leave } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves EASE-01
it('a tab that shows another user than the session’s changes nothing and offers to reload', async () => {
  const { page, context } = await suite.enter('both', { names: { firstName: 'Ada' } });
  const second = await suite.client('both');
  await page.goto('/settings');
  const name = page.getByLabel('First name');
  await name.waitFor();
  const [cookie = '', value = ''] = second.cookie.split(/=(.*)/s);
  await context.addCookies([{ name: cookie, value, url: suite.fixture.server.url }]);

  await name.fill('Grace');
  await name.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'You’re signed in to another account' });
  await dialog.waitFor();
  expect(await page.locator('[data-variant]').count()).toBe(0);
  const before = (await second.get('/api/auth/user')).body.firstName as string;
  expect(before).not.toBe('Grace');
  // The field loses the focus to the dialog, which tries again. The answer would open the dialog once more.
  await page.waitForLoadState('networkidle');
  await dialog.getByRole('button', { name: 'Not yet' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Grace');

  // Leaving the field tries again, and what was typed is not shown to the other user after the reload.
  await name.press('Tab');
  await dialog.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => name.inputValue()).toBe(before);
  await name.fill('Grace');
  await name.press('Enter');
  await toastTitled(page, 'Profile Updated').waitFor();
  expect((await second.get('/api/auth/user')).body.firstName).toBe('Grace');
});

it('a reload while a code is awaited keeps the code form, and stores no secret', async () => {
  const { page } = await suite.fixture.enter({ width: 375, height: 667 });
  const email = 'reloads@example.test';
  await register(page, email);
  await page.reload();
  await page.getByText(email).waitFor();
  const stored = await page.evaluate(() =>
    JSON.stringify([history.state, Object.entries(sessionStorage), Object.entries(localStorage)]),
  );
  expect(stored).toContain(email);
  expect(stored).not.toContain(PASSWORD);
  await page.getByRole('button', { name: 'Back to login' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'Sign In' }).waitFor();

  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await page.getByLabel('Reset code').waitFor();
  await page.reload();
  await page.getByLabel('Reset code').fill(await codeFromMail(suite.fixture.server.anyone(), email));
  await page.getByLabel('New password').fill('another horse battery');
  await page.getByLabel('Confirm password').fill('another horse battery');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Password reset successful!').first().waitFor();
  await leave(page);
});

it('Settings keeps its tab, the form for a reset code and the confirmation of an e-mail address over a reload', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  const email = page.getByLabel('Email');
  await email.fill(`moved-${client.user.email}`);
  await email.press('Enter');
  await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor();
  await page.reload();
  await page.getByLabel('Verification code').waitFor();

  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Send reset code' }).click();
  await page.getByLabel('Reset code').waitFor();
  await page.reload();
  await page.getByLabel('Reset code').waitFor();
  expect(await page.getByRole('tab', { name: 'Security' }).getAttribute('aria-selected')).toBe('true');
});

it('an offline device is told so, keeps the typed text, and goes on when the network is back', async () => {
  const { page, context, client } = await suite.enter('both');
  await page.goto('/dashboard');
  await page.getByTestId('seller-analytics').waitFor();
  // The section is there before its figures.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  const notice = page.getByRole('status').filter({ hasText: 'You’re offline' });
  await notice.filter({ hasText: /Figures are from \d/ }).waitFor();

  await context.setOffline(false);
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const name = page.getByLabel('First name');
  await name.waitFor();
  await context.setOffline(true);
  await notice.waitFor();
  await name.fill('Offline');
  await name.press('Enter');
  expect(await notice.innerText()).not.toContain('Figures');
  expect(await name.inputValue()).toBe('Offline');
  expect(await page.locator('[data-variant]').count()).toBe(0);
  await context.setOffline(false);
  await toastTitled(page, 'Profile Updated').waitFor();
  expect((await client.get('/api/auth/user')).body.firstName).toBe('Offline');
});
