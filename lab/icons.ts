/**
 * `npm run lab icons` renders the images that can't be SVGs: the card that other sites show beside a link to us, the
 * icons for phones, and favicon.ico. They are stored in web/public. Run it again when the name, the logo or the colors change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../scripts/browser.ts';
import { root } from '../scripts/node.mjs';

const folder = path.join(root, 'web/public');
const icon = readFileSync(path.join(folder, 'icon.svg'), 'utf8');
const font = readFileSync(
  path.join(
    root,
    'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  ),
).toString('base64');

const browser = await launchBrowser();
// The size that Facebook, X and LinkedIn recommend.
await draw(browser, { file: 'social-card.png', width: 1200, height: 630, html: card() });
// Platforms crop the icon to a circle, so the logo stays within the middle 80% (maskable icons):
// https://www.w3.org/TR/appmanifest/#icon-masks
for (const size of [180, 192, 512]) {
  await draw(browser, { file: `icon-${size}.png`, width: size, height: size, html: tile() });
}
await writeFavicon();
await browser.close();

type Picture = { file: string; width: number; height: number; html: string };

async function draw(from: Browser, { file, width, height, html }: Picture): Promise<void> {
  const page = await from.newPage({ viewport: { width, height } });
  await page.setContent(html);
  // Passed as a string, because this file's types don't include the DOM.
  await page.evaluate('document.fonts.ready');
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toBuffer();
  writeFileSync(path.join(folder, file), picture);
  console.log(`  ${file}: ${picture.length} bytes`);
  await page.close();
}

/** Writes favicon.ico, which browsers request where a document names no icon: one PNG after the header of the format. */
async function writeFavicon(): Promise<void> {
  const size = 48;
  const picture = await sharp(Buffer.from(icon)).resize(size).png({ palette: true, effort: 10 }).toBuffer();
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(picture.length, 14);
  header.writeUInt32LE(header.length, 18);
  writeFileSync(path.join(folder, 'favicon.ico'), Buffer.concat([header, picture]));
  console.log(`  favicon.ico: ${header.length + picture.length} bytes`);
}

function tile(): string {
  return `<style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; background: #0f5e70 }
    svg { width: 88vmin }
  </style>${icon}`;
}

function card(): string {
  const lines = [100, 92, 97, 64].map((width) => `<i style="width:${width}%"></i>`).join('');
  return `<style>
    @font-face { font-family: Bricolage; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; background: #0b3a45;
      color: #eef7f9; font: 600 28px Bricolage }
    header { position: absolute; left: 72px; top: 64px; display: flex; align-items: center; gap: 16px; font-size: 36px }
    header svg { width: 56px }
    h1 { position: absolute; left: 72px; top: 188px; width: 560px; margin: 0; font-size: 84px; line-height: 1;
      letter-spacing: -0.02em }
    p { position: absolute; left: 72px; bottom: 64px; width: 520px; margin: 0; font-weight: 400; color: #b3d3da }
    main { position: absolute; left: 690px; top: 96px; width: 640px; height: 640px; padding: 36px; background: #fff;
      border-radius: 24px; color: #102226; box-shadow: 0 24px 60px rgb(0 0 0 / .35) }
    main b { font-size: 34px }
    i { display: block; height: 14px; margin-top: 20px; border-radius: 9px; background: #ebf0f1 }
    section { display: grid; grid-template-columns: 216px 190px; gap: 32px; margin-top: 28px }
    aside { position: relative; height: 330px; background: #f5b83d; border-radius: 12px; color: #3a2800;
      display: grid; place-content: center; text-align: center; font-size: 40px; line-height: 1 }
    aside small { font-size: 24px; font-weight: 400 }
    aside::before { content: ''; position: absolute; inset: 16px; border: 3px solid #3a2800; border-radius: 10px;
      clip-path: polygon(0 0, 36px 0, 36px 100%, calc(100% - 36px) 100%, calc(100% - 36px) 0, 100% 0, 100% 36px, 0 36px,
        0 calc(100% - 36px), 100% calc(100% - 36px), 100% 100%, 0 100%) }
  </style>
  <header>${icon}Openslot</header>
  <h1>Buy &amp; Sell Ad Space In Minutes</h1>
  <p>The open marketplace for ad space</p>
  <main><b>Circuit Notes</b>
    <section><div>${lines}${lines}${lines}</div><aside>Your ad<small>here</small></aside></section>
  </main>`;
}
