import { expect, it } from 'vitest';
import { mailTo } from '../server/testing/mail/mail.ts';
import { makeOperator } from '../server/testing/operator.ts';
import { appCode } from '../server/testing/accounts/second-factor.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';
import { leave } from './support/person.ts';

const suite = useFixture();

// Proves GEN-03
it("the 'Ad' mark on a publisher's page opens a page that says who paid for the ad and why it is shown", async () => {
  const seller = await suite.client('seller');
  const buyer = await suite.fixture.server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
  const { zone, ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Fresh <b>beans</b>' } });
  await suite.fixture.server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const { page, context, errors } = await suite.fixture.enter();
  await page.addInitScript(openShadowRoots);
  await page.goto(site.put('/', zone.embedCode));
  await rendered(page, 1);

  const [why] = await Promise.all([
    context.waitForEvent('page'),
    page.locator('ad-zone a', { hasText: /^Ad$/ }).click(),
  ]);
  await why.getByRole('heading', { level: 1, name: 'Why this ad?' }).waitFor();
  expect(why.url()).toBe(`${suite.fixture.server.url}/api/serve/why/${ad.publicId}`);
  const text = await why.getByRole('main').innerText();
  expect(text).toContain('“Fresh <b>beans</b>” is an advertisement.');
  expect(text).toMatch(/Shown on behalf of\s+Ada Lane\s+Paid for by\s+Ada Lane/);
  await why.getByRole('link', { name: 'Report this ad' }).click();
  await why.getByRole('heading', { level: 1, name: 'Report this ad' }).waitFor();
  expect(new URL(why.url()).pathname).toBe(`/report-ad/${ad.publicId}`);
  // The publisher's page is still open, and opening the mark did not count as a click.
  expect(await page.title()).toBe('A publisher');
  expect((await buyer.get('/api/analytics/spending')).body.totalClicks).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
  await site.close();
});

// Proves DEL-61, DEL-64
it('a visitor without scripts finds the ad in the archive and reports it by keyboard; the operator takes it down', async () => {
  const seller = await suite.client('seller');
  const buyer = await suite.fixture.server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
  const { zone, ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Wonder pills' } });
  await reportView(zone.publicId);
  const context = await suite.fixture.browser.newContext({
    baseURL: suite.fixture.server.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(`/api/serve/why/${ad.publicId}`);
  await page.getByRole('link', { name: 'This ad in the archive' }).click();
  await page.getByRole('heading', { level: 1, name: 'Wonder pills' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Ad archive', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Advertiser, or words in the ad' }).fill('ada lane');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/ad-archive?q=ada+lane');
  await page.getByRole('link', { name: 'Wonder pills' }).click();
  await page.getByRole('link', { name: 'Report this ad' }).click();

  // The browser itself requires a reason and sends nothing without one.
  await page.getByRole('button', { name: 'Send report' }).press('Enter');
  expect(new URL(page.url()).pathname).toBe(`/report-ad/${ad.publicId}`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Report this ad');
  await page.getByRole('radio', { name: 'It is misleading or a scam' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('They cure nothing.');
  await page.keyboard.press('Tab');
  await page.keyboard.type('mara@readers.example');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
  // A reload doesn't send the report again.
  await page.reload();
  const { ctx } = suite.fixture.server;
  const reports = await ctx.db.selectFrom('adReports').selectAll().where('adId', '=', ad.id).execute();
  expect(reports).toMatchObject([
    { reason: 'misleading', details: 'They cure nothing.', email: 'mara@readers.example' },
  ]);
  expect((await mailTo(ctx, seller.user.email)).map(({ kind }) => kind)).toContain('ad-reported');

  // The operator is signed in, follows the link in the mail, confirms with a code and takes the ad down.
  const told = (await mailTo(ctx, ctx.config.contactEmail)).at(-1)?.text ?? '';
  const { client: operator, secret } = await makeOperator(suite.fixture.server);
  const [name = '', ...value] = operator.cookie.split('=');
  const { page: desk } = await suite.fixture.enter({ width: 375 });
  await desk.context().addCookies([{ name, value: value.join('='), url: suite.fixture.server.url }]);
  await desk.goto(/\/operator\/ads\/\d+/.exec(told)?.[0] ?? '');
  await desk.getByRole('button', { name: 'Actions' }).click();
  await desk.getByRole('menuitem', { name: 'Take down the ad' }).click();
  const sheet = desk.getByRole('dialog', { name: 'Take down the ad' });
  await sheet.getByLabel('Reason').fill('The pills are not approved anywhere.');
  await sheet.getByRole('button', { name: /^Take down the ad/ }).click();
  suite.fixture.server.clock.advance(30_000);
  const confirm = desk.getByRole('dialog', { name: 'Confirm that it’s you' });
  await confirm.getByLabel('Code').fill(appCode(secret, suite.fixture.server.clock.now()));
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await sheet.waitFor({ state: 'detached' });
  await desk.getByText('The pills are not approved anywhere.').first().waitFor();
  await page.goto(`/ad-archive/${ad.publicId}`);
  await page.getByRole('heading', { level: 1, name: 'An ad that was taken down' }).waitFor();
  await leave(page);

  const mine = await suite.fixture.enter();
  await mine.context.addCookies([
    {
      name: buyer.cookie.split('=')[0] ?? '',
      value: buyer.cookie.split('=')[1] ?? '',
      url: suite.fixture.server.url,
    },
  ]);
  await mine.page.goto('/dashboard');
  const row = mine.page.getByRole('row').filter({ hasText: 'Taken down' });
  await row.getByText('The pills are not approved anywhere.').waitFor();
  expect(await row.innerText()).toContain('Wonder pills');
  expect(mine.errors).toEqual([]);
  await leave(mine.page);
});

/** Requests an ad as a page does and reports a view of it. */
async function reportView(zone: string): Promise<void> {
  const { server } = suite.fixture;
  await server.app.refreshDelivery();
  const page = { origin: 'http://localhost:9', 'user-agent': 'Mozilla/5.0 Chrome/150.0' };
  const { ads } = (await server.anyone().get(`/api/serve/ads?z=${zone}`, page)).body;
  server.clock.advance(2000);
  expect((await server.anyone().send('POST', ads[0].view, undefined, page)).status).toBe(204);
}
