import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import { fillSignIn, fillSignUp, signIn } from './support/forms.ts';
import { resize } from './support/layout.ts';
import { codeFromMail } from './support/mail.ts';
import { answer, assertNoErrors, pathOf, recordCalls, toastTitled } from './support/people.ts';
import { leave, type Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** A visitor, whose page stays open from test to test until they have signed in. */
let visitor: Person;
let page: Page;

beforeAll(async () => {
  visitor = await suite.fixture.enter();
  ({ page } = visitor);
});
afterAll(() => assertNoErrors(visitor));

/** The shortest password. */
const EIGHT = 'eight-8c';

// Proves AUTH-14, AUTH-15, AUTH-16, AUTH-17, AUTH-18
it('the auth page shows the marketing panel from 1024 px on', async () => {
  await page.goto('/auth?tab=signup');
  await page.getByText(/join and start monetizing your website traffic/i).waitFor();
  for (const text of [
    'Welcome to Openslot',
    'Real-time performance tracking',
    'Secure payment processing',
    'Multiple ad formats',
  ]) {
    expect(await page.getByText(text).isVisible()).toBe(true);
  }
  // The marketing panel needs 1024 px. [OP-113]
  await resize(page, { width: 1023, height: 900 });
  expect(await page.getByText('Secure payment processing').isVisible()).toBe(false);
  expect(await page.getByText(/join and start monetizing your website traffic/i).isVisible()).toBe(true);
  await resize(page, { width: 1280, height: 900 });
});

// Proves VAL-07, VAL-08, AUTH-07, ERR-25
it('the sign-in form refuses invalid fields, and a wrong password or a failed login shows a toast and stays on /auth', async () => {
  await page.getByRole('tab', { name: 'Sign In' }).click();
  const calls = recordCalls(page);
  await page.getByLabel('Email').fill('abc');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Password is required').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(2);
  expect(calls).toEqual([]);
  expect(await page.getByRole('button', { name: 'Forgot your password?' }).isVisible()).toBe(true);

  await signIn(page, 'nobody@example.test', 'wrong password');
  const toast = toastTitled(page, 'Login Failed');
  await toast.waitFor();
  expect(await toast.getAttribute('data-variant')).toBe('destructive');
  expect(await toast.innerText()).toContain('Invalid email or password');
  await toast.getByRole('button', { name: 'Close' }).click();
  await toast.waitFor({ state: 'detached' });
  for (const [reply, words] of [
    [{ status: 400, json: { message: 'M1' } }, 'M1'],
    [{ status: 500, json: {} }, 'Invalid email or password'],
  ] as const) {
    await answer(page, '/api/auth/login', reply);
    await signIn(page, 'nobody@example.test', 'a password');
    await toast.filter({ hasText: words }).waitFor();
  }
  expect(pathOf(page)).toBe('/auth');
  await page.unroute('**/api/auth/login');
});

// Proves AUTH-08, ERR-26, STATE-16
it('signing in with an unverified account leads to the verification code', async () => {
  const email = 'unverified@example.test';
  const account = { email, password: PASSWORD, firstName: 'Nia', lastName: 'New' };
  expect((await suite.fixture.server.anyone().post('/api/auth/register', account)).status).toBeLessThan(300);
  await signIn(page, email);
  await toastTitled(page, 'Email Verification Required')
    .filter({ hasText: 'Please verify your email before logging in.' })
    .waitFor();
  await page.getByText('unverified@example.test').waitFor();
  expect(await page.getByLabel('Verification code').isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Back to login' }).click();
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
});

// Proves ERR-34, ERR-35, ERR-37
it('the reset forms say when a code cannot be sent or a password cannot be reset', async () => {
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill('a@example.test');
  const send = page.getByRole('button', { name: 'Send Reset Code' });
  await answer(page, '/api/auth/forgot-password', { status: 500, body: '' });
  await send.click();
  await page.getByText('Failed to send reset code').waitFor();
  await answer(page, '/api/auth/forgot-password', null);
  await send.click();
  await page.getByText('Network error: Please check your connection and try again').waitFor();
  await page.unroute('**/api/auth/forgot-password');
  await send.click();

  await page.getByLabel('Reset code').fill('ABCD');
  await page.getByLabel('New password').fill('eight-8c');
  await page.getByLabel('Confirm password').fill('eight-8c');
  await answer(page, '/api/auth/reset-password', { status: 500, json: {} });
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Password reset failed').waitFor();
  await answer(page, '/api/auth/reset-password', null);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Network error: Please check your connection and try again').waitFor();
  await page.unroute('**/api/auth/reset-password');
  await page.getByRole('button', { name: 'Back to email entry' }).click();
  await page.getByRole('button', { name: 'Back to login' }).click();
});

// Proves CONST-06, CONST-07, AUTH-05, AUTH-06, AUTH-09, AUTH-10, AUTH-11, AUTH-24, ERR-24, ERR-36, VAL-11, VAL-12, VAL-13, VAL-14, STATE-14, STATE-21
it('a password can be reset with the mailed code, and the new password signs in', async () => {
  await suite.fixture.server.signIn('both', { email: 'forgetful@example.test', firstName: 'Fay' });
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Back to login' }).click();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill('forgetful@example.test');
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await page.getByLabel('Reset code').waitFor();
  await page.getByRole('button', { name: 'Back to email entry' }).click();
  await page.getByRole('button', { name: 'Send Reset Code' }).click();

  const fields = {
    code: page.getByLabel('Reset code'),
    one: page.getByLabel('New password'),
    two: page.getByLabel('Confirm password'),
  };
  const submit = page.getByRole('button', { name: 'Reset Password' });
  const calls = recordCalls(page);
  await fields.code.fill('abc');
  await fields.one.fill('1234567');
  await fields.two.fill('different');
  await submit.click();
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toEqual([
      'Reset code must be 4 digits',
      'Password must be at least 8 characters',
      "Passwords don't match",
    ]);
  expect(calls).toEqual([]);

  const code = await codeFromMail(suite.fixture.server.anyone(), 'forgetful@example.test');
  expect(code).toMatch(/^.{4}$/);
  await fields.code.fill(code);
  await fields.one.fill(EIGHT);
  await fields.two.fill(EIGHT);
  await submit.click();
  await page.getByText('Password reset successful! You can now sign in with your new password.').waitFor();
  expect(calls).toEqual([
    `POST /api/auth/reset-password ${JSON.stringify({ email: 'forgetful@example.test', code, newPassword: EIGHT })}`,
  ]);
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  await signIn(page, 'forgetful@example.test', EIGHT);
  await page.waitForURL('/');
  await page.getByText('Welcome back, Fay!').waitFor();
  await toastTitled(page, 'Login Successful').filter({ hasText: 'Welcome back!' }).waitFor();
});

// Proves AUTH-21, ACC-14
it('/auth redirects a signed-in user to Home', async () => {
  await page.goto('/auth');
  await page.waitForURL('/');
  await page.getByText('Welcome back').waitFor();
});

// Proves LITE-3
it('a form is sent to the server unchecked if its schema does not arrive, and two early submits are sent once', async () => {
  const other = await suite.fixture.enter();
  const { page } = other;
  let blocked = true;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/schemas-*.js', async (route) => {
    if (blocked) return await route.abort();
    await held;
    await route.continue();
  });
  const calls = recordCalls(page);
  const sent = () => calls.filter((call) => call.startsWith('POST /api/auth/login')).length;
  await page.goto('/auth');
  await signIn(page, 'nobody@example.test', 'wrong password');
  await toastTitled(page, 'Login Failed').waitFor();
  expect(sent()).toBe(1);

  blocked = false;
  await page.goto('/auth');
  await page.getByLabel('Email').fill('nobody@example.test');
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign In' }).dblclick();
  expect(sent()).toBe(1);
  release();
  await toastTitled(page, 'Login Failed').waitFor();
  expect(sent()).toBe(2);
  assertNoErrors(other);
  await leave(page);
});

// Proves STATE-23, ERR-56
it('a double click sends each form of /auth only once, and each shows the server’s message when the server refuses it', async () => {
  const visitor = await suite.fixture.enter();
  const { page } = visitor;
  const email = 'once@example.test';

  /** Double-clicks the button, and expects it to be disabled until the held refusal arrives and to send one request. */
  async function refuseOnce(button: string, path: string): Promise<void> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const refuse = async (route: Route) => {
      await held;
      await route.fulfill({ status: 422, json: { message: `No to ${path}` } });
    };
    await page.route(`**${path}`, refuse);
    const calls = recordCalls(page);
    const locator = page.getByRole('button', { name: button, exact: true });
    const asked = page.waitForRequest(`**${path}`);
    await locator.dblclick();
    await asked;
    expect(await locator.isDisabled()).toBe(true);
    release();
    await page.getByText(`No to ${path}`).first().waitFor();
    expect(calls.filter((call) => call.startsWith(`POST ${path}`))).toHaveLength(1);
    await page.unroute(`**${path}`, refuse);
  }

  await fillSignUp(page, email);
  await refuseOnce('Create Account', '/api/auth/register');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').fill('0000');
  await refuseOnce('Verify Email', '/api/auth/verify-email');
  await refuseOnce('Resend code', '/api/auth/resend-code');

  await page.getByRole('button', { name: 'Back to login' }).click();
  await fillSignIn(page, 'nobody@example.test');
  await refuseOnce('Sign In', '/api/auth/login');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await refuseOnce('Send Reset Code', '/api/auth/forgot-password');
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await page.getByLabel('Reset code').fill('0000');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await refuseOnce('Reset Password', '/api/auth/reset-password');
  assertNoErrors(visitor);
  await leave(page);
});
