/** The ways into an account that need a mail, or the code of the application from the server. */
import { expect, it } from 'vitest';
import { register, signIn } from './support/forms.ts';
import { codeFromMail } from './support/mail.ts';
import { assertNoErrors, recordCalls, toastTitled } from './support/people.ts';
import { leave, waitForReact } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** The shortest password. */
const EIGHT = 'eight-8c';

// Proves AUTH-25
it('the link in the verification mail verifies the account with one click', async () => {
  const person = await suite.fixture.enter();
  const { page } = person;
  await register(page, 'abc@x.test');
  const { body } = await suite.fixture.server.anyone().get('/dev/mail.json?to=abc%40x.test');
  const link = /https?:\/\/\S+verify=\S+/.exec(body[0]?.text ?? '')?.[0] ?? 'no link';
  await page.goto(link);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  await toastTitled(page, 'Email Verified').waitFor();
  assertNoErrors(person);
  await leave(page);
});

// Proves AUTH-12, AUTH-25, ERR-21, ERR-27, ERR-30, ERR-32, STATE-15, STATE-20, ONB-01
it('a new user is refused with a wrong code and signed in with a resent one', async () => {
  const person = await suite.fixture.enter();
  const { page } = person;
  const mailed = () => codeFromMail(suite.fixture.server.anyone(), 'nia@example.test');
  await register(page, 'nia@example.test', EIGHT);
  const code = page.getByLabel('Verification code');
  await code.fill('0000');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByText('Invalid verification code. Please check and try again.').waitFor();

  const first = await mailed();
  expect(first).toMatch(/^.{4}$/);
  await page.getByRole('button', { name: 'Resend code' }).click();
  await toastTitled(page, 'Code Sent').waitFor();
  await expect.poll(mailed).not.toBe(first);

  const calls = recordCalls(page);
  await code.fill(await mailed());
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  await toastTitled(page, 'Email Verified').waitFor();
  await page.getByRole('dialog', { name: 'Welcome to Openslot' }).waitFor();
  expect(calls.findIndex((call) => call === 'GET /api/auth/user')).toBeGreaterThan(
    calls.findIndex((call) => call.startsWith('POST /api/auth/verify-email')),
  );
  assertNoErrors(person);
  await leave(page);
});

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

// Proves AUTH-05, AUTH-24, ERR-24, ERR-36, API-13
it('a password can be reset with the mailed code, and the new password signs in', async () => {
  const email = 'forgetful@example.test';
  await suite.fixture.server.signIn('both', { email, firstName: 'Fay' });
  const person = await suite.fixture.enter();
  const { page } = person;
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await page.getByLabel('Reset code').waitFor();
  const code = await codeFromMail(suite.fixture.server.anyone(), email);
  expect(code).toMatch(/^.{4}$/);
  await page.getByLabel('Reset code').fill(code);
  await page.getByLabel('New password').fill(EIGHT);
  await page.getByLabel('Confirm password').fill(EIGHT);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Password reset successful! You can now sign in with your new password.').waitFor();
  await signIn(page, email, EIGHT);
  await page.waitForURL('/');
  await page.getByText('Welcome back, Fay!').waitFor();
  await toastTitled(page, 'Login Successful').filter({ hasText: 'Welcome back!' }).waitFor();
  assertNoErrors(person);
  await leave(page);
});

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
