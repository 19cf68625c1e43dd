/** The advertiser measures landings: from the switch to the first landing on a page with the script. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { landingScript } from '#domain/delivery/landings.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { openShadowRoots } from './support/ads-on-page.ts';
import { axeFindings } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { type Publisher, snippet, startAdvertiser, startPublisher } from './support/publisher.ts';
import { leave } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
let publisher: Publisher;
let advertiser: Publisher;
beforeAll(async () => {
  publisher = await startPublisher();
  advertiser = await startAdvertiser();
});
afterAll(async () => {
  await publisher.close();
  await advertiser.close();
});

// Proves EVID-01, EVID-03, EVID-04, WARD-38
it('an advertiser turns the measuring on by keyboard at 375 px, installs the script and sees the first landing', async () => {
  const { server } = suite.fixture;
  const { page, client: buyer } = await suite.enter('buyer', { width: 375 });
  const seller = await suite.client('seller');
  const target = advertiser.put('/start', `<h1>Welcome</h1>${landingScript(server.url)}`);
  const { ad, zone } = await makeLiveAd(seller, buyer, {
    ad: { title: 'Measured', targetUrl: `${target}?from=ad#top` },
    website: { url: publisher.origin },
    product: { duration: 5 },
  });
  await server.app.refreshDelivery();

  await page.clock.install();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Measured', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Measured' });
  const keyboard = keyboardOf(page);
  // A part that loads above a focused control would move it out of view.
  await page.waitForLoadState('networkidle');
  await keyboard.enter('button', 'Landings');
  const panel = dialog.getByRole('region', { name: 'Landings' });
  await panel.getByRole('switch', { name: 'Measure landings' }).waitFor();
  // The panel shows no figures while the ad does not measure landings.
  expect(await panel.getByText('No landings yet').count()).toBe(0);
  await keyboard.tabTo('switch', 'Measure landings');
  await keyboard.press('Space');
  await panel.getByText('No landings yet').waitFor();
  await panel.getByText('Install one of the lines below.').waitFor();
  await panel.getByRole('group', { name: 'Landing script' }).getByText(landingScript(server.url)).waitFor();
  await panel
    .getByRole('group', { name: 'Landing report from your server' })
    .getByText(`curl -X POST ${server.url}/api/serve/landings`)
    .waitFor();
  await keyboard.tabTo('button', 'Copy the landing script');
  await keyboard.tabTo('button', 'Copy the landing report from your server');
  expect(await axeFindings(page)).toEqual([]);
  for (const width of [320, 375, 1280]) {
    await resize(page, { width, height: 800 });
    expect(await sideways(page)).toEqual([]);
    expect(await lostText(page)).toEqual([]);
  }

  await panel.getByRole('button', { name: 'Create a key' }).press('Enter');
  await panel
    .getByRole('group', { name: 'Conversion key' })
    .getByText(/Bearer osk_/)
    .waitFor();
  await panel.getByText(/You have a key since/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await resize(page, { width: 375, height: 800 });
  expect(await sideways(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Remove the key' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Remove the key?' })
    .getByRole('button', { name: 'Remove the key' })
    .press('Enter');
  await panel.getByRole('button', { name: 'Create a key' }).waitFor();

  await server.app.refreshDelivery();
  const { page: visitor } = await suite.fixture.enter();
  await visitor.addInitScript(openShadowRoots);
  const sent: { url: string; body: string | null; cookie: string | undefined }[] = [];
  visitor.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/landings/'))
      sent.push({ url: request.url(), body: request.postData(), cookie: request.headers()['cookie'] });
  });
  const viewed = visitor.waitForResponse(/\/api\/serve\/view\//);
  await visitor.goto(publisher.put('/', snippet(server.url, zone.publicId)));
  const link = visitor.locator('ad-zone a[rel*=sponsored]').last();
  // Wait for the view, because a click within 0.4 s of the decision is filtered (MIN_CLICK_MS).
  await viewed;
  const [landing] = await Promise.all([visitor.context().waitForEvent('page'), link.click()]);
  await landing.waitForURL(/osid=/);
  const url = new URL(landing.url());
  expect(url.href).toBe(`${target}?from=ad&osid=${url.searchParams.get('osid')}#top`);
  await expect.poll(() => sent.length).toBe(1);
  expect(sent).toEqual([
    {
      url: `${server.url}/api/serve/landings/${url.searchParams.get('osid')}`,
      body: null,
      cookie: undefined,
    },
  ]);
  expect(await landing.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(
    ['', 0, 0],
  );

  // The open dialog updates by itself. A reload reports the landing again, which does not count.
  await expect
    .poll(async () => {
      // The interval at which the dialog polls its figures.
      await page.clock.fastForward(10_000);
      return await panel.getByText('Landing rate: 1 of 1 measured click reached your page.').isVisible();
    })
    .toBe(true);
  await landing.reload();
  await expect.poll(() => sent.length).toBe(2);
  const { body } = await buyer.get(`/api/ads/${ad.id}/landings`);
  expect(body).toMatchObject({ enabled: true, clicks: 1, landings: 1 });
  await dialog.getByRole('button', { name: 'How this was counted' }).click();
  await dialog.getByText('Landing rate: 100.0% of 1 measured click reached the advertiser’s page.').waitFor();
  await leave(visitor);
});
