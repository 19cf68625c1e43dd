import { expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import { toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const LATER = 16 * 60_000;
const NEW = 'another horse battery';

// Proves SEC-09, SEC-10, KEY-06
it('an older session is asked for the password, and then the change goes on', async () => {
  const { page, client } = await suite.enter('both');
  await page.goto('/settings');
  const email = page.getByLabel('Email');
  await email.waitFor();
  suite.fixture.server.clock.advance(LATER);
  await email.fill(`moved-${client.user.email}`);
  await email.blur();
  const dialog = page.getByRole('dialog', { name: 'Enter your password again' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await toastTitled(page, 'Update Failed').filter({ hasText: 'Enter your password again' }).waitFor();
  expect((await client.get('/api/auth/user')).body.email).toBe(client.user.email);

  await email.focus();
  await email.blur();
  const field = dialog.getByLabel('Your password');
  await field.fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'This password is wrong' }).waitFor();
  await field.fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await toastTitled(page, 'Profile Updated').waitFor();
  // The session has a new id, which only the browser knows.
  expect((await client.get('/api/auth/user')).status).toBe(401);
  const own = () =>
    page.evaluate(async () => {
      const answer = await fetch('/api/auth/user');
      return { status: answer.status, body: (await answer.json()) as { email?: string } };
    });
  expect((await own()).body.email).toBe(`moved-${client.user.email}`);

  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(NEW);
  await page.getByLabel('Confirm password').fill('something else');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText("Passwords don't match").waitFor();
  await page.getByLabel('Confirm password').fill(NEW);
  await page.getByRole('button', { name: 'Change password' }).click();
  await toastTitled(page, 'Password Changed').waitFor();

  suite.fixture.server.clock.advance(LATER);
  await page.getByRole('tab', { name: 'Privacy' }).click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await question.getByRole('button', { name: 'Delete Account' }).click();
  await dialog.getByLabel('Your password').fill(NEW);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(async () => (await own()).status).toBe(401);
});
