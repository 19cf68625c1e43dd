/** A publisher's video player with Google's IMA: a labeled stand-in for its frame, which is of Google's origin. */
import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { IMA_START, imaSnippet } from '#domain/inventory/embed.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** The page posts the address at once and when the frame has loaded, and the frame takes the first one that it hears. IMA's frame requests the document with credentials and reports by images, as its bridge does. */
const BRIDGE = `<!doctype html><script>
addEventListener('message', async ({ data }) => {
  const answer = await fetch(data, { credentials: 'include' });
  const document = new DOMParser().parseFromString(await answer.text(), 'application/xml');
  const viewable = document.querySelector('Viewable').textContent.trim();
  setTimeout(() => { new Image().src = viewable; }, 2500);
}, { once: true });
</script>`;

const START = `const frame = document.querySelector('iframe');
const start = () => frame.contentWindow.postMessage(adTagUrl, '*');
frame.addEventListener('load', start);
start();`;

// Proves FIELD-93
it.each(['', ' type="module"'])(
  'a player with IMA on a publisher’s page gets an ad in <script%s>, and its view counts once',
  async (type) => {
    const { server } = suite.fixture;
    const seller = await suite.client('seller');
    const buyer = await suite.client('buyer');
    const { zone } = await makeLiveAd(seller, buyer, {
      product: { adType: 'video', pricingModel: 'per_impression', impressions: 10, duration: undefined },
      ad: { title: 'A video', videoUrl: await upload(buyer, 'video/mp4') },
    });
    await server.app.refreshDelivery();
    const site = await startPublisher('localhost');
    const { page, errors } = await suite.fixture.enter();
    // Chromium asks the visitor before a public page may call this machine, where the test's server runs.
    await page.context().grantPermissions(['local-network-access']);
    await page.route('https://imasdk.googleapis.com/**', async (route) => {
      await route.fulfill({ contentType: 'text/html', body: BRIDGE });
    });
    await page.goto(
      site.put(
        '/',
        `<iframe allow="local-network-access" src="https://imasdk.googleapis.com/js/core/bridge3.html"></iframe><script${type}>
${imaSnippet(zone.publicId, server.url).replace(IMA_START, START)}
</script>`,
      ),
    );
    const impressions = async () => (await buyer.get('/api/analytics/spending')).body.totalImpressions;
    await expect.poll(impressions).toBe(1);
    expect(errors).toEqual([]);
  },
);
