import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { openShadowRoots, painted } from './support/ads-on-page.ts';
import { startPublisher } from './support/publisher.ts';
import { useStage } from './support/use-stage.ts';

const house = useStage();

it("DEL-23 GEN-06 the 'Ad' mark on a publisher's page opens who paid for it, and why it is there", async () => {
  const seller = await house.client('seller');
  const buyer = await house.stage.server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
  const { zone, ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Fresh <b>beans</b>' } });
  await house.stage.server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const { page, context, errors } = await house.stage.enter();
  await page.addInitScript(openShadowRoots);
  await page.goto(site.put('/', zone.embedCode));
  await painted(page, 1);

  const [why] = await Promise.all([
    context.waitForEvent('page'),
    page.locator('ad-zone a', { hasText: /^Ad$/ }).click(),
  ]);
  await why.getByRole('heading', { level: 1, name: 'Why this ad?' }).waitFor();
  expect(why.url()).toBe(`${house.stage.server.url}/api/serve/why/${ad.publicId}`);
  const text = await why.getByRole('main').innerText();
  expect(text).toContain('“Fresh <b>beans</b>” is an advertisement.');
  expect(text).toMatch(/Shown on behalf of\s+Ada Lane\s+Paid for by\s+Ada Lane/);
  expect(await why.getByRole('link', { name: 'Report this ad' }).getAttribute('href')).toMatch(/^mailto:/);
  // The publisher's page is still there, and the mark was no click on the ad.
  expect(await page.title()).toBe('A publisher');
  expect((await buyer.get('/api/analytics/spending')).body.totalClicks).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
  await site.close();
});
