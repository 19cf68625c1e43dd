import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import {
  answer,
  assertNoErrors,
  enterAs,
  recordCalls,
  runUntil,
  stopClock,
  toastTitled,
} from './support/people.ts';
import { codeFromMail } from './support/mail.ts';
import { openStage, type Person, type Stage } from './support/stage.ts';

let stage: Stage;
let visitor: Person;

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  visitor = await stage.enter();
});
afterEach(async () => {
  assertNoErrors(visitor);
  await visitor.context.close();
});
afterAll(async () => {
  await stage.close();
});

async function fillSignUp(email: string): Promise<void> {
  const { page } = visitor;
  await page.goto('/auth?tab=signup');
  await page.getByLabel('First name').fill('Nia');
  await page.getByLabel('Last name').fill('New');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByText('Email address is ok').waitFor();
}

async function signUp(email: string): Promise<void> {
  await fillSignUp(email);
  await visitor.page.getByRole('button', { name: 'Create Account' }).click();
  await visitor.page.getByLabel('Verification code').waitFor();
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  const { page } = visitor;
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

it('VAL-01 VAL-02 VAL-03 VAL-04 VAL-05 sign-up is validated on submit, and nothing is sent', async () => {
  const { page } = visitor;
  await page.goto('/auth?tab=signup');
  await page.getByLabel('Email').waitFor();
  const calls = recordCalls(page);
  await page.getByLabel('Email').fill('abc');
  await page.getByLabel('Password', { exact: true }).fill('1234567');
  await page.getByLabel('First name').focus();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('button', { name: 'Create Account' }).click();
  expect((await page.getByRole('alert').allInnerTexts()).toSorted()).toEqual([
    'First name is required',
    'Last name is required',
    'Password must be at least 8 characters',
    'Please enter a valid email address',
  ]);
  expect(calls).toEqual([]);
});

it('VAL-15 VAL-16 VAL-17 VAL-18 VAL-21 STATE-22 CONST-08 the e-mail is checked 800 ms after the last letter', async () => {
  const { page } = visitor;
  await page.goto('/auth?tab=signup');
  await page.getByLabel('Email').waitFor();
  const calls = recordCalls(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/auth/check-email', async (route) => {
    await held;
    await route.continue();
  });
  await stopClock(page);

  await page.getByLabel('Email').pressSequentially('abc');
  await page.clock.runFor(2000);
  expect(calls).toEqual([]);

  for (const letter of '@x.test') {
    await page.keyboard.press(letter);
    await page.clock.runFor(100);
  }
  await page.clock.runFor(650);
  expect(calls).toEqual([]);
  await page.clock.runFor(100);
  await runUntil(page, () => page.getByText('Checking availability...').isVisible());
  expect(calls).toEqual(['POST /api/auth/check-email {"email":"abc@x.test"}']);
  expect(await page.getByRole('button', { name: 'Create Account' }).isDisabled()).toBe(true);

  release();
  await runUntil(page, () => page.getByText('Email address is ok').isVisible());
  expect(await page.getByRole('button', { name: 'Create Account' }).isEnabled()).toBe(true);
});

it('VAL-19 VAL-20 a registered address is said to be taken, and cannot be submitted', async () => {
  await stage.server.signIn('both', { email: 'taken@example.test' });
  const { page } = visitor;
  await page.goto('/auth?tab=signup');
  await page.getByLabel('Email').fill('taken@example.test');
  await page.getByText('Email is already registered').waitFor();
  expect(await page.getByRole('button', { name: 'Create Account' }).isDisabled()).toBe(true);
});

it('ERR-38 ERR-39 a failing e-mail check is told at the field', async () => {
  const { page } = visitor;
  await page.goto('/auth?tab=signup');
  await answer(page, '/api/auth/check-email', { status: 429, json: { message: 'Too many requests' } });
  await page.getByLabel('Email').fill('a@x.test');
  await page.getByText('Too many requests. Please wait before checking again.').waitFor();
  await answer(page, '/api/auth/check-email', { status: 500, body: '' });
  await page.getByLabel('Email').fill('b@x.test');
  await page.getByText('Unable to verify email. Please try again.').waitFor();
});

it('AUTH-04 AUTH-12 AUTH-13 AUTH-25 ERR-21 ERR-27 ERR-30 ERR-31 ERR-32 VAL-09 VAL-10 VAL-55 STATE-15 STATE-17 STATE-20 ONB-01 sign-up, a wrong code, another code, and in', async () => {
  const { page } = visitor;
  await signUp('nia@example.test');
  expect(await toastTitled(page, 'Registration Successful').innerText()).toContain(
    'Please check your email for a verification code.',
  );
  const code = page.getByLabel('Verification code');
  await code.fill('abc');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByText('Verification code must be 4 digits').waitFor();
  await code.pressSequentially('00000'.slice(0, 3));
  expect((await code.inputValue()).length).toBe(4);

  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByText('Invalid verification code. Please check and try again.').waitFor();
  expect(await page.locator('[data-variant=destructive]').count()).toBe(0);

  const first = await codeFromMail(stage.server.anyone(), 'nia@example.test');
  await page.getByRole('button', { name: 'Resend code' }).click();
  expect(await toastTitled(page, 'Code Sent').innerText()).toContain(
    'A new verification code has been sent to your email.',
  );
  expect(await page.getByText('Invalid verification code. Please').count()).toBe(0);
  await expect.poll(() => codeFromMail(stage.server.anyone(), 'nia@example.test')).not.toBe(first);

  const calls = recordCalls(page);
  await code.fill(await codeFromMail(stage.server.anyone(), 'nia@example.test'));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  expect(await toastTitled(page, 'Email Verified').innerText()).toContain(
    'Your account is now active! Welcome to the product!',
  );
  await page.getByRole('dialog', { name: 'Welcome to Openslot' }).waitFor();
  expect(calls.findIndex((call) => call === 'GET /api/auth/user')).toBeGreaterThan(
    calls.findIndex((call) => call.startsWith('POST /api/auth/verify-email')),
  );
});

it('STATE-15 CONST-09 the code field comes 100 ms after the registration', async () => {
  const { page } = visitor;
  await fillSignUp('pause@example.test');
  await stopClock(page);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await runUntil(page, () => toastTitled(page, 'Registration Successful').isVisible());
  expect(await page.getByLabel('Verification code').count()).toBe(0);
  await page.clock.runFor(110);
  await page.getByLabel('Verification code').waitFor();
});

it('STATE-23 a double click sends one request, and the button is disabled until the answer', async () => {
  const { page } = visitor;
  await fillSignUp('double@example.test');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/auth/register', async (route) => {
    await held;
    await route.continue();
  });
  const calls = recordCalls(page);
  const button = page.getByRole('button', { name: 'Create Account' });
  await button.dblclick();
  expect(await button.isDisabled()).toBe(true);
  release();
  await page.getByLabel('Verification code').waitFor();
  expect(calls.filter((call) => call.startsWith('POST /api/auth/register'))).toHaveLength(1);
});

it('ERR-22 ERR-23 a failed registration is told with the words of the server, or ours', async () => {
  const { page } = visitor;
  await fillSignUp('fails@example.test');
  for (const [reply, words] of [
    [{ status: 400, json: { message: 'M1' } }, 'M1'],
    [{ status: 500, json: {} }, 'An error occurred during registration'],
  ] as const) {
    await answer(page, '/api/auth/register', reply);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await toastTitled(page, 'Registration Failed').filter({ hasText: words }).waitFor();
  }
});

it('ERR-28 ERR-29 ERR-33 an expired code, and failures of verifying and resending', async () => {
  const { page } = visitor;
  await signUp('expired@example.test');
  const submit = async () => {
    await page.getByLabel('Verification code').fill('ABCD');
    await page.getByRole('button', { name: 'Verify Email' }).click();
  };
  await answer(page, '/api/auth/verify-email', {
    status: 400,
    json: { message: 'Verification code has expired' },
  });
  await submit();
  await page.getByText('Verification code has expired. Please request a new one.').waitFor();
  await answer(page, '/api/auth/verify-email', { status: 500, json: { message: 'M1' } });
  await submit();
  await page.getByRole('alert').filter({ hasText: /^M1$/ }).waitFor();
  await answer(page, '/api/auth/verify-email', { status: 500, json: {} });
  await submit();
  await page.getByText('Verification failed. Please try again.').waitFor();
  await answer(page, '/api/auth/resend-code', { status: 500, body: '' });
  await page.getByRole('button', { name: 'Resend code' }).click();
  await toastTitled(page, 'Failed to Send Code').waitFor();
});

it('VAL-07 VAL-08 AUTH-07 ERR-25 sign-in is validated, and a wrong password stays on /auth', async () => {
  const { page } = visitor;
  await page.goto('/auth');
  await page.getByLabel('Email').waitFor();
  const calls = recordCalls(page);
  await page.getByLabel('Email').fill('abc');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Password is required').waitFor();
  expect(await page.getByRole('alert').count()).toBe(2);
  expect(calls).toEqual([]);
  expect(await page.getByRole('button', { name: 'Forgot your password?' }).isVisible()).toBe(true);

  await signIn('nobody@example.test', 'wrong password');
  const toast = toastTitled(page, 'Login Failed');
  await toast.waitFor();
  expect(await toast.getAttribute('data-variant')).toBe('destructive');
  expect(await toast.innerText()).toContain('Invalid email or password');
  expect(new URL(page.url()).pathname).toBe('/auth');
});

it('AUTH-08 ERR-26 STATE-16 an unverified account is led to the code field, and back', async () => {
  const { page } = visitor;
  await signUp('unverified@example.test');
  await page.getByRole('button', { name: 'Back to login' }).click();
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  await signIn('unverified@example.test');
  await toastTitled(page, 'Email Verification Required')
    .filter({ hasText: 'Please verify your email before logging in.' })
    .waitFor();
  await page.getByText('unverified@example.test').waitFor();
  expect(await page.getByLabel('Verification code').isVisible()).toBe(true);
});

it('AUTH-05 AUTH-06 AUTH-09 AUTH-10 AUTH-11 AUTH-24 ERR-24 ERR-36 VAL-11 VAL-12 VAL-13 VAL-14 STATE-14 STATE-21 a password is reset with the mailed code, and signs in', async () => {
  const { page } = visitor;
  await stage.server.signIn('both', { email: 'forgetful@example.test', firstName: 'Fay' });
  await page.goto('/auth');
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
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([
    'Reset code must be 4 digits',
    'Password must be at least 8 characters',
    "Passwords don't match",
  ]);
  expect(calls).toEqual([]);

  const code = await codeFromMail(stage.server.anyone(), 'forgetful@example.test');
  await fields.code.fill(code);
  await fields.one.fill('a better password');
  await fields.two.fill('a better password');
  await submit.click();
  await page.getByText('Password reset successful! You can now sign in with your new password.').waitFor();
  expect(calls).toEqual([
    `POST /api/auth/reset-password ${JSON.stringify({ email: 'forgetful@example.test', code, newPassword: 'a better password' })}`,
  ]);
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  await signIn('forgetful@example.test', 'a better password');
  await page.waitForURL('/');
  await page.getByText('Welcome back, Fay!').waitFor();
  await toastTitled(page, 'Login Successful').filter({ hasText: 'Welcome back!' }).waitFor();
});

it('AUTH-24 ACC-16 whoever was sent to sign in lands on / and is offered the way on', async () => {
  const { page } = visitor;
  await stage.server.signIn('both', { email: 'deep@example.test' });
  await page.goto('/transactions?from=mail');
  await page.waitForURL('/auth');
  await signIn('deep@example.test');
  await page.getByText('You were on your way').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL('/transactions?from=mail');
  await page.getByRole('link', { name: 'Openslot, home' }).first().click();
  await page.getByRole('heading', { name: 'Welcome back, Ann!' }).waitFor();
  expect(await page.getByText('You were on your way').count()).toBe(0);
});

it('ERR-34 ERR-35 ERR-37 failures of a password reset are told in the form', async () => {
  const { page } = visitor;
  await page.goto('/auth');
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
  await page.getByLabel('New password').fill('12345678');
  await page.getByLabel('Confirm password').fill('12345678');
  await answer(page, '/api/auth/reset-password', { status: 500, json: {} });
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Password reset failed').waitFor();
  await answer(page, '/api/auth/reset-password', null);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Network error: Please check your connection and try again').waitFor();
});

it('AUTH-14 AUTH-15 AUTH-16 AUTH-17 AUTH-18 wide screens show the marketing panel', async () => {
  const { page } = visitor;
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
});

it('AUTH-21 ACC-14 signed-in people cannot stay on /auth', async () => {
  const { page } = await enterAs(stage, 'both');
  await page.goto('/auth');
  await page.waitForURL('/');
  await page.getByText('Welcome back').waitFor();
  await page.context().close();
});

const AD_LINK = '/create-ad?website=W&zone=Z';

it('STATE-25 CONST-05 AUTH-03 AUTH-19 AUTH-20 AUTH-22 ROLE-15 API-22 an ad-space link is kept, greets, and is followed as a buyer', async () => {
  const { page } = visitor;
  const referral = async () => await page.evaluate(() => localStorage.getItem('campaign-referral'));
  await stage.server.signIn('both', { email: 'advertiser@example.test' });
  await page.goto('/create-ad?website=W');
  await page.waitForURL('/auth');
  expect(await referral()).toBeNull();
  expect(await page.getByText('Welcome, advertiser').count()).toBe(0);

  await page.goto(AD_LINK);
  await page.waitForURL('/auth');
  expect(JSON.parse((await referral()) ?? '')).toMatchObject({ website: 'W', zone: 'Z' });
  await page.getByText('Welcome, advertiser').waitFor();
  await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();

  const calls = recordCalls(page);
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await signIn('advertiser@example.test');
  await page.waitForURL(AD_LINK);
  expect(calls).toContain('POST /api/user/role {"role":"buyer"}');
  expect(await referral()).toBeNull();
  await page.getByRole('banner').getByText('buyer').waitFor();
});

it('AUTH-23 the ad-space link is followed even if the role cannot be set', async () => {
  const { page } = visitor;
  await stage.server.signIn('both', { email: 'unlucky@example.test' });
  await page.goto(AD_LINK);
  await page.waitForURL('/auth');
  await answer(page, '/api/user/role', { status: 500, body: '' });
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await signIn('unlucky@example.test');
  await page.waitForURL(AD_LINK);
});

it('STATE-26 STATE-27 a referral of yesterday is forgotten', async () => {
  const { page } = visitor;
  await page.goto('/');
  await page.evaluate(() => {
    const timestamp = Date.now() - (24 * 60 + 1) * 60_000;
    localStorage.setItem('campaign-referral', JSON.stringify({ website: 'W', zone: 'Z', timestamp }));
  });
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('campaign-referral'))).toBeNull();
});

it('STATE-25 a signed-in user opens the wizard, with nothing stored and no role changed', async () => {
  const { page, client } = await enterAs(stage, 'both');
  const calls = recordCalls(page);
  await page.goto(AD_LINK);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('campaign-referral'))).toBeNull();
  expect(calls.some((call) => call.includes('/api/user/role'))).toBe(false);
  expect((await client.get('/api/auth/user')).body.role).toBe('both');
  await page.context().close();
});

it('AUTH-25 the mailed link verifies with one click', async () => {
  const { page } = visitor;
  await signUp('linked@example.test');
  const { body } = await stage.server.anyone().get('/dev/mail.json?to=linked%40example.test');
  const link = /https?:\/\/\S+verify=\S+/.exec(body[0]?.text ?? '')?.[0] ?? 'no link';
  await page.goto(link);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  await toastTitled(page, 'Email Verified').waitFor();
});
