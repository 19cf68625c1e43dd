/** The currency of a marketplace in euros where no price stands: pages of visitors, their structured data, reports. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { hydrated } from './support/hydrated.ts';
import { enterWithFigures } from './support/figures.ts';
import { rawPagesOf } from './support/raw-page.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({ env: { CURRENCY: 'EUR' } });
const { html } = rawPagesOf(() => suite.fixture);

// Proves BOOK-06
it('the pages of visitors and their structured data are in the currency of the marketplace', async () => {
  for (const path of ['/', '/demo', '/auth', '/auth?tab=signup']) {
    const text = (await html(path)).replaceAll(/<(script|style)[^>]*>[^]*?<\/\1>/g, '');
    expect(text).not.toMatch(/\$|USD|%[A-Z]+_?[A-Z]*%/);
  }
  const home = await html('/');
  expect(home).toContain('€60 a day');
  const [, data = ''] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(home) ?? [];
  expect(JSON.parse(data)['@graph'][2].offers).toMatchObject({ priceCurrency: 'EUR' });
});

// Proves BOOK-06
it('the browser keeps the amounts that the server has sent', async () => {
  const { page } = await suite.fixture.enter();
  await page.goto('/');
  await hydrated(page, '#root > *');
  expect(await page.getByText('a day').first().isVisible()).toBe(true);
  expect(await page.locator('#root').innerText()).not.toContain('$');
});

// Proves BOOK-06, STAT-08
it('the settings and the CSV of a report name the currency of the marketplace', async () => {
  const { page } = await enterWithFigures(suite, 'buyer');
  await page.goto('/settings');
  await page.getByText('Prices and charges are in EUR.').waitFor();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Figures per day' }).click(),
  ]);
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')[0]).toContain('Spend (EUR)');
});
