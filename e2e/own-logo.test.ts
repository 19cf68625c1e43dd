/** A marketplace with a logo and an icon of its own, in the browser. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { commandOf } from '../server/operator/command-line/commands.ts';
import { ICON_SVG, LOGO_SVG } from '../server/testing/pictures.ts';
import { newTemporaryFolder } from '../server/testing/temporary.ts';
import { hydrated } from './support/hydrated.ts';
import { useFixture } from './support/use-fixture.ts';

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
});
