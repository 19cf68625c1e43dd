/** The embed codes of a zone, as the 'Get code' dialog shows them, each used on a publisher's page. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { build } from 'vite';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const root = path.resolve(import.meta.dirname, '..');
const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
const VIDEO = { adType: 'video', pricingModel: 'per_impression', duration: null, impressions: 100 };

/** Opens the embed codes of a zone with a live ad. */
async function openCodes({ video = false } = {}) {
  const { page, client } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  const { zone } = await makeLiveAd(client, buyer, { ad: { title: 'Fresh beans' } });
  if (video) await makeProduct(client, zone, { ...VIDEO, price: '9.00' });
  await suite.fixture.server.app.refreshDelivery();
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: `Code for ${zone.name}` }).click();
  await page.getByRole('tab').first().waitFor();
  return { page, zone, buyer };
}

/** Presses a copy button of the tab and returns what is on the clipboard. */
async function copied(page: Page, tab: string, what: RegExp): Promise<string> {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('tabpanel').getByRole('button', { name: what }).click();
  const read = async () => await page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return await read();
}

const counted = async (buyer: Client) => {
  const { totalImpressions, totalClicks } = (await buyer.get('/api/analytics/spending')).body;
  return { totalImpressions, totalClicks };
};

/** Opens a publisher's page on another origin, passes it to `use`, and expects that it threw no errors. */
async function onPage(
  body: string,
  use: (page: Page) => Promise<void>,
  {
    headers,
    javaScriptEnabled = true,
  }: { headers?: Record<string, string>; javaScriptEnabled?: boolean } = {},
): Promise<void> {
  const site = await startPublisher('localhost');
  const context = await suite.fixture.browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  if (javaScriptEnabled) await page.addInitScript(openShadowRoots);
  await page.goto(site.put('/', body, headers));
  await use(page);
  expect(errors).toEqual([]);
  await context.close();
  await site.close();
}

describe('the embed codes', () => {
  // Proves DEL-32, ZONE-08, CODE-02
  it('have a tab for each publishing system that says where to paste it, with a VAST URL for a zone that sells video', async () => {
    const { page, zone } = await openCodes({ video: true });
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect(tabs).toEqual(['HTML', 'WordPress', 'Ghost', 'Hugo', 'React', 'Other ways']);
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      const panel = page.getByRole('tabpanel', { name: tab, exact: true });
      expect(await panel.locator('p').first().innerText()).toMatch(/^(Use|Type|Add) .*\.$/s);
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
    for (const tab of ['HTML', 'WordPress', 'Ghost', 'Hugo'])
      expect(await copied(page, tab, /^Copy code/)).toBe(zone.embedCode);
    expect(await copied(page, 'Hugo', /^Copy shortcode/)).toBe(`{{< ad-zone-${zone.id} >}}`);
    await page.getByText(`Add a file layouts/_shortcodes/ad-zone-${zone.id}.html with this code.`).waitFor();
    expect(await copied(page, 'Other ways', /^Copy VAST address/)).toBe(
      `${url}/api/serve/vast/${zone.publicId}`,
    );
  });

  // Proves DEL-32
  it('do not include a VAST URL for a zone that sells no video', async () => {
    const { page } = await openCodes();
    await page.getByRole('tab', { name: 'Other ways' }).click();
    await page.getByRole('region', { name: 'Sandboxed iframe' }).waitFor();
    expect(await page.getByRole('region', { name: 'Video player' }).count()).toBe(0);
  });

  // Proves DEL-32, A11Y-02, A11Y-05
  it('have no accessibility findings in either theme and no cut-off text at 320 px', async () => {
    const { page } = await openCodes({ video: true });
    const found: string[] = [];
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      const name = await tab.innerText();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const finding of await axeFindings(page, colorScheme))
          found.push(`${name}, ${colorScheme}: ${finding}`);
      }
      await resize(page, { width: 320, height: 640 });
      for (const finding of [...(await sideways(page)), ...(await lostText(page))])
        found.push(`${name}, narrow: ${finding}`);
      await resize(page, { width: 1280, height: 900 });
    }
    expect(found).toEqual([]);
  });

  // Proves DEL-32
  it('can be reached, selected and copied by keyboard alone', async () => {
    const { page } = await openCodes();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Code');
    await page.keyboard.press('Enter');
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.getByRole('tabpanel', { name: 'Other ways' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Copied!', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^<iframe /);
  });
});

describe('the code dialog', () => {
  // Proves CODE-03
  it('waits live for the tag, and the list then says that it was seen', async () => {
    const { page, client } = await suite.enter('seller');
    const website = await makeWebsite(client);
    const zone = await makeZone(client, website, { name: 'Awaited' });
    await suite.fixture.server.app.refreshDelivery();
    await page.goto('/ad-zones');
    const row = page.locator('article').filter({ hasText: 'Awaited' });
    await row.getByText('Tag not seen yet').waitFor();
    await row.getByRole('button', { name: 'Code' }).click();
    const watch = page.getByRole('dialog').getByRole('region', { name: /tag/i });
    await watch.getByText('Waiting for the tag…').waitFor();
    const request = (origin: string) =>
      fetch(`${suite.fixture.server.url}/api/serve/ads?z=${zone.publicId}`, {
        headers: { origin, 'user-agent': BROWSER },
      });
    await request('https://elsewhere.example');
    await watch.getByText('https://elsewhere.example').waitFor();
    expect(await watch.getByText('Waiting for the tag…').isVisible()).toBe(true);
    await request(website.url);
    await watch.getByText(`Tag seen on ${new URL(website.url).host}`).waitFor();
    // The list learns it while the dialog is open.
    await row.getByText(/^Tag seen /).waitFor({ state: 'attached' });
  });
});

describe('an embed code on a publisher’s page', () => {
  // Proves DEL-32, DEL-33
  it('shows the ad in a sandboxed iframe and counts its view and click once', async () => {
    const { page, buyer } = await openCodes();
    const snippet = await copied(page, 'Other ways', /^Copy iframe/);
    // The policy forbids all scripts of the page itself.
    const policy = `default-src 'none'; style-src 'unsafe-inline'; frame-src ${suite.fixture.server.url}`;
    await onPage(
      `<h1>A publisher</h1>${snippet}`,
      async (reader) => {
        const frame = reader.frameLocator('iframe');
        await frame.getByText('Fresh beans').waitFor();
        expect(await frame.locator('ad-zone').boundingBox()).toEqual(
          await reader.locator('iframe').boundingBox(),
        );
        await expect.poll(() => counted(buyer)).toEqual({ totalImpressions: 1, totalClicks: 0 });
        await Promise.all([reader.context().waitForEvent('page'), frame.getByText('Fresh beans').click()]);
        await expect.poll(() => counted(buyer)).toEqual({ totalImpressions: 1, totalClicks: 1 });
        // The frame has an opaque origin, so that it can access neither the publisher's storage nor ours.
        const origin = await reader.frames()[1]!.evaluate(() => self.origin);
        expect(origin).toBe('null');
      },
      { headers: { 'Content-Security-Policy': policy } },
    );
  });

  // Proves DEL-32
  it('shows an ad in the React component, and requests another when the component is mounted again', async () => {
    const { page } = await openCodes();
    const component = await copied(page, 'React', /^Copy React component/);
    const script = await bundle(component);
    await onPage(`<div id="root"></div><script>${script}</script>`, async (reader) => {
      await rendered(reader, 1);
      expect(await reader.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
      const again = reader.waitForRequest(/\/api\/serve\/ads/);
      await reader.getByRole('button', { name: 'Again' }).click();
      await again;
      await rendered(reader, 1);
    });
  });

  // Proves DEL-32
  it('shows the Advertise here link to visitors without JavaScript', async () => {
    const { page, zone } = await openCodes();
    const line = await copied(page, 'Other ways', /^Copy link/);
    await onPage(
      zone.embedCode + line,
      async (reader) => {
        const href = await reader.getByRole('link', { name: 'Advertise here' }).getAttribute('href');
        const { pathname, searchParams, origin } = new URL(href ?? '');
        expect(origin + pathname).toBe(`${suite.fixture.server.url}/create-ad`);
        expect(searchParams.get('zone')).toBe(zone.publicId);
        expect(searchParams.get('website')).toMatch(/^[0-9a-f-]{36}$/);
      },
      { javaScriptEnabled: false },
    );
  });

  // Proves DEL-32, DEL-15
  it('keeps the zone’s size and shows the ad with the policy and style rule for a strict CSP', async () => {
    const { page, zone } = await openCodes();
    const policy = await copied(page, 'Other ways', /^Copy policy/);
    const rule = await copied(page, 'Other ways', /^Copy style rule/);
    const snippet = zone.embedCode.replace(/ style="[^"]*"/, '');
    const reserved = { width: 300, height: 250 };
    const body = `<style nonce="ours">${rule}</style>${snippet}`;
    const base = "default-src 'none'; style-src 'nonce-ours'";
    // The style rule alone reserves the size, before the script runs.
    await onPage(
      body,
      async (reader) => expect(await reader.locator('ad-zone').boundingBox()).toMatchObject(reserved),
      { headers: { 'Content-Security-Policy': base } },
    );
    await onPage(
      body,
      async (reader) => {
        await rendered(reader, 1);
        expect(await reader.locator('ad-zone').boundingBox()).toMatchObject(reserved);
      },
      { headers: { 'Content-Security-Policy': `${base}; ${policy}` } },
    );
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
