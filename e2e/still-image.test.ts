/** An animated image ad, for visitors with and without a wish for less motion. */
import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { gif } from '../server/testing/pictures.ts';
import { uploadBytes } from '../server/testing/uploads.ts';
import { startPublisher } from './support/publisher.ts';
import { openShadowRoots } from './support/ads-on-page.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves FIELD-96
it('an animated GIF stands still for visitors who want less motion, whose browser does not load the animation', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const buyer = await suite.client('buyer');
  const { zone } = await makeLiveAd(seller, buyer, {
    product: { adType: 'image', pricingModel: 'per_impression', impressions: 10, duration: undefined },
    ad: { title: 'It moves', imageUrl: await uploadBytes(buyer, await gif(3, 300, 250), 'image/gif') },
  });
  await server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const address = site.put('/', zone.embedCode);
  const { page } = await suite.fixture.enter();
  await page.addInitScript(openShadowRoots);
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('.gif')) loaded.push(new URL(request.url()).search);
  });
  for (const [reducedMotion, search] of [
    ['reduce', '?still'],
    ['no-preference', ''],
  ] as const) {
    loaded.length = 0;
    await page.emulateMedia({ reducedMotion });
    await page.goto(address);
    const image = page.locator('ad-zone img');
    await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth > 0)).toBe(true);
    expect(await image.evaluate((node: HTMLImageElement) => new URL(node.currentSrc).search)).toBe(search);
    expect(loaded).toEqual([search]);
  }
});
