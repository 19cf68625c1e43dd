/** Video players of publishers: one that is built on a public VAST client, and one with Google's IMA. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { VASTClient, VASTTracker } from '@dailymotion/vast-client';
import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { IMA_START, imaSnippet } from '#domain/inventory/embed.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';
import { leave } from './support/person.ts';

const suite = useFixture();

/** The VAST client as a module script that exposes its classes as `globalThis.vast`. */
async function clientScript(): Promise<string> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@dailymotion/vast-client'));
  const module = await readFile(path.join(folder, 'vast-client.js'), 'utf8');
  return module.replace(/^export \{.*$/m, 'globalThis.vast = { VASTClient, VASTTracker };');
}

type Vast = { VASTClient: typeof VASTClient; VASTTracker: typeof VASTTracker };

// Proves DEL-24
it('a VAST player on a publisher’s page plays the ad, and its view and click count once', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const buyer = await suite.client('buyer');
  const { zone, ad } = await makeLiveAd(seller, buyer, {
    product: { adType: 'video', pricingModel: 'per_impression', impressions: 10, duration: undefined },
    ad: { title: 'A video & <more>', videoUrl: await upload(buyer, 'video/mp4') },
  });
  await server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const { page, errors } = await suite.fixture.enter();
  const sent: { address: string; cookie: string | undefined }[] = [];
  page.on('request', (request) => {
    const address = request
      .url()
      .replace(server.url, '')
      .replace(/[\w-]{69}/, '{token}');
    sent.push({ address, cookie: request.headers()['cookie'] });
  });
  await page.goto(site.put('/', '<video id="screen" width="320" height="180" muted playsinline></video>'));
  await page.addScriptTag({ type: 'module', content: await clientScript() });
  await page.waitForFunction(() => 'vast' in globalThis);

  const seen = await page.evaluate(async (tagUrl) => {
    const { VASTClient, VASTTracker } = Reflect.get(globalThis, 'vast') as Vast;
    const client = new VASTClient();
    const { ads } = await client.get(tagUrl);
    const [creative] = ads[0].creatives;
    const tracker = new VASTTracker(client, ads[0], creative);
    const screen = document.querySelector('video') as HTMLVideoElement;
    screen.src = creative.mediaFiles[0].fileURL;
    screen.addEventListener('playing', () => tracker.trackImpression(), { once: true });
    const watched = new Promise<void>((resolve) => {
      screen.addEventListener('timeupdate', () => {
        if (screen.currentTime >= 2.1) resolve();
      });
    });
    await screen.play();
    await watched;
    // Some players report an impression twice.
    tracker.trackViewableImpression();
    tracker.trackViewableImpression();
    return {
      title: ads[0].title as string,
      duration: creative.duration as number,
      click: creative.videoClickThroughURLTemplate.url as string,
      played: screen.videoWidth,
    };
  }, `${server.url}/api/serve/vast/${zone.publicId}`);

  expect(seen).toMatchObject({ title: 'A video & <more>', played: 320 });
  expect(Math.round(seen.duration)).toBe(3);
  const impressions = async () => (await buyer.get('/api/analytics/spending')).body.totalImpressions;
  await expect.poll(impressions).toBe(1);
  const addresses = sent.map(({ address }) => address);
  expect(addresses).toContain('/api/serve/view/{token}?rendered');
  expect(addresses).toContain('/api/serve/view/{token}');
  expect(sent.filter(({ cookie }) => cookie !== undefined)).toEqual([]);

  const landed = await server.anyone().get(seen.click);
  expect([landed.status, landed.headers.get('location')]).toEqual([302, ad.targetUrl]);
  expect((await buyer.get('/api/analytics/spending')).body).toMatchObject({
    totalImpressions: 1,
    totalClicks: 1,
  });
  expect(errors).toEqual([]);
  await leave(page);
  await site.close();
});

/**
 * A labeled stand-in for IMA's frame, which is of Google's origin. The page posts the address at once and when the frame has loaded, and the frame takes the first one that it hears. IMA's frame requests the document with credentials and reports by images, as its bridge does.
 */
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

// Proves FIELD-91
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
