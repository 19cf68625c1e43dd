/** The logo and the icon of the marketplace. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PICTURE_BYTES } from '#domain/operator/limits.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import type { Client } from '#server/testing/client.ts';
import { confirmOperator, makeOperator } from '#server/testing/operator.ts';
import { ICON_SVG, LOGO_SVG, png } from '#server/testing/pictures.ts';
import { PASSWORD } from '#server/testing/accounts/sign-in.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { commandOf } from '../command-line/commands.ts';

const NAME = 'Brot & Rad Ads';
const HTML = { accept: 'text/html' };

const server = useOwnServer();
let folder: string;
let desk: Client;
beforeAll(async () => {
  folder = newTemporaryFolder('pictures');
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  desk = operator.client;
});
afterEach(async () => {
  await server.ctx.db.deleteFrom('settings').execute();
  await readSettings(server.ctx.db, server.ctx.config);
});
afterAll(async () => {
  removeFolder(folder);
});

async function command(...words: string[]) {
  const { command: found, args } = commandOf(words);
  return await found.run({ ctx: server.ctx, operator: { id: null }, args, options: { dryRun: false } });
}
async function set(name: 'LOGO' | 'ICON', bytes: string | Buffer): Promise<void> {
  const file = path.join(folder, 'picture');
  await writeFile(file, bytes);
  await command('settings', 'set', name, file);
}
const logoNow = async () => (await server.anyone().get('/api/marketplace')).body.logo as string;
const read = async (address: string) => await fetch(new URL(address, server.url));
const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10" ${attributes}>${inside}</svg>`;

describe('an SVG', () => {
  // Proves OWNS-11
  it('is written anew: what draws it stays, what an editor noted does not', async () => {
    await set('LOGO', LOGO_SVG);
    const file = await read(await logoNow());
    expect(file.headers.get('content-type')).toBe('image/svg+xml');
    expect(await file.text()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="128" viewBox="0 0 240 60"><defs><linearGradient id="sun"><stop offset="0" stop-color="#f5b83d"></stop><stop offset="1" stop-color="#9b1d64"></stop></linearGradient></defs><style>.a{fill:url(#sun)}</style><title>Brot &amp; Rad</title><g><circle class="a" cx="30" cy="30" r="28"></circle><path d="M70 10h160v40H70z" fill="#9b1d64"></path></g></svg>',
    );
  });

  // Proves OWNS-11
  it('without a view box fills the icon all the same', async () => {
    await set('ICON', ICON_SVG);
    const { text } = await server.anyone().get('/measurement', HTML);
    const icon = await read(
      /<img src="([^"]+-180\.png)" width="28" height="28" alt="">/.exec(text)?.[1] ?? '',
    );
    const { data, info } = await sharp(Buffer.from(await icon.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The middle of a circle that almost fills the square, and a point near its edge.
    for (const [x, y] of [
      [90, 90],
      [90, 170],
    ] as const)
      expect([...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)]).toEqual([
        0x9b, 0x1d, 0x64,
      ]);
  });

  const NESTED = '<symbol id="a"><use href="#b"/><use href="#b"/></symbol><g id="b"/><use href="#a"/>';
  const REFUSED = [
    [svg('<script>alert(1)</script>'), 'has a script'],
    [svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'), 'has a script'],
    [svg('<rect onclick="alert(1)"/>'), 'has a script'],
    [svg('', 'onload="alert(1)"'), 'has a script'],
    [svg('<foreignObject/>'), 'the element “foreignObject”'],
    [svg('<image href="https://a.test/x.png"/>'), 'the element “image”'],
    [svg('<animate attributeName="href" to="https://a.test"/>'), 'the element “animate”'],
    [svg('<a href="https://a.test"/>'), 'the element “a”'],
    [svg('<text>Brot</text>'), 'Convert the text to paths'],
    [svg('<use href="https://a.test/x.svg#a"/>'), 'from elsewhere'],
    [svg('<use xlink:href="data:image/svg+xml,x"/>'), 'from elsewhere'],
    [svg('<rect fill="url(https://a.test/x)"/>'), 'from elsewhere'],
    [svg('<rect style="fill:u\\72l(x)"/>'), 'from elsewhere'],
    [svg('<style>@import "x.css"</style>'), 'from elsewhere'],
    [svg('<style><![CDATA[a{background:image-set("//a.test" 1x)}]]></style>'), 'from elsewhere'],
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'a document type'],
    [`<?xml-stylesheet href="https://a.test"?>${svg('')}`, 'a document type or an instruction'],
    [svg(NESTED), 'a copy of a copy'],
    [svg('<g>'.repeat(40) + '</g>'.repeat(40)), 'too many parts'],
    [svg('<g/>'.repeat(2001)), 'too many parts'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'has no size'],
    ['<html/>', 'the element “html”'],
    ['hello', 'neither an SVG nor a PNG'],
    ['', 'is empty'],
    [svg('', 'viewBox="0 0 100 1"').replace('viewBox="0 0 20 10"', ''), 'too long and thin'],
    [svg('').replace('0 0 20 10', '0 0 70 10'), 'at most 6 times as wide as high'],
    [svg(' '.repeat(300_000)), 'too large'],
  ].map(([bytes = '', sentence = '']) => ({ bytes, sentence }));

  // Proves OWNS-11
  it.each(REFUSED)('is refused with the sentence “$sentence”', async ({ bytes, sentence }) => {
    const refusal = set('LOGO', bytes);
    await expect(refusal).rejects.toThrow(/^LOGO: /);
    await expect(refusal).rejects.toThrow(sentence);
    expect(await logoNow()).toBe('/icon.svg');
  });
});

describe('a PNG', () => {
  it('is encoded anew and not kept larger than it is shown', async () => {
    await set('LOGO', await png(2000, 500));
    const address = await logoNow();
    expect(address).toMatch(/^\/brand\/[0-9a-f]{32}-512x128\.png$/);
    const file = await read(address);
    expect(await sharp(Buffer.from(await file.arrayBuffer())).metadata()).toMatchObject({
      format: 'png',
      width: 512,
      height: 128,
    });
  });

  it('as an icon is square and has 180 pixels or more; a logo has the shape of a header', async () => {
    await expect(set('ICON', await png(179, 179))).rejects.toThrow(
      'ICON: The picture is 179 × 179. Choose a square one of at least 180 × 180 pixels.',
    );
    await expect(set('ICON', await png(400, 300))).rejects.toThrow('Choose a square one');
    await expect(set('ICON', svg(''))).rejects.toThrow(
      'ICON: The picture is 512 × 256. Choose a square one.',
    );
    await expect(set('LOGO', await png(700, 100))).rejects.toThrow('at most 6 times as wide as high');
    const large = sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#fff' } });
    await expect(set('LOGO', await large.png({ palette: true }).toBuffer())).rejects.toThrow(
      'too many pixels',
    );
    await expect(set('LOGO', (await png(300, 100)).subarray(0, 200))).rejects.toThrow('damaged');
    await expect(command('settings', 'set', 'LOGO', '/no/such/file.svg')).rejects.toThrow(
      'LOGO takes the path of an SVG or a PNG file. There is none at “/no/such/file.svg”.',
    );
    await set('ICON', await png(180, 180));
    expect((await server.anyone().get('/measurement', HTML)).text).toMatch(
      /<link rel="icon" href="\/brand\/[0-9a-f]{32}-180x180\.png">/,
    );
  });
});

describe('the files', () => {
  it('have addresses that never change their content, and no rights as a page', async () => {
    await set('LOGO', LOGO_SVG);
    const address = await logoNow();
    const { headers, status } = await read(address);
    expect([
      status,
      ...['cache-control', 'x-content-type-options', 'content-security-policy'].map((each) =>
        headers.get(each),
      ),
    ]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'nosniff',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
    await command('settings', 'unset', 'LOGO');
    expect(await logoNow()).toBe('/icon.svg');
    // A mail from before shows it.
    expect((await read(address)).status).toBe(200);
    for (const wrong of ['/brand/x', '/brand/%00', `/brand/${'0'.repeat(32)}-1x1.svg`])
      expect([wrong, (await read(wrong)).status]).toEqual([wrong, 404]);
  });

  it('are uploaded in the console, and put back by the name of one that was stored', async () => {
    const send = async (value: string | null, { to = 'LOGO', version = '' } = {}) =>
      await desk.post('/api/operator/settings', {
        changes: [{ name: to, version, value }],
        reason: 'New house',
      });
    const base64 = (file: string) => Buffer.from(file).toString('base64');
    const logo = async () => {
      const { body } = await desk.get('/api/operator/settings');
      return (body.settings as { name: string; value: string; version: string }[]).find(
        ({ name }) => name === 'LOGO',
      )!;
    };
    const refused = await send(base64(svg('<script/>')));
    expect([refused.status, refused.body.issues]).toEqual([
      400,
      [{ path: 'LOGO', message: 'The SVG has a script. Export it again without it.' }],
    ]);
    for (const [wrong, message] of [
      ['', 'LOGO: Choose an SVG or a PNG file.'],
      [`${'0'.repeat(32)}-512x128.svg`, 'LOGO: This picture is not stored. Choose a file.'],
      [base64(' '.repeat(300_000)), 'LOGO: The file is too large. Choose one of up to 256 KB.'],
    ] as const) {
      const { status, body } = await send(wrong);
      expect([status, body.message]).toEqual([400, message]);
    }
    expect((await send(base64(LOGO_SVG))).body).toEqual({ said: 'Saved 1 change.', next: null });
    const { value: file, version } = await logo();
    expect(await logoNow()).toBe(`/brand/${file}`);
    const stale = await send(base64(LOGO_SVG));
    expect([stale.status, stale.text.includes('was changed while this page was open')]).toEqual([409, true]);
    const { reason } = await server.ctx.db
      .selectFrom('operatorActs')
      .select('reason')
      .where('act', '=', 'set-setting')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(reason).toMatch(/^From nothing to “[0-9a-f]{32}-512x128\.svg”\. New house$/);

    expect((await send(null, { version })).status).toBe(200);
    expect((await logo()).value).toBeNull();
    // It has the files of a logo, and not those of an icon.
    expect((await send(file, { to: 'ICON' })).status).toBe(400);
    expect((await send(file)).status).toBe(200);
    expect((await logo()).value).toBe(file);
  });

  it('fit into one call at their largest', async () => {
    const icon = await png(180, 180);
    const largest = Buffer.concat([icon, Buffer.alloc(MAX_PICTURE_BYTES - icon.length)]).toString('base64');
    const { status, body } = await desk.post('/api/operator/settings', {
      changes: ['LOGO', 'ICON'].map((name) => ({ name, version: '', value: largest })),
      reason: '',
    });
    // A PNG may have bytes after its end.
    expect([status, body.said]).toEqual([200, 'Saved 2 changes.']);
  });
});

describe('a marketplace of its own', () => {
  it('shows logo and icon in pages, mails, the manifest and link previews, with the name as their text', async () => {
    await command('settings', 'set', 'MARKETPLACE_NAME', NAME);
    const visitor = server.anyone();
    // Our picture of link previews says the name of the software.
    expect((await visitor.get('/sites', HTML)).text).not.toContain('og:image');
    await set('ICON', ICON_SVG);
    const mailedTo = async (email: string) => {
      const names = { firstName: 'N', lastName: 'N' };
      await visitor.post('/api/auth/register', { email, password: PASSWORD, ...names });
      const { bodyHtml } = await server.ctx.db
        .selectFrom('messages')
        .select('bodyHtml')
        .where('recipient', '=', email)
        .executeTakeFirstOrThrow();
      return bodyHtml;
    };
    expect(await mailedTo('icon@brand.test')).toMatch(
      /<img src="[^"]+-180\.png" width="28" height="28" alt=""/,
    );
    await set('LOGO', LOGO_SVG);
    const logo = await logoNow();
    const mark = `<img src="${logo}" width="112" height="28" alt="Brot &amp; Rad Ads">`;
    const pages = ['/', '/auth', '/sites', '/measurement', '/no-such-page'];
    for (const page of pages) {
      const { text } = await visitor.get(page, HTML);
      // The web application makes the mark from its settings.
      const own = `"mark":${JSON.stringify(mark).replaceAll('<', '\\u003c')}`;
      expect([page, text.includes(mark) || text.includes(own)]).toEqual([page, true]);
      expect([page, /(?:\/icon[-.]|social-card)/.test(text.replaceAll(/\/brand\/[^"]*/g, ''))]).toEqual([
        page,
        false,
      ]);
      const card = /<meta property="og:image" content="([^"]+)"/.exec(text)?.[1];
      if (card === undefined) continue;
      const picture = await read(new URL(card).pathname);
      expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({
        format: 'png',
        width: 1200,
        height: 630,
      });
    }
    expect((await desk.get('/operator', HTML)).text).toContain(
      `"mark":${JSON.stringify(mark).replaceAll('<', '\\u003c')}`,
    );

    const inMail =
      /<img class="ink" src="([^"]+-mail\.png)" width="144" height="36" alt="Brot &amp; Rad Ads"/.exec(
        await mailedTo('logo@brand.test'),
      );
    const mailed = await read(new URL(inMail?.[1] ?? '').pathname);
    expect([mailed.status, mailed.headers.get('content-type')]).toEqual([200, 'image/png']);

    const { icons } = JSON.parse((await visitor.get('/app.webmanifest')).text) as {
      icons: { src: string; sizes: string; type: string }[];
    };
    expect(icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512']);
    for (const { src, sizes, type } of icons) {
      const icon = await read(src);
      expect(icon.headers.get('content-type')).toBe(type);
      const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata();
      if (sizes !== 'any') expect(`${width}x${height}`).toBe(sizes);
    }
    const favicon = await fetch(new URL('/favicon.ico', server.url), { redirect: 'manual' });
    // It is there only if the web application is built.
    if (favicon.status !== 404)
      expect([favicon.status, favicon.headers.get('location')]).toEqual([
        302,
        expect.stringMatching(/^\/brand\/.*-180\.png$/),
      ]);
  });
});
