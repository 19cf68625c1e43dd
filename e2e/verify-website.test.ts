import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { makeWebsite, makeZone } from '../server/testing/story.ts';
import { listen, stop } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const DAY_MS = 24 * 60 * 60 * 1000;

// Proves OWN-01
it('a website becomes verified when the publisher adds a copied proof, and shows since when the proof is missing', async () => {
  const files = new Map<string, { type: string; text: string }>();
  const site = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file ? 200 : 404, { 'Content-Type': file?.type ?? 'text/plain' }).end(file?.text);
  });
  const port = await listen(site, '127.0.0.1');
  try {
    const { page, client } = await suite.enter('seller');
    const { publicId } = await makeWebsite(client, { name: 'News site', url: `http://127.0.0.1:${port}/` });
    await page.goto('/ad-zones');
    const website = page.getByRole('region', { name: 'News site' });
    await website.getByText('Unverified', { exact: true }).waitFor();
    await website.getByRole('button', { name: 'Verify News site' }).click();

    const dialog = page.getByRole('dialog', { name: `Verification of 127.0.0.1:${port}` });
    await dialog.getByText('Not checked yet').waitFor();
    await dialog.getByRole('button', { name: 'Verify now' }).click();
    await dialog.getByText('No proof found', { exact: true }).waitFor();
    await dialog.getByText(/^Last check: /).waitFor();
    await dialog.getByText(/^Your home page answered with status 404\./).waitFor();

    const copied = async (name: string) => {
      await dialog.getByRole('button', { name: `Copy ${name}` }).click();
      await page.getByText('Copied!', { exact: true }).first().waitFor();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    await dialog.getByText('An IP address has no DNS records. Use ads.txt or the meta tag.').waitFor();
    expect(await copied('DNS record')).toMatch(/^openslot-site-verification=\w{40}$/);

    const way = (name: string) => dialog.getByRole('region', { name });
    await way('ads.txt').getByText(`http://127.0.0.1:${port}/ads.txt`).waitFor();
    const line = await copied('ads.txt');
    expect(line).toBe(`${new URL(suite.fixture.server.url).hostname}, ${client.user.id}, DIRECT`);
    files.set('/ads.txt', { type: 'text/plain', text: line });
    await dialog.getByRole('button', { name: 'Verify now' }).click();
    await dialog.getByText('We found your proof.').waitFor();
    await way('ads.txt').getByText('Found at the last check.').waitFor();

    // Another kind of proof replaces the first one.
    files.set('/', { type: 'text/html', text: `<head>${await copied('Meta tag')}</head>` });
    files.delete('/ads.txt');
    await dialog.getByRole('button', { name: 'Verify now' }).click();
    await way('Meta tag').getByText('Found at the last check.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await website.getByText('Verified', { exact: true }).waitFor();

    files.clear();
    suite.fixture.server.clock.advance(DAY_MS + 60_000);
    await client.post(`/api/websites/${publicId}/verification`);
    await page.reload();
    await website.getByRole('button', { name: 'Verification of News site' }).click();
    await dialog.getByText(/^No proof found since /).waitFor();
    await dialog.getByText(/^If we find none by .*, advertisers see ‘Unverified’/).waitFor();
  } finally {
    await stop(site);
  }
});

it('after the tag was seen, the publisher verifies the website by its code in the same dialog', async () => {
  let html = '<p>News</p>';
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
  });
  const port = await listen(site, '127.0.0.1');
  try {
    const { page, client } = await suite.enter('seller');
    const website = await makeWebsite(client, { name: 'Pasted news', url: `http://127.0.0.1:${port}/` });
    const zone = await makeZone(client, website, { name: 'Pasted' });
    await page.goto('/ad-zones');
    const row = page.locator('article').filter({ hasText: 'Pasted' });
    await row.getByRole('button', { name: 'Code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Embed code' });
    await dialog.getByText('Waiting for the tag…').waitFor();
    await fetch(`${suite.fixture.server.url}/api/serve/ads?z=${zone.publicId}`, {
      headers: { origin: `http://127.0.0.1:${port}` },
    });
    const steps = dialog.getByRole('region', { name: 'It works. What’s next' });
    await steps.getByRole('button', { name: 'Verify now' }).click();
    await steps.getByText('We didn’t find this code in the HTML of your home page.').waitFor();
    html = zone.embedCode;
    await steps.getByRole('button', { name: 'Verify now' }).click();
    await steps.getByText('Verified: advertisers see that the website is yours.').waitFor();
    await steps.getByRole('button', { name: 'Test my zone' }).click();
    await page.getByRole('dialog', { name: /Test/ }).waitFor();
  } finally {
    await stop(site);
  }
});
