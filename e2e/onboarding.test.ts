import { expect, it } from 'vitest';
import { codeFromMail } from './support/mail.ts';
import { leave } from './support/person.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves CODE-06, EASE-08
it('a publisher needs at most 8 clicks and 7 fields from the landing page to the copied code, and finds the role chosen', async () => {
  const { page } = await suite.fixture.enter();
  const site = await startPublisher('localhost');
  const home = site.put('/quick', '<h1>Short reads</h1>');
  let clicks = 0;
  let fields = 0;
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).click();
  };
  const fill = async (label: string, text: string) => {
    fields += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  const email = 'quick@example.test';
  await page.goto('/');
  await press('link', 'Start Selling Ad Space');
  await fill('First name', 'Quinn');
  await fill('Last name', 'Quick');
  await fill('Email', email);
  await page.getByText('Email address is ok').waitFor();
  await fill('Password', 'correct horse battery');
  await press('button', 'Create Account');
  await page.getByLabel('Verification code').waitFor();
  await fill('Verification code', await codeFromMail(suite.fixture.server.anyone(), email));
  await press('button', 'Verify Email');
  // The welcome dialog has the role of the pressed button, and leads on to the first website.
  const welcome = page.getByRole('dialog', { name: /^Welcome/ });
  await welcome.waitFor();
  expect(await welcome.getByRole('radio', { name: 'Sell Ad Space' }).isChecked()).toBe(true);
  await press('button', 'Get Started');
  await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('wanted-role'))).toBeNull();
  await fill('URL', home);
  fields += 1;
  await page.getByLabel('Category').focus();
  await page.getByLabel('Category').selectOption('Technology');
  await page.getByText('Filled in the name from your page.').waitFor();
  expect(await page.getByLabel('Website name').inputValue()).toBe('A publisher');
  await press('button', 'Add Website');
  // The page behind the dialogs has a button of the same name.
  await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
  await press('button', 'Create Ad Zone');
  await press('button', 'Save Pricing');
  await press('button', /^Copy code for/);
  await page.getByText('Copied!', { exact: true }).first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('<ad-zone ');
  expect({ clicks, fields }).toEqual({ clicks: 8, fields: 7 });
  await leave(page);
  await site.close();
});
