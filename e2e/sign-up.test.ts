import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { register } from './support/forms.ts';
import { codeFromMail } from './support/mail.ts';
import {
  afterPendingRequests,
  answer,
  assertNoErrors,
  hold,
  recordCalls,
  runUntil,
  toastTitled,
} from './support/people.ts';
import { leave, type Person, waitForReact } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** The visitor whose form the tests fill in one after the other, from an empty form to a verified account. */
let visitor: Person;
let page: Page;

beforeAll(async () => {
  visitor = await suite.fixture.enter();
  ({ page } = visitor);
  await page.clock.install();
  await page.goto('/auth?tab=signup');
  await page.getByLabel('Email').waitFor();
});
afterAll(() => assertNoErrors(visitor));

/** Lets the pause pass after which the form checks the e-mail address, and waits for what the form then shows. */
async function showsAfterPause(text: string): Promise<void> {
  await page.clock.fastForward(800);
  await page.getByText(text).waitFor();
}

// Proves VAL-01, VAL-02, VAL-03, VAL-04, VAL-05, VAL-19, VAL-20, ERR-38, ERR-39, CONST-07
it('the sign-up form shows invalid fields on submit and sends nothing, refuses an e-mail address that is registered, and says at the field when the check failed', async () => {
  await suite.fixture.server.signIn('both', { email: 'taken@example.test' });
  const calls = recordCalls(page);
  await page.getByLabel('Email').fill('abc');
  await page.getByLabel('Password', { exact: true }).fill('1234567');
  await page.getByLabel('First name').focus();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('button', { name: 'Create Account' }).click();
  // The form checks its fields with a schema that it loads.
  await expect
    .poll(async () => (await page.getByRole('alert').allInnerTexts()).toSorted())
    .toEqual([
      'First name is required',
      'Last name is required',
      'Password must be at least 8 characters',
      'Please enter a valid email address',
    ]);
  expect(calls).toEqual([]);

  await page.getByLabel('Email').fill('taken@example.test');
  await showsAfterPause('Email is already registered');
  expect(await page.getByRole('button', { name: 'Create Account' }).isDisabled()).toBe(true);
  await answer(page, '/api/auth/check-email', { status: 429, json: { message: 'Too many requests' } });
  await page.getByLabel('Email').fill('a@x.test');
  await showsAfterPause('Too many requests. Please wait before checking again.');
  await answer(page, '/api/auth/check-email', { status: 500, body: '' });
  await page.getByLabel('Email').fill('b@x.test');
  await showsAfterPause('Unable to verify email. Please try again.');
  await page.unroute('**/api/auth/check-email');
});

// Proves VAL-15, VAL-16, VAL-17, VAL-18, VAL-21, STATE-22, CONST-08
it('the sign-up form checks the e-mail address 800 ms after the last key press', async () => {
  await page.getByLabel('Email').fill('');
  const calls = recordCalls(page);
  const release = await hold(page, '/api/auth/check-email');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);

  await page.getByLabel('Email').pressSequentially('abc');
  await page.clock.runFor(2000);
  await afterPendingRequests(page);
  expect(calls).toEqual([]);

  for (const letter of '@x.test') {
    await page.keyboard.press(letter);
    await page.clock.runFor(100);
  }
  await page.clock.runFor(650);
  await afterPendingRequests(page);
  expect(calls).toEqual([]);
  await page.clock.runFor(100);
  await expect.poll(() => calls).toEqual(['POST /api/auth/check-email {"email":"abc@x.test"}']);
  await runUntil(page, () => page.getByText('Checking availability...').isVisible());
  expect(await page.getByRole('button', { name: 'Create Account' }).isDisabled()).toBe(true);

  release();
  await runUntil(page, () => page.getByText('Email address is ok').isVisible());
  expect(await page.getByRole('button', { name: 'Create Account' }).isEnabled()).toBe(true);
});

// Proves ERR-22, ERR-23
it('a failed registration shows the server’s error message or a fallback', async () => {
  await page.clock.resume();
  await page.getByLabel('First name').fill('Nia');
  await page.getByLabel('Last name').fill('New');
  await page.getByLabel('Password', { exact: true }).fill('eight-8c');
  for (const [reply, words] of [
    [{ status: 400, json: { message: 'M1' } }, 'M1'],
    [{ status: 500, json: {} }, 'An error occurred during registration'],
  ] as const) {
    await answer(page, '/api/auth/register', reply);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await toastTitled(page, 'Registration Failed').filter({ hasText: words }).waitFor();
  }
  await page.unroute('**/api/auth/register');
});

// Proves STATE-15, CONST-09
it('the verification form opens 100 ms after the registration', async () => {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await runUntil(page, () => toastTitled(page, 'Registration Successful').isVisible());
  expect(await page.getByLabel('Verification code').count()).toBe(0);
  await page.clock.runFor(110);
  await page.getByLabel('Verification code').waitFor();
  await page.clock.resume();
});

// Proves ERR-28, ERR-29, ERR-33
it('the verification form says when a code has expired, or could not be verified or resent', async () => {
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

// Proves AUTH-25
it('the link in the verification mail verifies the account with one click', async () => {
  const { body } = await suite.fixture.server.anyone().get('/dev/mail.json?to=abc%40x.test');
  const link = /https?:\/\/\S+verify=\S+/.exec(body[0]?.text ?? '')?.[0] ?? 'no link';
  await page.goto(link);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  await toastTitled(page, 'Email Verified').waitFor();
});

// Proves CONST-06, CONST-07, AUTH-04, AUTH-12, AUTH-13, AUTH-25, ERR-21, ERR-27, ERR-30, ERR-31, ERR-32, VAL-09, VAL-10, VAL-55, STATE-15, STATE-17, STATE-20, ONB-01
it('a new user is refused with a wrong code and signed in with a resent one', async () => {
  const person = await suite.fixture.enter();
  const { page } = person;
  // The shortest password.
  await register(page, 'nia@example.test', 'eight-8c');
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

  const first = await codeFromMail(suite.fixture.server.anyone(), 'nia@example.test');
  expect(first).toMatch(/^.{4}$/);
  await page.getByRole('button', { name: 'Resend code' }).click();
  expect(await toastTitled(page, 'Code Sent').innerText()).toContain(
    'A new verification code has been sent to your email.',
  );
  expect(await page.getByText('Invalid verification code. Please').count()).toBe(0);
  await expect.poll(() => codeFromMail(suite.fixture.server.anyone(), 'nia@example.test')).not.toBe(first);

  const calls = recordCalls(page);
  await code.fill(await codeFromMail(suite.fixture.server.anyone(), 'nia@example.test'));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  expect(await toastTitled(page, 'Email Verified').innerText()).toContain(
    'Your account is now active! Welcome to the product!',
  );
  await page.getByRole('dialog', { name: 'Welcome to Openslot' }).waitFor();
  expect(calls.findIndex((call) => call === 'GET /api/auth/user')).toBeGreaterThan(
    calls.findIndex((call) => call.startsWith('POST /api/auth/verify-email')),
  );
  assertNoErrors(person);
  await leave(page);
});

// Proves ACCT-13
it('a new account takes the timezone of its browser', async () => {
  const { browser, server } = suite.fixture;
  const context = await browser.newContext({ baseURL: server.url, timezoneId: 'Europe/Berlin' });
  try {
    const own = await context.newPage();
    waitForReact(own);
    await register(own, 'berlin@example.test');
  } finally {
    await context.close();
  }
  const { timezone } = await server.ctx.db
    .selectFrom('userSettings')
    .innerJoin('users', 'users.id', 'userSettings.userId')
    .where('email', '=', 'berlin@example.test')
    .select('timezone')
    .executeTakeFirstOrThrow();
  expect(timezone).toBe('Europe/Berlin');
});

// Proves FIELD-66, FIELD-73
it('a browser in India signs up at an internationalised domain, with the present name of its timezone', async () => {
  const { browser, server } = suite.fixture;
  const context = await browser.newContext({ baseURL: server.url, timezoneId: 'Asia/Calcutta' });
  try {
    const own = await context.newPage();
    waitForReact(own);
    expect(await own.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe('Asia/Calcutta');
    // Chromium maps the domain in a field of the type `email` to strasse.example.
    await register(own, 'ann@straße.example');
    await own.getByText('We sent a code to ann@straße.example').waitFor();
  } finally {
    await context.close();
  }
  const { timezone } = await server.ctx.db
    .selectFrom('userSettings')
    .innerJoin('users', 'users.id', 'userSettings.userId')
    .where('email', '=', 'ann@xn--strae-oqa.example')
    .select('timezone')
    .executeTakeFirstOrThrow();
  expect(timezone).toBe('Asia/Kolkata');
});
