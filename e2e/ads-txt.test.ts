import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { makeWebsite } from '../server/testing/story.ts';
import { listen, stop } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves DEL-28
it('the website becomes verified when the publisher puts the copied line into its ads.txt', async () => {
  let file = '';
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end(file),
  );
  const port = await listen(site, '127.0.0.1');
  try {
    const { page, client } = await suite.enter('seller');
    await makeWebsite(client, { name: 'News site', url: `http://127.0.0.1:${port}/` });
    await page.goto('/ad-zones');
    const website = page.getByRole('region', { name: 'News site' });
    await website.getByText('Unverified', { exact: true }).waitFor();
    await website.getByRole('button', { name: 'ads.txt' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByText(`http://127.0.0.1:${port}/ads.txt`).waitFor();
    await dialog.getByRole('button', { name: 'Check now' }).click();
    await dialog.getByText('The line is not in your ads.txt. Add it and check again.').waitFor();

    await dialog.getByRole('button', { name: 'Copy line' }).click();
    await page.getByText('Copied!', { exact: true }).waitFor();
    file = await page.evaluate(() => navigator.clipboard.readText());
    expect(file).toBe(`${new URL(suite.fixture.server.url).hostname}, ${client.user.id}, DIRECT`);
    await dialog.getByRole('button', { name: 'Check now' }).click();
    await dialog.getByText('We found the line. Your website is verified.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await website.getByText('Verified', { exact: true }).waitFor();
  } finally {
    await stop(site);
  }
});
