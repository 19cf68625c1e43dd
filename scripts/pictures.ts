/**
 * `npm run tool pictures` draws the pictures of README.md and the guide from the sample data, in light and dark, into
 * docs/pictures. Run it again after a change of these screens. Nobody makes them by hand.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { Browser, Page } from 'playwright-core';
import { build } from './build.mjs';
import { launchBrowser } from './browser.ts';
import { root } from './node.mjs';
import { signIn, startSampleServer } from './sample-server.ts';

/** `as` is the name of a sample account; without one, a visitor looks. */
type Screen = { name: string; as?: 'pat' | 'ada' | 'bo'; path: string; open?: (page: Page) => Promise<void> };

const SCREENS: readonly Screen[] = [
  { name: 'landing', path: '/' },
  { name: 'sites', path: '/sites' },
  { name: 'site', path: '/sites/dailykernel.example' },
  {
    name: 'booking',
    as: 'ada',
    path: '/sites/dailykernel.example',
    open: async (page) => {
      await page.locator('a[href^="/create-ad?"]').first().click();
      await page.getByRole('button', { name: 'Continue' }).waitFor();
    },
  },
  { name: 'campaigns', as: 'ada', path: '/dashboard' },
  { name: 'ad-zones', as: 'pat', path: '/ad-zones' },
  { name: 'results', as: 'pat', path: '/results' },
  { name: 'earnings', as: 'pat', path: '/earnings' },
];

const SIZE = { width: 1280, height: 800 };
const folder = path.join(root, 'docs/pictures');

await build();
mkdirSync(folder, { recursive: true });
const data = mkdtempSync(path.join(os.tmpdir(), 'openslot-pictures-'));
const server = await startSampleServer(data);
const browser = await launchBrowser();
try {
  for (const screen of SCREENS)
    for (const theme of ['light', 'dark'] as const) await draw(browser, screen, theme);
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}

async function draw(
  from: Browser,
  { name, as, path: at, open }: Screen,
  theme: 'light' | 'dark',
): Promise<void> {
  const cookie = as && (await signIn(server.url, `${as}@openslot.test`));
  const context = await from.newContext({
    viewport: SIZE,
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...(cookie && { extraHTTPHeaders: { cookie } }),
  });
  const page = await context.newPage();
  await page.goto(server.url + at, { waitUntil: 'networkidle' });
  await open?.(page);
  await page.waitForLoadState('networkidle');
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toBuffer();
  const file = `${name}${theme === 'dark' ? '-dark' : ''}.webp`;
  writeFileSync(path.join(folder, file), picture);
  console.log(`  ${file}: ${picture.length} bytes`);
  await context.close();
}
