import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { appCode } from '../server/testing/accounts/second-factor.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves SEC-06, SEC-21
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
