/** The embed codes of a zone, as the 'Get code' dialog shows them, each used on a publisher's page. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'vite';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd, makeProduct } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { assertNoErrors, enterAs } from './support/people.ts';
import type { Person } from './support/person.ts';
import { type Publisher, startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const root = path.resolve(import.meta.dirname, '..');
const VIDEO = { adType: 'video', pricingModel: 'per_impression', duration: null, impressions: 100 };

/** The publisher's page with the dialog of `zone`, which stays open from test to test. */
let publisher: Person & { client: Client };
let buyer: Client;
/** An ad zone that sells videos as well as the live ad 'Fresh beans'. */
let zone: AdZone;
let page: Page;

/** The texts that the dialog has copied. */
const codes = { iframe: '', react: '', link: '', policy: '', rule: '', line: '', post: '' };

beforeAll(async () => {
  publisher = await enterAs(suite.fixture, 'seller');
  ({ page } = publisher);
  buyer = await suite.client('buyer');
  const live = await makeLiveAd(publisher.client, buyer, { ad: { title: 'Fresh beans' } });
  ({ zone } = live);
  await makeProduct(publisher.client, zone, { ...VIDEO, price: '9.00' });
  await suite.fixture.server.app.refreshDelivery();
  await page.goto('/ad-zones');
  await openCodes(zone.name);
});
afterAll(() => assertNoErrors(publisher));

/** Opens the embed codes of an ad zone from the list. */
async function openCodes(name: string): Promise<void> {
  await page.getByRole('button', { name: `Code for ${name}` }).click();
  await page.getByRole('tab').first().waitFor();
}

const choose = (tab: string) => page.getByRole('tab', { name: tab, exact: true }).click();

/** Presses a copy button of the open tab and returns what is on the clipboard. */
async function copied(what: RegExp): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('tabpanel').getByRole('button', { name: what }).click();
  const read = async () => await page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return await read();
}

describe('the embed codes', () => {
  // Proves ZONE-08
  it('have a tab for HTML, WordPress, Ghost, Hugo and React that says where to paste it, and other ways: a frame, a VAST URL, a link, a policy', async () => {
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect(tabs).toEqual(['HTML', 'WordPress', 'Ghost', 'Hugo', 'React', 'Other ways']);
    for (const tab of tabs) {
      await choose(tab);
      const panel = page.getByRole('tabpanel', { name: tab, exact: true });
      expect(await panel.locator('p').first().innerText()).toMatch(/^(Use|Type|Add) .*\.$/s);
      if (['HTML', 'WordPress', 'Ghost', 'Hugo'].includes(tab))
        expect(await copied(/^Copy code/)).toBe(zone.embedCode);
      if (tab === 'Hugo') {
        expect(await copied(/^Copy shortcode/)).toBe(`{{< ad-zone-${zone.id} >}}`);
        await page
          .getByText(`Add a file layouts/_shortcodes/ad-zone-${zone.id}.html with this code.`)
          .waitFor();
      }
      if (tab === 'WordPress') {
        codes.line = await copied(/^Copy script line/);
        codes.post = await copied(/^Copy post code/);
      }
      if (tab === 'React') codes.react = await copied(/^Copy React component/);
    }
    const ways = page.getByRole('tabpanel').getByRole('region');
    expect(await ways.getByRole('heading').allInnerTexts()).toEqual([
      'Sandboxed iframe',
      'Video player',
      'No JavaScript',
      'Strict CSP',
    ]);
    for (const way of await ways.all())
      expect(await way.locator('p').first().innerText()).toMatch(/^(Use|Enter|Add|If) .*\.$/s);
    const { url } = suite.fixture.server;
    expect(await copied(/^Copy VAST address/)).toBe(`${url}/api/serve/vast/${zone.publicId}`);
    codes.iframe = await copied(/^Copy iframe/);
    codes.link = await copied(/^Copy link/);
    codes.policy = await copied(/^Copy policy/);
    codes.rule = await copied(/^Copy style rule/);
  });

  it('can be reached, selected and copied by keyboard alone', async () => {
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Code');
    await page.keyboard.press('Enter');
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.getByRole('tabpanel', { name: 'Other ways' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.keyboard.press('Enter');
    await page.getByText('Copied!', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^<iframe /);
    await page.keyboard.press('Escape');
  });
});

describe('an embed code on a publisher’s page', () => {
  let site: Publisher;
  /** A visitor with an open page on another origin. */
  let reader: Page;
  let visitor: Person;

  beforeAll(async () => {
    site = await startPublisher('localhost');
    visitor = await suite.fixture.enter();
    reader = visitor.page;
    await reader.addInitScript(openShadowRoots);
  });
  afterEach(() => assertNoErrors(visitor));
  afterAll(async () => await site.close());

  // Proves DEL-33
  it('shows the ad in a sandboxed iframe and counts its view and click once', async () => {
    const counted = async () => {
      const { totalImpressions, totalClicks } = (await buyer.get('/api/analytics/spending')).body;
      return { totalImpressions, totalClicks };
    };
    // The policy forbids all scripts of the page itself.
    const policy = `default-src 'none'; style-src 'unsafe-inline'; frame-src ${suite.fixture.server.url}`;
    await reader.goto(
      site.put('/framed', `<h1>A publisher</h1>${codes.iframe}`, { 'Content-Security-Policy': policy }),
    );
    const frame = reader.frameLocator('iframe');
    await frame.getByText('Fresh beans').waitFor();
    expect(await frame.locator('ad-zone').boundingBox()).toEqual(
      await reader.locator('iframe').boundingBox(),
    );
    await expect.poll(counted).toEqual({ totalImpressions: 1, totalClicks: 0 });
    const [landing] = await Promise.all([
      reader.context().waitForEvent('page'),
      frame.getByText('Fresh beans').click(),
    ]);
    await expect.poll(counted).toEqual({ totalImpressions: 1, totalClicks: 1 });
    await landing.close();
    // The frame has an opaque origin, so that it can access neither the publisher's storage nor ours.
    const origin = await reader.frames()[1]!.evaluate(() => self.origin);
    expect(origin).toBe('null');
  });

  it('shows an ad in the React component, and requests another when the component is mounted again', async () => {
    const script = await bundle(codes.react);
    await reader.goto(site.put('/react', `<div id="root"></div><script>${script}</script>`));
    await rendered(reader, 1);
    expect(await reader.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
    const again = reader.waitForRequest(/\/api\/serve\/ads/);
    await reader.getByRole('button', { name: 'Again' }).click();
    await again;
    await rendered(reader, 1);
  });

  it('shows the ad in a post that may hold no script, with the script line once on the page', async () => {
    // WordPress lets authors write neither scripts nor unknown elements.
    const post = codes.post.replaceAll(/<\/?(?!div\b)[a-z-]+[^>]*>/g, '');
    expect(post).toBe(codes.post);
    await reader.goto(site.put('/post', `${codes.line}<h1>A post</h1>${post}`));
    await rendered(reader, 1);
    expect(await reader.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
    await reader.locator('ad-zone').getByText('Fresh beans').waitFor();
  });

  it('keeps the zone’s size and shows the ad with the policy and style rule for a strict CSP', async () => {
    const snippet = zone.embedCode.replace(/ style="[^"]*"/, '');
    const reserved = { width: 300, height: 250 };
    const body = `<style nonce="ours">${codes.rule}</style>${snippet}`;
    const base = "default-src 'none'; style-src 'nonce-ours'";
    // The style rule alone reserves the size, before the script runs.
    await reader.goto(site.put('/refusing', body, { 'Content-Security-Policy': base }));
    expect(await reader.locator('ad-zone').boundingBox()).toMatchObject(reserved);
    await reader.goto(site.put('/strict', body, { 'Content-Security-Policy': `${base}; ${codes.policy}` }));
    await rendered(reader, 1);
    expect(await reader.locator('ad-zone').boundingBox()).toMatchObject(reserved);
  });

  it('shows the Advertise here link to visitors without JavaScript', async () => {
    const context = await suite.fixture.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(site.put('/plain', zone.embedCode + codes.link));
    const href = await plain.getByRole('link', { name: 'Advertise here' }).getAttribute('href');
    const { pathname, searchParams, origin } = new URL(href ?? '');
    expect(origin + pathname).toBe(`${suite.fixture.server.url}/create-ad`);
    expect(searchParams.get('zone')).toBe(zone.publicId);
    expect(searchParams.get('website')).toMatch(/^[0-9a-f-]{36}$/);
    await context.close();
  });
});

/** Builds an application around the component, as a publisher does. Returns its script. */
async function bundle(component: string): Promise<string> {
  const folder = await mkdtemp(path.join(root, '.cache/react-'));
  await writeFile(path.join(folder, 'ad-zone.jsx'), component);
  await writeFile(
    path.join(folder, 'main.jsx'),
    `import { useState } from 'react';
     import { createRoot } from 'react-dom/client';
     import { AdZone } from './ad-zone.jsx';
     function App() {
       const [round, setRound] = useState(0);
       return <><AdZone key={round} /><button onClick={() => setRound(round + 1)}>Again</button></>;
     }
     createRoot(document.getElementById('root')).render(<App />);`,
  );
  const built = build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    // React's development build reports more errors. It mounts components and runs effects like the production build.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, lib: { entry: 'main.jsx', formats: ['iife'], name: 'app' } },
  });
  const result: unknown = await built;
  await rm(folder, { recursive: true });
  const [{ output }] = result as [{ output: [{ code: string }] }];
  return output[0].code.replaceAll('</script', '<\\/script');
}
