/** The ways to show a zone, as a publisher is handed them, each put on a page and used. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { build } from 'vite';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd, makeProduct } from '../server/testing/story.ts';
import { openShadowRoots, painted } from './support/ads-on-page.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { startPublisher } from './support/publisher.ts';
import { useStage } from './support/use-stage.ts';

const house = useStage();
const root = path.resolve(import.meta.dirname, '..');
const VIDEO = { adType: 'video', pricingModel: 'per_impression', duration: null, impressions: 100 };

/** A publisher at the codes of a zone, which shows a live ad. */
async function atCodes({ video = false } = {}) {
  const { page, client } = await house.enter('seller');
  const buyer = await house.client('buyer');
  const { zone } = await makeLiveAd(client, buyer, { ad: { title: 'Fresh beans' } });
  if (video) await makeProduct(client, zone, { ...VIDEO, price: '9.00' });
  await house.stage.server.app.refreshDelivery();
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: `Get code of ${zone.name}` }).click();
  await page.getByRole('tab').first().waitFor();
  return { page, zone, buyer };
}

/** What one of the tab's copy buttons puts on the clipboard. */
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

/** Opens a publisher's page on a host of its own, gives it to `use`, and expects that nothing was thrown in it. */
async function onPage(
  body: string,
  use: (page: Page) => Promise<void>,
  {
    headers,
    javaScriptEnabled = true,
  }: { headers?: Record<string, string>; javaScriptEnabled?: boolean } = {},
): Promise<void> {
  const site = await startPublisher('localhost');
  const context = await house.stage.browser.newContext({ javaScriptEnabled });
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

describe('the codes', () => {
  it('DEL-32 ZONE-08 are a tab each, which says when to take it; a player’s address where video is sold', async () => {
    const { page, zone } = await atCodes({ video: true });
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect(tabs).toEqual([
      'Script',
      'Sandboxed iframe',
      'React',
      'Video player',
      'No JavaScript',
      'Strict CSP',
    ]);
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      const panel = page.getByRole('tabpanel', { name: tab, exact: true });
      expect(await panel.locator('p').first().innerText()).toMatch(/^(Take|Give|Put|If) .*\.$/s);
      const codes = await panel.getByRole('group').allInnerTexts();
      expect(codes.length).toBe(tab === 'Strict CSP' ? 2 : 1);
    }
    const { url } = house.stage.server;
    expect(await copied(page, 'Script', /^Copy code/)).toBe(zone.embedCode);
    expect(await copied(page, 'Video player', /^Copy VAST address/)).toBe(
      `${url}/api/serve/vast/${zone.publicId}`,
    );
  });

  it('DEL-32 leave the player’s address out where no video is sold', async () => {
    const { page } = await atCodes();
    expect(await page.getByRole('tab').count()).toBe(5);
    expect(await page.getByRole('tab', { name: 'Video player' }).count()).toBe(0);
  });

  it('DEL-32 A11Y-02 A11Y-05 are free of what axe finds, light and dark, and lose nothing on a narrow screen', async () => {
    const { page } = await atCodes({ video: true });
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

  it('DEL-32 are reached, chosen and copied by keyboard alone', async () => {
    const { page } = await atCodes();
    const unfold = page.getByRole('button', { name: /^Get code/ });
    expect(await unfold.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('tablist').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Sandboxed iframe' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Copied!', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^<iframe /);
  });
});

describe('on a page', () => {
  it('DEL-32 DEL-33 the frame shows the ad, and its view and click count once', async () => {
    const { page, buyer } = await atCodes();
    const snippet = await copied(page, 'Sandboxed iframe', /^Copy iframe/);
    // No script at all may run in the page itself.
    const policy = `default-src 'none'; style-src 'unsafe-inline'; frame-src ${house.stage.server.url}`;
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
        // Nobody's origin: it holds neither the publisher's storage nor ours.
        const origin = await reader.frames()[1]!.evaluate(() => self.origin);
        expect(origin).toBe('null');
      },
      { headers: { 'Content-Security-Policy': policy } },
    );
  });

  it('DEL-32 the React component shows the ad, and another when it is mounted anew', async () => {
    const { page } = await atCodes();
    const component = await copied(page, 'React', /^Copy React component/);
    const script = await bundled(component);
    await onPage(`<div id="root"></div><script>${script}</script>`, async (reader) => {
      await painted(reader, 1);
      expect(await reader.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
      const again = reader.waitForRequest(/\/api\/serve\/ads/);
      await reader.getByRole('button', { name: 'Again' }).click();
      await again;
      await painted(reader, 1);
    });
  });

  it('DEL-32 the line without JavaScript sells the place', async () => {
    const { page, zone } = await atCodes();
    const line = await copied(page, 'No JavaScript', /^Copy link/);
    await onPage(
      zone.embedCode + line,
      async (reader) => {
        const href = await reader.getByRole('link', { name: 'Advertise here' }).getAttribute('href');
        const { pathname, searchParams, origin } = new URL(href ?? '');
        expect(origin + pathname).toBe(`${house.stage.server.url}/create-ad`);
        expect(searchParams.get('zone')).toBe(zone.publicId);
        expect(searchParams.get('website')).toMatch(/^[0-9a-f-]{36}$/);
      },
      { javaScriptEnabled: false },
    );
  });

  it('DEL-32 DEL-15 under the policy and with the rule it hands out, the place keeps its size and shows the ad', async () => {
    const { page, zone } = await atCodes();
    const policy = await copied(page, 'Strict CSP', /^Copy policy/);
    const rule = await copied(page, 'Strict CSP', /^Copy style rule/);
    const snippet = zone.embedCode.replace(/ style="[^"]*"/, '');
    const reserved = { width: 300, height: 250 };
    const body = `<style nonce="ours">${rule}</style>${snippet}`;
    const base = "default-src 'none'; style-src 'nonce-ours'";
    // By the rule alone, before the script has come.
    await onPage(
      body,
      async (reader) => expect(await reader.locator('ad-zone').boundingBox()).toMatchObject(reserved),
      { headers: { 'Content-Security-Policy': base } },
    );
    await onPage(
      body,
      async (reader) => {
        await painted(reader, 1);
        expect(await reader.locator('ad-zone').boundingBox()).toMatchObject(reserved);
      },
      { headers: { 'Content-Security-Policy': `${base}; ${policy}` } },
    );
  });
});

/** An application around the component, as a publisher's own build makes it. */
async function bundled(component: string): Promise<string> {
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
    // As under a developer's hands: React says more, and mounts and effects are the same.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, lib: { entry: 'main.jsx', formats: ['iife'], name: 'app' } },
  });
  const result: unknown = await built;
  await rm(folder, { recursive: true });
  const [{ output }] = result as [{ output: [{ code: string }] }];
  return output[0].code.replaceAll('</script', '<\\/script');
}
