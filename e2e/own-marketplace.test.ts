/** A marketplace with its own name, accent, currency, commission and logo, in the browser. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commandOf } from '../server/operator/command-line/commands.ts';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import { ICON_SVG, LOGO_SVG, png } from '../server/testing/pictures.ts';
import { newTemporaryFolder, removeFolder } from '../server/testing/temporary.ts';
import { enterWithFigures } from './support/figures.ts';
import { hydrated } from './support/hydrated.ts';
import { sideways } from './support/layout.ts';
import { enterAs } from './support/people.ts';
import { rawPagesOf } from './support/raw-page.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const NAME = 'Brot & Rad "Ads"';
// It would end the script element of the settings.
const TAGLINE = 'Ad space in </script>, by bakers & cyclists.';
const suite = useFixture({
  env: {
    MARKETPLACE_NAME: NAME,
    TAGLINE,
    ACCENT: '#9b1d64',
    CURRENCY: 'EUR',
    COMMISSION: '7.5',
  },
});
const { html } = rawPagesOf(() => suite.fixture);

const textOf = async (address: string) =>
  (await html(address)).replaceAll(/<(script|style)[^>]*>[^]*?<\/\1>/g, '');

async function set(name: string, value: string): Promise<void> {
  const { command, args } = commandOf(['settings', 'set', name, value]);
  const { ctx } = suite.fixture.server;
  await command.run({ ctx, operator: { id: null }, args, options: { dryRun: false } });
}

const folder = newTemporaryFolder('logo');
afterAll(() => removeFolder(folder));

// Proves BOOK-06
it('the pages of visitors have the name, the tagline, the currency and the publisher’s part, before and after the scripts have run', async () => {
  for (const address of ['/', '/demo', '/auth', '/auth?tab=signup'])
    expect([address, await textOf(address)]).toEqual([
      address,
      expect.not.stringMatching(/\$|USD|85%|15%|%[A-Z]+_?[A-Z]*%/),
    ]);
  const home = await textOf('/');
  for (const words of ['€60 a day', 'keep 92.5% of every sale', '7.5% fee', '<rect width="92.5%"'])
    expect(home).toContain(words);

  const { page } = await suite.fixture.enter();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  for (const address of ['/auth', '/demo', '/']) {
    await page.goto(address);
    await hydrated(page, '#root > *');
    expect(await page.title()).toContain(NAME);
    const text = await page.locator('body').innerText();
    expect([address, text.includes(NAME), text.includes('Openslot'), text.includes('$')]).toEqual([
      address,
      true,
      false,
      false,
    ]);
  }
  expect(await page.locator('footer').innerText()).toContain(TAGLINE);
  const root = await page.locator('#root').innerText();
  expect(root).toContain('a day');
  expect(root).toContain('92.5% to the publisher');
  const data = await page.locator('script[type="application/ld+json"]').textContent();
  const graph = JSON.parse(data ?? '')['@graph'];
  expect(graph[0].name).toBe(NAME);
  expect(graph[2].offers).toMatchObject({ priceCurrency: 'EUR' });
  expect(problems).toEqual([]);
});

// Proves BOOK-06, STAT-08
it('the application has them, too, also in the CSV of a report', async () => {
  const { page, client } = await enterWithFigures(suite, 'buyer');
  for (const address of ['/settings?tab=security', '/marketplace', '/transactions', '/dashboard']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.title()).toContain(NAME);
    expect([address, (await page.locator('body').innerText()).includes('Openslot')]).toEqual([
      address,
      false,
    ]);
  }
  expect(await page.locator('footer').innerText()).toContain(TAGLINE);
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Figures per day' }).click(),
  ]);
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')[0]).toContain('Spend (EUR)');
  await page.goto('/settings');
  await page.getByText('Prices and charges are in EUR.').waitFor();

  const ad = await makeApprovedAd(await suite.client('seller'), client);
  await page.goto(`/checkout/${ad.publicId}`);
  await page.getByText('Platform fee (7.5%), included').waitFor();
  const lines = await page.getByRole('region', { name: 'Payment' }).locator('dl').first().innerText();
  expect(lines).toContain('€7.50');
});

it('the welcome dialog and the payout settings say the publisher’s part', async () => {
  const { page, client } = await enterAs(suite.fixture, 'both');
  const forget = async (hasCompletedOnboarding: boolean) =>
    await suite.fixture.server.ctx.db
      .updateTable('users')
      .set({ hasCompletedOnboarding })
      .where('id', '=', client.user.id)
      .execute();
  await forget(false);
  await page.goto('/');
  await page.getByText('Earn 92.5% commission on all sales').waitFor();
  await forget(true);
  await page.goto('/settings?tab=billing');
  await page.getByText('You keep 92.5% of every sale.').waitFor();
});

it('the accent colors both themes', async () => {
  const { page } = await suite.fixture.enter();
  for (const { colorScheme, ground, text } of [
    { colorScheme: 'light', ground: 'rgb(155, 29, 100)', text: 'rgb(255, 255, 255)' },
    { colorScheme: 'dark', ground: 'rgb(196, 122, 164)', text: 'rgb(12, 21, 23)' },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/auth', '/measurement']) {
      await page.goto(path);
      const colors = await page.evaluate(() => {
        const probe = document.createElement('a');
        const isServers = document.querySelector('#root') === null;
        probe.className = isServers ? 'button' : 'bg-accent text-on-accent';
        document.body.append(probe);
        const { backgroundColor, color } = getComputedStyle(probe);
        return [backgroundColor, color];
      });
      expect([path, ...colors]).toEqual([path, ground, text]);
    }
  }
});

it('a long name leaves the links beside it whole on a phone', async () => {
  const { page } = await suite.fixture.enter({ width: 320 });
  await page.goto('/sites');
  const linesOf = async (name: string) =>
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name })
      .evaluate((link) => {
        const range = document.createRange();
        range.selectNodeContents(link);
        return range.getClientRects().length;
      });
  for (const name of ['Login', 'Sign Up']) expect([name, await linesOf(name)]).toEqual([name, 1]);
  expect(await sideways(page)).toEqual([]);
});

it('the logo stands in the header of every page, and the name is its text', async () => {
  await writeFile(path.join(folder, 'logo.svg'), LOGO_SVG);
  await writeFile(path.join(folder, 'icon.svg'), ICON_SVG);
  await set('ICON', path.join(folder, 'icon.svg'));

  const { page } = await suite.enter('both');
  const home = page.getByRole('banner').getByRole('link', { name: NAME }).first();
  await page.goto('/dashboard');
  await hydrated(page, '#root > *');
  // The icon stands beside the name.
  expect(await home.locator('img').getAttribute('alt')).toBe('');
  expect(await home.innerText()).toContain(NAME);

  await set('LOGO', path.join(folder, 'logo.svg'));
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    for (const address of ['/dashboard', '/measurement', '/']) {
      await page.goto(address);
      const logo = page.getByRole('banner').getByRole('img', { name: NAME }).first();
      await logo.waitFor();
      const shown = await logo.evaluate((image: HTMLImageElement) => ({
        isLoaded: image.naturalWidth > 0,
        ...image.getBoundingClientRect().toJSON(),
      }));
      expect([address, width, shown]).toEqual([
        address,
        width,
        expect.objectContaining({ isLoaded: true, width: 112, height: 28 }),
      ]);
      const { scrollWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
      }));
      expect([address, scrollWidth]).toEqual([address, width]);
    }
  }
});

it('an owner uploads a PNG in the console, replaces it by an SVG and removes it, and visitors see each', async () => {
  const { server, enter } = suite.fixture;
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  const { page, context } = await enter({ width: 375 });
  const [cookie = '', value = ''] = operator.client.cookie.split(/=(.*)/s);
  await context.addCookies([{ name: cookie, value, url: server.url }]);
  await page.goto('/operator/settings');
  const file = page.getByLabel(/^Choose (?:a|another) file for the logo/);
  const save = async () =>
    await page
      .getByRole('region', { name: 'Save' })
      .getByRole('button', { name: 'Save', exact: true })
      .click();
  const upload = async (name: string, mimeType: string, content: string | Buffer) => {
    await file.setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    await save();
  };
  const shown = page.getByRole('img', { name: 'Logo on light ground' }).first();
  const shows = async (end: string) =>
    await expect
      .poll(async () => new URL((await shown.getAttribute('src')) ?? '', page.url()).pathname)
      .toMatch(new RegExp(`${end}$`));

  const { page: visitor } = await enter({ width: 1280 });
  const logo = visitor.getByRole('banner').getByRole('img', { name: NAME }).first();
  const seen = async () => {
    await visitor.goto('/');
    await logo.waitFor();
    return await logo.evaluate((image: HTMLImageElement) => ({
      type: new URL(image.src).pathname.split('.').at(-1),
      isLoaded: image.naturalWidth > 0,
      width: image.getBoundingClientRect().width,
    }));
  };

  await upload('logo.png', 'image/png', await png(200, 100));
  await shows('png');
  await expectSound(page);
  expect(await seen()).toEqual({ type: 'png', isLoaded: true, width: 56 });

  await upload('logo.svg', 'image/svg+xml', LOGO_SVG);
  await shows('svg');
  expect(await seen()).toEqual({ type: 'svg', isLoaded: true, width: 112 });

  await upload('bad.svg', 'image/svg+xml', LOGO_SVG.replace('<title>', '<script>alert(1)</script><title>'));
  await page.getByRole('alert').getByText('script').first().waitFor();
  await page.getByRole('button', { name: 'Undo: Logo' }).click();
  await shows('svg');

  await page.getByRole('button', { name: 'Use the default: Logo' }).click();
  await save();
  await page.getByText('Saved 1 change.').first().waitFor();
  expect(await shown.count()).toBe(0);
  await visitor.goto('/');
  await visitor.getByRole('banner').getByRole('link', { name: NAME }).first().waitFor();
  expect(await logo.count()).toBe(0);
});
