import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import { fillSignIn, fillSignUp, signIn } from './support/forms.ts';
import { codeFromMail } from './support/mail.ts';
import { hold, recordCalls } from './support/people.ts';
import { useVisitor } from './support/use-fixture.ts';

const suite = useVisitor();

let page: Page;
beforeEach(() => {
  ({ page } = suite.visitor);
});

const EIGHT = 'eight-8c';

// Proves CONST-06, CONST-07, VAL-02, VAL-11, VAL-12
it('sign-up and password reset require a code of 4 characters and a password of at least 8', async () => {
  const email = 'eight@example.test';
  await fillSignUp(page, email, EIGHT.slice(1));
  const calls = recordCalls(page);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('alert').filter({ hasText: 'Password must be at least 8 characters' }).waitFor();
  expect(calls).toEqual([]);
  await page.getByLabel('Password', { exact: true }).fill(EIGHT);
  await page.getByRole('button', { name: 'Create Account' }).click();
  const proof = await codeFromMail(suite.fixture.server.anyone(), email);
  expect(proof).toMatch(/^.{4}$/);
  await page.getByLabel('Verification code').fill(proof);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('dialog', { name: /^Welcome/ }).waitFor();

  await page.context().clearCookies();
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await page.getByLabel('Reset code').waitFor();
  await expect.poll(() => codeFromMail(suite.fixture.server.anyone(), email)).not.toBe(proof);
  const reset = await codeFromMail(suite.fixture.server.anyone(), email);
  expect(reset).toMatch(/^.{4}$/);

  const asked = calls.length;
  const set = async (password: string, code: string) => {
    await page.getByLabel('Reset code').fill(code);
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('Confirm password').fill(password);
    await page.getByRole('button', { name: 'Reset Password' }).click();
  };
  const next = EIGHT.toUpperCase();
  await set(next, reset.slice(1));
  await page.getByRole('alert').filter({ hasText: 'Reset code must be 4 digits' }).waitFor();
  await set(next.slice(1), reset);
  await page.getByRole('alert').filter({ hasText: 'Password must be at least 8 characters' }).waitFor();
  expect(calls).toHaveLength(asked);
  await set(next, reset);
  await signIn(page, email, next);
  await page.waitForURL('/');
});

/** Double-clicks the button, and expects it to be disabled until the held answer arrives and to send one request. */
async function clickOnceOnly(button: string, path: string): Promise<void> {
  const release = await hold(page, path);
  const calls = recordCalls(page);
  const locator = page.getByRole('button', { name: button, exact: true });
  const asked = page.waitForRequest(`**${path}`);
  await locator.dblclick();
  await asked;
  expect(await locator.isDisabled()).toBe(true);
  const answered = page.waitForResponse(`**${path}`);
  release();
  await answered;
  expect(calls.filter((call) => call.startsWith(`POST ${path}`))).toHaveLength(1);
}

// Proves STATE-23
it('a double click sends each form of /auth only once', async () => {
  const email = 'once@example.test';
  await fillSignUp(page, email);
  await clickOnceOnly('Create Account', '/api/auth/register');
  await page.getByLabel('Verification code').fill('0000');
  await clickOnceOnly('Verify Email', '/api/auth/verify-email');
  await clickOnceOnly('Resend code', '/api/auth/resend-code');

  await page.getByRole('button', { name: 'Back to login' }).click();
  await fillSignIn(page, 'nobody@example.test');
  await clickOnceOnly('Sign In', '/api/auth/login');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await clickOnceOnly('Send Reset Code', '/api/auth/forgot-password');
  await page.getByLabel('Reset code').fill('0000');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await clickOnceOnly('Reset Password', '/api/auth/reset-password');
});

// Proves ERR-56
it('every form of /auth shows the server’s message when the server refuses it', async () => {
  const refuse = async (path: string) =>
    await page.route(`**${path}`, async (route) => {
      await route.fulfill({ status: 422, json: { message: `No to ${path}` } });
    });
  const paths = ['register', 'login', 'forgot-password', 'reset-password', 'verify-email', 'resend-code'].map(
    (name) => `/api/auth/${name}`,
  );
  await fillSignUp(page, 'refused@example.test');
  for (const path of paths) await refuse(path);
  const press = async (button: string, path: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByText(`No to ${path}`).first().waitFor();
  };

  await press('Create Account', '/api/auth/register');
  await page.unroute('**/api/auth/register');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').fill('0000');
  await press('Verify Email', '/api/auth/verify-email');
  await press('Resend code', '/api/auth/resend-code');
  await page.getByRole('button', { name: 'Back to login' }).click();
  await fillSignIn(page, 'refused@example.test');
  await press('Sign In', '/api/auth/login');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await press('Send Reset Code', '/api/auth/forgot-password');
  await page.unroute('**/api/auth/forgot-password');
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await page.getByLabel('Reset code').fill('0000');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await press('Reset Password', '/api/auth/reset-password');
});
