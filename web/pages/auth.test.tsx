import { expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { z } from 'zod';
import {
  checkEmail,
  forgotPassword,
  getCurrentUser,
  login,
  register,
  resendCode,
  resetPassword,
  verifyEmail,
} from '#domain/accounts/contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { toastTitled } from '#web/testing/account.ts';
import { answer, broken, offline, refused, slow } from '#web/testing/answers.ts';
import { stopClock } from '#web/testing/clock.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { openPage } from '#web/testing/screen.tsx';

const EMAIL = 'nia@x.test';
/** The shortest password. */
const EIGHT = 'eight-8c';
const done = { success: true as const };

const field = (label: string) => page.getByLabelText(label, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const alerts = () =>
  page
    .getByRole('alert')
    .elements()
    .map(({ textContent }) => textContent)
    .toSorted();

/** Opens the forms of a visitor whose e-mail address is free. */
async function openAuth(path = '/auth'): Promise<void> {
  answerNewAccount();
  answer(checkEmail, { available: true });
  await openPage(path);
  await expect.element(page.getByRole('tab', { selected: true })).toBeVisible();
}

async function fillSignUp(password = EIGHT): Promise<void> {
  await field('First name').fill('Nia');
  await field('Last name').fill('New');
  await field('Email').fill(EMAIL);
  await field('Password').fill(password);
  await expect.element(page.getByText('Email address is ok')).toBeVisible();
}

/** Goes on from a registration to the form that asks for the code. */
async function openVerification(): Promise<void> {
  await openAuth('/auth?tab=signup');
  answer(register, { ...done, requiresVerification: true });
  await fillSignUp();
  await button('Create Account').click();
  await expect.element(field('Verification code')).toBeVisible();
}

async function fillSignIn(email = EMAIL, password = 'a password'): Promise<void> {
  await field('Email').fill(email);
  await field('Password').fill(password);
}

async function fillReset(code = 'ABCD'): Promise<void> {
  await field('Reset code').fill(code);
  await field('New password').fill(EIGHT);
  await field('Confirm password').fill(EIGHT);
}

/** Expects that the field has the focus, is marked invalid, and has these words as its description. */
async function expectFieldError(label: string, words: string): Promise<void> {
  await expect.element(field(label)).toHaveFocus();
  await expect.element(field(label)).toBeInvalid();
  await expect.element(field(label)).toHaveAccessibleDescription(expect.stringContaining(words));
}

// Proves AUTH-14
it('the auth page shows the marketing panel from 1024 px on', async () => {
  await openAuth('/auth?tab=signup');
  const join = page.getByText(/join and start monetizing your website traffic/i);
  await expect.element(join).toBeVisible();
  for (const text of [
    'Welcome to Openslot',
    'Real-time performance tracking',
    'Secure payment processing',
    'Multiple ad formats',
  ])
    await expect.element(page.getByText(text)).toBeVisible();
  // The marketing panel needs 1024 px. [OP-113]
  await page.viewport(1023, 900);
  await expect.element(page.getByText('Secure payment processing')).not.toBeVisible();
  await expect.element(join).toBeVisible();
  await page.viewport(1280, 900);
});

// Proves VAL-01, VAL-02, VAL-03, VAL-05
it('the sign-up form shows invalid fields on submit and sends nothing', async () => {
  await openAuth('/auth?tab=signup');
  const sent = answer(register, { ...done, requiresVerification: true });
  await field('Email').fill('abc');
  await field('Password').fill('1234567');
  await field('First name').click();
  expect(alerts()).toEqual([]);
  await button('Create Account').click();
  await expect
    .poll(alerts)
    .toEqual([
      'First name is required',
      'Last name is required',
      'Password must be at least 8 characters',
      'Please enter a valid email address',
    ]);
  expect(sent).toEqual([]);
});

// Proves VAL-01, VAL-03
it('the forms of a visitor move the focus to the first invalid field', async () => {
  await openAuth();
  await button('Sign In').click();
  await expectFieldError('Email', 'Please enter a valid email address');
  await field('Email').fill('a@b.test');
  await button('Sign In').click();
  await expectFieldError('Password', 'Password is required');

  answer(forgotPassword, done);
  await button('Forgot your password?').click();
  await field('Email').fill('nobody');
  await button('Send Reset Code').click();
  await expectFieldError('Email', 'Please enter a valid email address');
  await field('Email').fill('nobody@nowhere.test');
  await button('Send Reset Code').click();
  await field('Reset code').fill('AB');
  await button('Reset Password').click();
  await expectFieldError('Reset code', 'Reset code must be 4 digits');

  await button('Back to email entry').click();
  await button('Back to login').click();
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await field('First name').fill('Nia');
  await button('Create Account').click();
  await expectFieldError('Last name', 'Last name is required');
  await expect.element(field('First name')).toHaveValue('Nia');
});

// Proves VAL-19, ERR-38, STATE-22
it('the sign-up form refuses an e-mail address that is registered, and says at the field when the check failed', async () => {
  await openAuth('/auth?tab=signup');
  answer(checkEmail, { available: false });
  await field('Email').fill('taken@example.test');
  await expect.element(page.getByText('Email is already registered')).toBeVisible();
  await expect.element(button('Create Account')).toBeDisabled();
  answer(checkEmail, refused(429, 'Too many requests'));
  await field('Email').fill('a@x.test');
  await expect.element(page.getByText('Too many requests. Please wait before checking again.')).toBeVisible();
  answer(checkEmail, broken);
  await field('Email').fill('b@x.test');
  await expect.element(page.getByText('Unable to verify email. Please try again.')).toBeVisible();
});

// Proves VAL-15, STATE-22
it('the sign-up form checks the e-mail address 800 ms after the last key press', async () => {
  await openAuth('/auth?tab=signup');
  const { answer: held, release } = slow({ available: true });
  const checks = answer(checkEmail, held);
  await field('Email').click();
  const clock = stopClock();
  await userEvent.keyboard('abc');
  await clock.pass(2000);
  expect(checks).toEqual([]);

  for (const letter of '@x.test') {
    await userEvent.keyboard(letter);
    await clock.pass(100);
  }
  await clock.pass(650);
  expect(checks).toEqual([]);
  await clock.pass(100);
  await expect.poll(() => checks.map(({ body }) => body)).toEqual([{ email: 'abc@x.test' }]);
  await expect.element(page.getByText('Checking availability...')).toBeVisible();
  await expect.element(button('Create Account')).toBeDisabled();

  release();
  await expect.element(page.getByText('Email address is ok')).toBeVisible();
  await expect.element(button('Create Account')).toBeEnabled();
});

// Proves ERR-22, ERR-23, ERR-56
it('a failed registration shows the server’s error message or a fallback', async () => {
  await openAuth('/auth?tab=signup');
  await fillSignUp();
  for (const [status, message, words] of [
    [400, 'M1', 'M1'],
    [500, '', 'An error occurred during registration'],
  ] as const) {
    answer(register, refused(status, message));
    await button('Create Account').click();
    await expect.element(toastTitled('Registration Failed').getByText(words)).toBeVisible();
  }
});

// Proves STATE-15, AUTH-04, ERR-21, VAL-02
it('the verification form opens 100 ms after the registration, which sends the timezone of the browser', async () => {
  await openAuth('/auth?tab=signup');
  const sent = answer(register, { ...done, requiresVerification: true });
  await fillSignUp();
  const clock = stopClock();
  await button('Create Account').click();
  const told = toastTitled('Registration Successful');
  await expect.element(told.getByText('Please check your email for a verification code.')).toBeVisible();
  await clock.pass(90);
  await expect.element(field('Verification code')).not.toBeInTheDocument();
  await clock.pass(20);
  await expect.element(field('Verification code')).toBeVisible();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(sent.map(({ body }) => body)).toEqual([
    { firstName: 'Nia', lastName: 'New', email: EMAIL, password: EIGHT, timezone: timeZone },
  ]);
});

// Proves ERR-27, ERR-28, ERR-30, ERR-31, ERR-32, ERR-33, VAL-09, AUTH-04, AUTH-12, STATE-20
it('the verification form says at the code when it is wrong, has expired or could not be verified, and sends another', async () => {
  await openVerification();
  const code = field('Verification code');
  const verified = answer(verifyEmail, refused(400, 'Invalid verification code'));
  await code.fill('abc');
  await button('Verify Email').click();
  await expect.element(page.getByText('Verification code must be 4 digits')).toBeVisible();
  expect(verified).toEqual([]);
  await userEvent.keyboard('000');
  await code.click();
  await userEvent.keyboard('000');
  expect((code.element() as HTMLInputElement).value).toHaveLength(4);

  await button('Verify Email').click();
  const invalid = page.getByText('Invalid verification code. Please check and try again.');
  await expect.element(invalid).toBeVisible();
  expect(document.querySelectorAll('[data-variant=destructive]')).toHaveLength(0);

  for (const [status, message, words] of [
    [400, 'Verification code has expired', 'Verification code has expired. Please request a new one.'],
    [500, 'M1', 'M1'],
    [500, '', 'Verification failed. Please try again.'],
  ] as const) {
    answer(verifyEmail, refused(status, message));
    await button('Verify Email').click();
    await expect.element(page.getByRole('alert').getByText(words)).toBeVisible();
  }

  answer(resendCode, broken);
  await button('Resend code').click();
  await expect.element(toastTitled('Failed to Send Code')).toBeVisible();
  const resent = answer(resendCode, done);
  answer(verifyEmail, refused(400, 'Invalid verification code'));
  await button('Verify Email').click();
  await expect.element(invalid).toBeVisible();
  await button('Resend code').click();
  await expect
    .element(toastTitled('Code Sent').getByText('A new verification code has been sent to your email.'))
    .toBeVisible();
  await expect.element(invalid).not.toBeInTheDocument();
  expect(resent.map(({ body }) => body)).toEqual([{ email: EMAIL }]);
});

// Proves AUTH-25, ERR-30
it('a verified address signs the new user in and opens Home', async () => {
  await openVerification();
  const user = person('both', { email: EMAIL });
  answer(getCurrentUser, user);
  const verified = answer(verifyEmail, { user });
  await field('Verification code').fill('AB1C');
  await button('Verify Email').click();
  await expect.poll(() => window.location.pathname).toBe('/');
  await expect
    .element(toastTitled('Email Verified').getByText('Your account is now active! Welcome to the product!'))
    .toBeVisible();
  expect(verified.map(({ body }) => body)).toEqual([{ email: EMAIL, code: 'AB1C' }]);
});

// Proves VAL-07, AUTH-07, ERR-25
it('the sign-in form refuses invalid fields, and a wrong password or a failed login shows a toast and stays on /auth', async () => {
  await openAuth();
  const sent = answer(login, refused(401, 'Invalid email or password'));
  await field('Email').fill('abc');
  await button('Sign In').click();
  await expect.poll(alerts).toEqual(['Password is required', 'Please enter a valid email address']);
  expect(sent).toEqual([]);
  await expect.element(button('Forgot your password?')).toBeVisible();

  await fillSignIn('nobody@example.test', 'wrong password');
  await button('Sign In').click();
  const toast = toastTitled('Login Failed');
  await expect.element(toast.getByText('Invalid email or password')).toBeVisible();
  await expect.element(toast).toHaveAttribute('data-variant', 'destructive');
  expect(sent.map(({ body }) => body)).toEqual([
    { email: 'nobody@example.test', password: 'wrong password' },
  ]);
  for (const [status, message, words] of [
    [400, 'M1', 'M1'],
    [500, '', 'Invalid email or password'],
  ] as const) {
    await toast.getByRole('button', { name: 'Close' }).click();
    await expect.element(toast).not.toBeInTheDocument();
    answer(login, refused(status, message));
    await button('Sign In').click();
    await expect.element(toast.getByText(words)).toBeVisible();
  }
  expect(window.location.pathname).toBe('/auth');
});

// Proves AUTH-08, ERR-26
it('signing in with an unverified account leads to the verification code', async () => {
  await openAuth();
  answer(login, { requiresVerification: true });
  await fillSignIn('unverified@example.test');
  await button('Sign In').click();
  await expect
    .element(
      toastTitled('Email Verification Required').getByText('Please verify your email before logging in.'),
    )
    .toBeVisible();
  await expect.element(page.getByText('unverified@example.test')).toBeVisible();
  await expect.element(field('Verification code')).toBeVisible();
  await button('Back to login').click();
  await expect.element(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible();
});

// Proves AUTH-24, ERR-24, API-13
it('a user who signs in comes to Home, which greets them', async () => {
  await openAuth();
  answer(login, { user: person('both', { firstName: 'Fay' }) });
  await fillSignIn();
  await button('Sign In').click();
  await expect.poll(() => window.location.pathname).toBe('/');
  await expect.element(page.getByText('Welcome back, Fay!')).toBeVisible();
  await expect.element(toastTitled('Login Successful').getByText('Welcome back!')).toBeVisible();
});

// Proves ERR-34, ERR-35, ERR-37
it('the reset forms say when a code cannot be sent or a password cannot be reset', async () => {
  await openAuth();
  const network = page.getByText('Network error: Please check your connection and try again');
  await button('Forgot your password?').click();
  await field('Email').fill('a@example.test');
  for (const [trouble, shown] of [
    [refused(500, ''), page.getByText('Failed to send reset code')],
    [offline, network],
  ] as const) {
    answer(forgotPassword, trouble);
    await button('Send Reset Code').click();
    await expect.element(shown).toBeVisible();
  }
  answer(forgotPassword, done);
  await button('Send Reset Code').click();
  await expect.element(field('Reset code')).toBeVisible();
  await fillReset();
  for (const [trouble, shown] of [
    [refused(500, ''), page.getByText('Password reset failed')],
    [offline, network],
  ] as const) {
    answer(resetPassword, trouble);
    await button('Reset Password').click();
    await expect.element(shown).toBeVisible();
  }
});

// Proves AUTH-05, AUTH-04, VAL-11, VAL-13, ERR-36
it('the reset form checks its fields, sends the code with the new password, and returns to the sign-in', async () => {
  await openAuth();
  await button('Forgot your password?').click();
  await button('Back to login').click();
  await button('Forgot your password?').click();
  const asked = answer(forgotPassword, done);
  await field('Email').fill(EMAIL);
  await button('Send Reset Code').click();
  await expect.element(field('Reset code')).toBeVisible();
  await button('Back to email entry').click();
  await expect.element(field('Email')).toHaveValue(EMAIL);
  await button('Send Reset Code').click();
  expect(asked.map(({ body }) => body)).toEqual([{ email: EMAIL }, { email: EMAIL }]);

  const sent = answer(resetPassword, done);
  await field('Reset code').fill('abc');
  await field('New password').fill('1234567');
  await field('Confirm password').fill('different');
  await button('Reset Password').click();
  await expect
    .poll(alerts)
    .toEqual([
      'Password must be at least 8 characters',
      "Passwords don't match",
      'Reset code must be 4 digits',
    ]);
  expect(sent).toEqual([]);

  await fillReset('AB1C');
  await button('Reset Password').click();
  await expect
    .element(page.getByText('Password reset successful! You can now sign in with your new password.'))
    .toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ email: EMAIL, code: 'AB1C', newPassword: EIGHT }]);
  await expect.element(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible();
});

// Proves AUTH-21, ACC-14
it('/auth redirects a signed-in user to Home', async () => {
  answerNewAccount();
  await openPage('/auth', { as: person('both') });
  await expect.poll(() => window.location.pathname).toBe('/');
  await expect.element(page.getByText(/^Welcome back/)).toBeVisible();
});

/**
 * Expects that the refusal of a form is shown, and that a double click on its button sends one call and disables the button
 * until the answer, which leads to `next`.
 */
async function expectSentOnce<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(name: string, endpoint: Endpoint<P, Q, B, R>, reply: z.output<R>, next: Locator): Promise<void> {
  answer(endpoint, refused(422, `No to ${name}`));
  await button(name).click();
  await expect.element(page.getByText(`No to ${name}`).first()).toBeVisible();
  await expect.element(button(name)).toBeEnabled();
  const { answer: held, release } = slow(reply);
  const calls = answer(endpoint, held);
  await button(name).dblClick();
  await expect.poll(() => calls).toHaveLength(1);
  await expect.element(button(name)).toBeDisabled();
  release();
  await expect.element(next).toBeVisible();
  expect(calls).toHaveLength(1);
}

// Proves STATE-23, ERR-56
it('a double click sends each form of a new account only once, and each shows the server’s message when the server refuses it', async () => {
  await openAuth('/auth?tab=signup');
  await fillSignUp();
  const code = field('Verification code');
  await expectSentOnce('Create Account', register, { ...done, requiresVerification: true }, code);
  await expectSentOnce('Resend code', resendCode, done, toastTitled('Code Sent'));
  await code.fill('0000');
  const user = person('both');
  answer(getCurrentUser, user);
  await expectSentOnce('Verify Email', verifyEmail, { user }, page.getByText(/^Welcome back/));
  expect(window.location.pathname).toBe('/');
});

// Proves STATE-23, ERR-56
it('a double click sends each form of a sign-in only once, and each shows the server’s message when the server refuses it', async () => {
  await openAuth();
  await fillSignIn();
  await expectSentOnce('Sign In', login, { requiresVerification: true }, field('Verification code'));
  await button('Back to login').click();
  await button('Forgot your password?').click();
  await field('Email').fill(EMAIL);
  await expectSentOnce('Send Reset Code', forgotPassword, done, field('Reset code'));
  await fillReset('0000');
  await expectSentOnce(
    'Reset Password',
    resetPassword,
    done,
    page.getByRole('tab', { name: 'Sign In', selected: true }),
  );
  expect(window.location.pathname).toBe('/auth');
});
