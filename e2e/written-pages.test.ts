/** An owner writes a page or an announcement in the console, everybody reads it, and people accept the terms. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { removePage, setPage } from '../server/operator/pages/pages.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import { fillCard } from './support/forms.ts';
import { keyboardOf } from './support/keyboard.ts';
import { codeFromMail } from './support/mail.ts';
import { hold } from './support/people.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** Opens a browser for an owner, who confirms acts without being asked. */
async function enterAsOwner(): Promise<Page> {
  const { server, enter } = suite.fixture;
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  const { page, context } = await enter({ width: 375 });
  const [name = '', value = ''] = operator.client.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: server.url }]);
  return page;
}

it('an owner writes the terms by keyboard at 375 px and publishes them, and the footer leads there', async () => {
  const page = await enterAsOwner();
  await page.goto('/operator/pages');
  await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor();
  await page.getByRole('list', { name: 'Pages' }).waitFor();
  await expectSound(page);
  const keyboard = keyboardOf(page);
  await keyboard.enter('link', /^Terms of Service/);
  await page.getByLabel('Text, in Markdown').waitFor();
  await keyboard.tabTo('textbox', 'Text, in Markdown');
  await page.keyboard.insertText(
    `# Our terms\n\nBe kind.\n\n## Money\n\n- One\n- Two\n\n| Party | Share |\n|---|---|\n| Publisher | 85% |\n| ${'A very long name '.repeat(6)} | 15% |\n`,
  );
  await keyboard.enter('button', 'Preview');
  await page.getByText('This text is not saved yet.').waitFor();
  await page.getByRole('heading', { name: 'Our terms' }).waitFor();
  await expectSound(page);
  await page.getByText('No text yet.').waitFor();
  await keyboard.enter('button', 'Save');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('It becomes a new version').waitFor();
  await expectSound(page);
  await keyboard.enter('button', 'Save');
  await page.getByText('Not published. Version 1 was saved on').waitFor();
  await page.getByRole('heading', { name: 'Our terms' }).waitFor();
  await expectSound(page);
  await keyboard.enter('button', 'Publish this version');
  await sheet.getByText('Everybody can read it at once.').waitFor();
  await keyboard.enter('button', 'Publish this version');
  await page.getByText('Version 1 is published since').waitFor();

  const { page: visitor } = await suite.fixture.enter({ width: 375 });
  await visitor.goto('/');
  await visitor.getByRole('link', { name: 'Terms of Service' }).click();
  await visitor.getByRole('heading', { name: 'Our terms' }).waitFor();
  expect(new URL(visitor.url()).pathname).toBe('/pages/terms');
  await expectSound(visitor);
  expect(await visitor.context().cookies()).toEqual([]);
});

it('an owner announces something by keyboard, and visitors and signed-in people read it above each page', async () => {
  const { enter } = suite.fixture;
  const page = await enterAsOwner();
  await page.goto('/operator/announcement');
  await page.getByText('There is no announcement').waitFor();
  await expectSound(page);
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'Announce');
  // A sheet has the focus in its first field.
  await page.getByRole('dialog').getByLabel('Text').waitFor();
  await page.keyboard.type('Payouts are late this week. We are sorry.');
  await keyboard.enter('button', 'Announce');
  await page.getByText('Until you end it.').waitFor();
  await expectSound(page);

  const { page: visitor } = await enter({ width: 375 });
  const { page: person } = await suite.enter('both', { width: 375 });
  for (const [reader, path] of [
    [visitor, '/'],
    [visitor, '/sites'],
    [person, '/dashboard'],
  ] as const) {
    await reader.goto(path);
    await reader
      .getByRole('complementary', { name: 'Announcement' })
      .getByText('Payouts are late this week.')
      .waitFor();
    await reader.getByRole('heading', { level: 1 }).waitFor();
    await expectSound(reader);
  }
  await keyboard.enter('button', 'End it');
  await page.getByRole('dialog').getByText('No page shows it any more').waitFor();
  await keyboard.enter('button', 'End it');
  await page.getByText('There is no announcement').waitFor();
  await visitor.goto('/');
  expect(await visitor.getByRole('complementary', { name: 'Announcement' }).count()).toBe(0);
});

const CLI = { id: null };
const publish = async (key: 'terms' | 'advertiser-terms', text: string) =>
  await setPage(suite.fixture.server.ctx, CLI, { key, text, reason: '' });
// Proves OWNS-130
it('a visitor reads the terms beside the sign-up, and new ones are read before they are accepted', async () => {
  const { server, enter } = suite.fixture;
  await publish('terms', '# Our terms');
  await publish('advertiser-terms', '# For advertisers');
  const { page } = await enter({ width: 375 });
  await page.goto('/auth?tab=signup');
  await page.getByText('By creating an account, you accept the Terms of Service.').waitFor();
  await expectSound(page);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Terms of Service' }).click();
  const terms = await opened;
  await terms.getByRole('heading', { name: 'Our terms' }).waitFor();
  await terms.close();
  const email = 'terms-reader@example.test';
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Reader');
  await page.getByLabel('Email').fill(email);
  await page.getByText('Email address is ok').waitFor();
  await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
  const { version } = await publish('terms', '# Other terms');
  const release = await hold(page, '/api/marketplace');
  const refused = page.waitForResponse('**/api/auth/register');
  await page.getByRole('button', { name: 'Create Account' }).click();
  expect((await refused).status()).toBe(409);
  await page.getByText('The terms of service have changed. Read them, then send again.').first().waitFor();
  // The page is still reading which version it links now.
  await page.getByRole('button', { name: 'Create Account' }).click();
  release();
  await codeFromMail(server.anyone(), email);
  const user = await server.ctx.db
    .selectFrom('users')
    .select('acceptedTerms')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  expect(user.acceptedTerms).toBe(version);
});

// Proves OWNS-130
it('an advertiser reads the terms at the checkout, and the payment keeps their version', async () => {
  const { server } = suite.fixture;
  const { page, client } = await suite.enter('buyer', { width: 375 });
  const ad = await makeApprovedAd(await suite.client('seller'), client);
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByText('By paying, you accept the Terms of Service and the Advertiser Terms.').waitFor();
  await expectSound(page);
  await removePage(server.ctx, CLI, { key: 'terms', reason: '' });
  await page.reload();
  await page.getByText('By paying, you accept the Advertiser Terms.').waitFor();
  await publish('terms', '# Once more');
  await page.reload();
  await fillCard(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText('Payment successful. Your ad is live.').waitFor();
  const payment = await server.ctx.db
    .selectFrom('payments')
    .select('acceptedTerms')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  const { termsVersion } = (await client.get('/api/marketplace')).body;
  expect(payment.acceptedTerms).toBe(termsVersion);
});
