/** Somebody without an account follows an invitation to become an operator. */
import { expect, it } from 'vitest';
import { inviteOperator } from '../server/operator/invitations/invitations.ts';
import { operators } from '../server/operator/rights.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { mailTo } from '../server/testing/mail.ts';
import { codeFromMail } from './support/mail.ts';
import { keyboardOf } from './support/keyboard.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves OWNS-29
it('somebody without an account signs up from the mailed link and accepts by keyboard at 375 px', async () => {
  const { server, enter } = suite.fixture;
  const email = 'new-operator@example.test';
  await inviteOperator(server.ctx, { id: null }, { email, role: 'moderation', reason: 'Helps us' });
  const [mail] = await mailTo(server.ctx, email);
  const link = /http\S+\/operator-invitation\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  const { page } = await enter({ width: 375 });
  await page.goto(link);
  await page.getByText('Moderation: people, websites and ads').waitFor();
  await expectSound(page);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Helper');
  await page.getByLabel('Email').fill(email);
  await page.getByText('Email address is ok').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').fill(await codeFromMail(server.anyone(), email));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await expectSound(page);
  await keyboardOf(page).enter('button', 'Accept');
  await page.getByText('You’re an operator now, and you were signed out.').waitFor();
  expect((await operators(server.ctx)).map((each) => [each.email, each.role])).toContainEqual([
    email,
    'moderation',
  ]);
});
