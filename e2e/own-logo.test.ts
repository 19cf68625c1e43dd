/** A marketplace with a logo and an icon of its own, in the browser. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { commandOf } from '../server/operator/command-line/commands.ts';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import { ICON_SVG, LOGO_SVG, png } from '../server/testing/pictures.ts';
import { newTemporaryFolder, removeFolder } from '../server/testing/temporary.ts';
import { hydrated } from './support/hydrated.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, enterWalk } from './support/walk.ts';

const NAME = 'Brot & Rad Ads';
const suite = useFixture();

async function set(name: string, value: string): Promise<void> {
  const { command, args } = commandOf(['settings', 'set', name, value]);
  const { ctx } = suite.fixture.server;
  await command.run({ ctx, operator: { id: null }, args, options: { dryRun: false } });
}

// Proves OWNS-14
it('the logo stands in the header of every page, and the name is its text', async () => {
  const folder = newTemporaryFolder('logo');
  await writeFile(path.join(folder, 'logo.svg'), LOGO_SVG);
  await writeFile(path.join(folder, 'icon.svg'), ICON_SVG);
  await set('MARKETPLACE_NAME', NAME);
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
  removeFolder(folder);
});

// Proves OWNS-13
it('an owner uploads a PNG in the console, replaces it by an SVG and removes it, and visitors see each', async () => {
  const { server, enter } = suite.fixture;
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  const page = await enterWalk(suite.fixture, { width: 375, height: 900 });
  await becomePerson(page, suite.fixture, operator.client);
  await page.goto('/operator/settings');
  const file = page.locator('#LOGO-value');
  const form = page.locator('form', { has: file });
  const open = async () => await page.getByLabel('Change: Logo').click();
  const upload = async (name: string, mimeType: string, content: string | Buffer) => {
    await open();
    await file.setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    await form.getByRole('button', { name: 'Save' }).click();
  };
  const shown = page.getByRole('img', { name: 'On light ground' }).first();
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
  await page.getByRole('alert').getByText('LOGO:').waitFor();
  await page.goto('/operator/settings');
  await shows('svg');

  await open();
  await form.getByRole('button', { name: 'Use the default' }).click();
  await expect.poll(() => logoRow(page)).toContain('Not set');
  await visitor.goto('/');
  await visitor.getByRole('banner').getByRole('link', { name: NAME }).first().waitFor();
  expect(await logo.count()).toBe(0);
});

/** The entry of the logo in the list of settings. */
const logoRow = async (page: Page) => await page.locator('li', { has: page.locator('#LOGO') }).innerText();
