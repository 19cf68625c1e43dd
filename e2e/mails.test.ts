/** Mails: the links in them, and the page that shows them in development. */
import { expect, it } from 'vitest';
import { DEV_KEY } from '../server/testing/client.ts';
import { linkTokenFor } from '../server/testing/mail/mail.ts';
import { signIn } from './support/forms.ts';
import { codeFromMail } from './support/mail.ts';
import { pathOf, recordCalls, toastTitled, walkTo } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';

const suite = useFixture();

/** Submits an ad whose texts are markup. The publisher gets a mail about it. */
async function submitHostileAd(): Promise<{ title: string; publisher: string }> {
  const seller = await suite.client('seller');
  const buyer = await suite.client('buyer');
  const zone = await makeZone(seller, await makeWebsite(seller), { name: '</td></table>\u202e' });
  const product = await makeProduct(seller, zone, { adType: 'image' });
  const title = `<img src=x onerror="document.title='run'">${'W'.repeat(40)}`;
  await makeAd(buyer, product, { title, description: 'مرحبا! 🎈', imageUrl: await upload(buyer) });
  return { title, publisher: seller.user.email };
}

// Proves AUTH-26
it('/dev/mail shows a mail as HTML and as text, at phone width and without violating its content security policy', async () => {
  const { title, publisher } = await submitHostileAd();
  const { page } = await suite.enter('seller', { width: 375 });
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  await page.goto(`/dev/mail?key=${DEV_KEY}`);
  await page.getByRole('link', { name: publisher }).click();
  await page.getByRole('heading', { level: 1, name: 'An ad is waiting for your review' }).waitFor();

  const message = page.frameLocator('iframe');
  await message.getByText(title, { exact: true }).waitFor();
  const picture = message.getByRole('img', { name: title });
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  expect(await picture.evaluate((image) => image.ownerDocument.title)).toBe(
    'An ad is waiting for your review',
  );
  const overflow = await message.locator('body').evaluate((body) => body.scrollWidth - body.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);

  await page.getByRole('link', { name: 'Text', exact: true }).click();
  await page.getByText(`> ${title}`).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  expect(refused).toEqual([]);
});

// Proves AUTH-26
it('new mail appears at the top by itself, and the keyboard focus stays', async () => {
  const first = await submitHostileAd();
  const { page } = await suite.enter('seller');
  await page.goto(`/dev/mail?key=${DEV_KEY}`);
  await page.getByRole('link', { name: first.publisher }).focus();
  const second = await submitHostileAd();
  await page.getByRole('listitem').first().getByText(second.publisher).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(first.publisher);
});

const link = async (email: string, use: 'verify' | 'reset' | 'restore') =>
  `/auth?${use}=${await linkTokenFor(suite.fixture.server.ctx, email, use)}`;

it('the link of the reset mail opens the reset form with the code filled in, works once, and says when it has expired', async () => {
  const { page, client } = await suite.enter('both');
  const { email } = client.user;
  await client.post('/api/auth/forgot-password', { email });
  const address = await link(email, 'reset');
  await page.goto(address);
  await page.getByText(email).waitFor();
  expect(await page.getByLabel('Reset code').inputValue()).toBe(
    await codeFromMail(suite.fixture.server.anyone(), email),
  );
  await page.getByLabel('New password').fill('a better password');
  await page.getByLabel('Confirm password').fill('a better password');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Password reset successful! You can now sign in with your new password.').waitFor();
  expect(pathOf(page)).toBe('/auth');
  // The reset ended every session, including this one, without an Unauthorized toast.
  expect(await toastTitled(page, 'Unauthorized').count()).toBe(0);
  await signIn(page, email, 'a better password');
  await page.waitForURL('/');

  await walkTo(page, address);
  await page.getByText('This link has already been used').waitFor();
  expect(await page.getByLabel('Reset code').count()).toBe(0);
  await page.getByRole('button', { name: 'Get a new code' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();

  await client.post('/api/auth/forgot-password', { email });
  const expired = await link(email, 'reset');
  suite.fixture.server.clock.advance(61 * 60_000);
  await walkTo(page, '/');
  await walkTo(page, expired);
  await page.getByText('This link has expired.').waitFor();
});

// Proves ACCT-06
it('a changed e-mail address is confirmed in Settings with the code, which can be resent, or the change is undone', async () => {
  const { page, client } = await suite.enter('both');
  const old = client.user.email;
  const email = `new-${old}`;
  await page.goto('/settings');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('First name').focus();
  await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor();
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await toastTitled(page, 'Email Change Undone').filter({ hasText: old }).waitFor();
  await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Email').inputValue()).toBe(old);
  await expect
    .poll(() => page.getByLabel('Email').evaluate((field) => field === document.activeElement))
    .toBe(true);

  await page.getByLabel('Email').fill(email);
  await page.getByLabel('First name').focus();
  await page.getByLabel('Verification code').waitFor();
  const first = await codeFromMail(suite.fixture.server.anyone(), email);
  await page.reload();
  await page.getByRole('button', { name: 'Resend code' }).click();
  await toastTitled(page, 'Code Sent').waitFor();
  await expect.poll(() => codeFromMail(suite.fixture.server.anyone(), email)).not.toBe(first);
  await page.getByLabel('Verification code').fill(await codeFromMail(suite.fixture.server.anyone(), email));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await toastTitled(page, 'Email Verified')
    .filter({ hasText: 'Your new email address is confirmed.' })
    .waitFor();
  await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor({ state: 'detached' });
});

// Proves ACCT-06
it('the link of the code mail confirms a changed e-mail address in a signed-in browser', async () => {
  const { page, client } = await suite.enter('both');
  const email = `linked-${client.user.email}`;
  await client.patch('/api/user/profile', { email });
  await page.goto(await link(email, 'verify'));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.waitForURL('/');
  await page.getByText('Welcome back, Ann!').waitFor();
  expect((await client.get('/api/auth/user')).status).toBe(401);
  await walkTo(page, '/settings');
  await page.getByLabel('Email').waitFor();
  expect(await page.getByRole('heading', { name: 'Confirm your new email address' }).count()).toBe(0);
});

// Proves ACCT-07, SEC-13
it('the link of the notice restores the e-mail address after a confirmation and ends all sessions', async () => {
  const { page, client } = await suite.enter('both');
  const old = client.user.email;
  await client.patch('/api/user/profile', { email: `thief-${old}` });
  const address = await link(old, 'restore');
  const calls = recordCalls(page);
  await page.goto(address);
  await page.getByRole('heading', { name: 'Undo the email change?' }).waitFor();
  // Mail scanners open links, too.
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  expect((await client.get('/api/auth/user')).body.email).toBe(`thief-${old}`);

  await page.getByRole('button', { name: 'Restore my email address' }).click();
  await page.getByText('Your email address is restored').waitFor();
  expect(pathOf(page)).toBe('/auth');
  expect(await page.getByLabel('Email').inputValue()).toBe(old);
  expect(await toastTitled(page, 'Unauthorized').count()).toBe(0);
  expect((await client.get('/api/auth/user')).status).toBe(401);
  await page.getByRole('button', { name: 'Set a new password' }).click();
  expect(await page.getByLabel('Email').inputValue()).toBe(old);
  await page.getByRole('button', { name: 'Back to login' }).click();
  // The old password may be the thief's. The mailed link sets a new one.
  await page.goto(await link(old, 'reset'));
  await page.getByLabel('New password').fill('a better password');
  await page.getByLabel('Confirm password').fill('a better password');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByText('Password reset successful!').waitFor();
  await signIn(page, old, 'a better password');
  await page.waitForURL('/');

  await walkTo(page, address);
  await page.getByRole('button', { name: 'Restore my email address' }).click();
  await page.getByRole('alert').filter({ hasText: 'already been used' }).waitFor();
});

// Proves SEC-14
it('the link of a sign-up asks an unknown browser for the password, and offers a new one', async () => {
  const { server } = suite.fixture;
  const email = 'victim@example.test';
  const person = { email, password: 'a stranger chose this', firstName: 'S', lastName: 'T' };
  await server.anyone().post('/api/auth/register', person);
  const { page } = await suite.fixture.enter();
  await page.goto(await link(email, 'verify'));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByLabel('Password', { exact: true }).fill('a wrong guess');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('alert').filter({ hasText: 'This password is wrong' }).waitFor();
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();

  await page.goto(await link(email, 'verify'));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await toastTitled(page, 'Email Verified').waitFor();
});

// Proves API-29, RUN-09
it('a visitor who opens the billing portal without a session can sign in', async () => {
  const { page, context } = await suite.enter('seller');
  await page.goto('/api/billing/portal');
  await page.getByRole('heading', { level: 1, name: 'No billing account yet' }).waitFor();
  // The background shows that the policy allows the page's style.
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toBe('rgb(246, 248, 248)');
  await context.clearCookies();
  const answer = await page.goto('/api/billing/portal');
  expect(answer?.status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/auth');
});
