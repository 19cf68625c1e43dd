import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import { png } from '../server/testing/pictures.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { toastTitled } from './support/people.ts';
import { listen, stop } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const DAY_MS = 24 * 60 * 60 * 1000;

// Proves DEL-28, OWN-08
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

    const dialog = page.getByRole('dialog', { name: `Ownership of 127.0.0.1:${port}` });
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
    await website.getByRole('button', { name: 'Ownership of News site' }).click();
    await dialog.getByText(/^No proof found since /).waitFor();
    await dialog.getByText(/^If we find none by .*, advertisers see ‘Unverified’/).waitFor();
  } finally {
    await stop(site);
  }
});

// Proves OWN-12
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

// Proves SITE-40, SITE-41, SITE-42, SITE-43, SITE-44, SITE-45, DEC-08
it('a website is added from its address, corrected, hidden, shown and deleted', async () => {
  const touch = await png(180, 180);
  const site = createServer((request, response) => {
    if (request.url === '/touch.png')
      return void response.writeHead(200, { 'Content-Type': 'image/png' }).end(touch);
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(
        `<title>The Daily Spade</title><meta name="description" content="For gardeners"><link rel="apple-touch-icon" href="/touch.png">`,
      );
  });
  const address = `http://127.0.0.1:${await listen(site, '127.0.0.1')}`;
  try {
    const { page, client } = await suite.enter('seller');
    const dialog = page.getByRole('dialog');
    const url = dialog.getByLabel('URL');
    const name = dialog.getByLabel('Website name');
    const description = dialog.getByLabel('Description');
    await page.goto('/ad-zones');
    await page.getByRole('button', { name: 'Add Your First Website' }).click();

    // An address without a scheme is completed. If the page can't be read, the dialog only says so.
    await url.fill('nowhere.example');
    await url.press('Tab');
    expect(await url.inputValue()).toBe('https://nowhere.example');
    await dialog.getByText('You can fill in the fields yourself.').waitFor();
    // Typed text stays, and the user can undo the filled-in texts.
    await name.fill('My own name');
    await url.fill(address);
    await url.press('Tab');
    await dialog.getByText('Filled in the description from your page.').waitFor();
    expect([await name.inputValue(), await description.inputValue()]).toEqual([
      'My own name',
      'For gardeners',
    ]);
    // A restored draft knows which texts were the page's. They go with the address of another website.
    await page.reload();
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    await expect.poll(() => description.inputValue()).toBe('For gardeners');
    await url.fill('nowhere.example');
    await url.press('Tab');
    await expect.poll(() => description.inputValue()).toBe('');
    expect(await name.inputValue()).toBe('My own name');
    await url.fill(address);
    await url.press('Tab');
    await dialog.getByText('Filled in the description from your page.').waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    expect([await name.inputValue(), await description.inputValue()]).toEqual(['My own name', '']);
    await name.fill('');
    await url.fill(`${address}/`);
    await url.press('Enter');
    await dialog.getByText('Filled in the name and the description from your page.').waitFor();
    expect(await name.inputValue()).toBe('The Daily Spade');
    await dialog.locator('img[src^="data:image/webp"]').waitFor();
    await dialog.getByLabel('Use this picture from your website').check();
    await dialog.getByLabel('Category').selectOption('Lifestyle');
    await dialog.getByRole('button', { name: 'Add Website' }).click();
    await page.getByRole('dialog', { name: 'Create Ad Zone' }).waitFor();
    const mine = async () => ((await client.get('/api/websites/my')).body as Website[])[0]!;
    const website = await mine();
    expect(website).toMatchObject({ name: 'The Daily Spade', monthlyVisitors: 0, audience: null });
    expect(website.picture).toMatch(/^\/site-pictures\//);
    await dialog.getByRole('button', { name: 'Close' }).click();

    const section = (title: string) => page.getByRole('region', { name: title });
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^Manage The Daily (Spade|Rake)$/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await section('The Daily Spade').getByText('Monthly visitors not stated').waitFor();
    await section('The Daily Spade').locator('[data-picture=own]').waitFor();
    await choose('Edit website');
    await name.fill('The Daily Rake');
    await dialog.getByLabel('Monthly visitors').fill('12500');
    await dialog.getByRole('button', { name: 'Save Website' }).click();
    await dialog.waitFor({ state: 'detached' });
    await section('The Daily Rake').getByText('12.5K monthly visitors').waitFor();
    expect(await mine()).toMatchObject({
      name: 'The Daily Rake',
      description: 'For gardeners',
      url: website.url,
    });

    await choose('Edit website');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.locator('[data-picture=drawn]').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();

    await choose('Hide website');
    await dialog.getByRole('button', { name: 'Hide Website' }).click();
    await section('The Daily Rake').getByText('Hidden', { exact: true }).waitFor();
    expect((await mine()).isActive).toBe(false);
    await choose('Show website');
    await section('The Daily Rake').getByText('Hidden', { exact: true }).waitFor({ state: 'detached' });

    // An open ad prevents the deletion, and the message names it.
    const product = await makeProduct(client, await makeZone(client, website));
    const ad = await makeAd(await suite.client('buyer'), product, { title: 'Seeds' });
    await choose('Delete website');
    await dialog.getByRole('button', { name: 'Delete Website' }).click();
    await toastTitled(page, 'Cannot Delete Website')
      .getByText('This website has an open ad: “Seeds” (pending). Approve or reject pending ads.')
      .waitFor();
    await client.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });

    // A zone for a website that was deleted in another tab is refused, and the list follows.
    await page.getByRole('button', { name: 'Create Ad Zone' }).click();
    await dialog.getByLabel('Website').selectOption('The Daily Rake');
    await dialog.getByLabel('Ad zone name').fill('Too late');
    const other = await makeWebsite(client, { name: 'Another' });
    await client.delete(`/api/websites/${website.id}`);
    await dialog.getByRole('button', { name: 'Create Ad Zone' }).click();
    await toastTitled(page, 'Error').getByText('Website not found. Please reload the page.').waitFor();
    expect(await client.get(`/api/websites/${other.id}/ad-zones`)).toMatchObject({ body: [] });
    await page.reload();
    await section('Another').waitFor();
    await page.getByRole('button', { name: 'Manage Another' }).click();
    await page.getByRole('menuitem', { name: 'Delete website' }).click();
    await dialog.getByRole('button', { name: 'Delete Website' }).click();
    await page.getByText('No websites found').waitFor();
  } finally {
    await stop(site);
  }
});
