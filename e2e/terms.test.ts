/** People accept the operator's terms at the sign-up and at the checkout. */
import { beforeAll, expect, it } from 'vitest';
import { removePage, setPage } from '../server/operator/pages/pages.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { codeFromMail } from './support/mail.ts';
import { hold } from './support/people.ts';
import { fillCard } from './support/forms.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const CLI = { id: null };
const publish = async (key: 'terms' | 'advertiser-terms', text: string) =>
  await setPage(suite.fixture.server.ctx, CLI, { key, text, reason: '' });
beforeAll(async () => {
  await publish('terms', '# Our terms');
  await publish('advertiser-terms', '# For advertisers');
});

// Proves OWNS-130
it('a visitor reads the terms beside the sign-up, and new ones are read before they are accepted', async () => {
  const { server, enter } = suite.fixture;
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

// Proves OWNS-131
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
