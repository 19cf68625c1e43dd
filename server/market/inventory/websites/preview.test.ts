import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { png } from '#server/testing/pictures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useServer } from '#server/testing/starts/use-server.ts';
import { previewWebsite } from './preview.ts';

type Page = {
  status?: number;
  type?: string;
  body?: string | Buffer;
  to?: string;
  is?: 'endless' | 'silent';
};

const server = useServer();
let seller: Client;
const pages = new Map<string, Page>();
const web = http.createServer((request, response) => {
  const {
    status = 200,
    type = 'text/html',
    body = '',
    to,
    is,
  } = pages.get(request.url ?? '') ?? { status: 404 };
  if (to !== undefined) return void response.writeHead(301, { Location: to }).end();
  response.writeHead(status, { 'Content-Type': type });
  if (is === 'silent') return void response.write('<title>');
  if (is !== 'endless') return void response.end(body);
  const more = () => {
    while (!response.destroyed && response.write('<p>again</p>'.repeat(1000)));
  };
  response.on('drain', more);
  more();
});
let webUrl = '';
beforeAll(async () => {
  seller = await server.signIn('seller');
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(async () => {
  web.closeAllConnections();
  web.close();
});

async function preview(page: Page, client = seller) {
  pages.set('/', page);
  return await client.post('/api/websites/preview', { url: webUrl });
}
const found = async (head: string) => (await preview({ body: `<!doctype html><head>${head}</head>` })).body;

describe('the preview of a website', () => {
  it('reads name, description, picture and generator', async () => {
    const answer = await preview({
      body: `<html><head><title>Home | Daily</title>
        <meta name="Description" content="Plain"><meta property="og:description" content="News for
          gardeners"><meta property="og:site_name" content="The Daily Spade">
        <meta property="og:image" content="/wide.jpg"><link rel="apple-touch-icon" sizes="180x180" href="/touch.png">
        <meta name="generator" content="WordPress 6.8"></head><body><title>Not this</title></body>`,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'The Daily Spade',
        description: 'News for gardeners',
        imageUrl: `${webUrl}/touch.png`,
        generator: 'WordPress 6.8',
      },
    });
    expect((await seller.get('/api/websites/my')).body).toEqual([]);
  });

  // Proves DEC-07
  it('answers the picture itself, if the server can read it', async () => {
    pages.set('/picture.png', { type: 'image/png', body: await png(60, 40) });
    pages.set('/broken.png', { type: 'image/png', body: 'no picture' });
    const pictureOf = async (name: string) =>
      (await found(`<link rel="apple-touch-icon" href="/${name}">`)) as { imageUrl: string; picture: string };
    const { imageUrl, picture } = await pictureOf('picture.png');
    expect(imageUrl).toBe(`${webUrl}/picture.png`);
    expect(picture).toMatch(/^data:image\/webp;base64,UklGR/);
    expect(await pictureOf('broken.png')).toMatchObject({ imageUrl: `${webUrl}/broken.png`, picture: null });
  });

  it.each([
    ['the title', '<title>\n Tom &amp; J&eacute;r&#244;me </title>', { name: 'Tom & Jérôme' }],
    ['the application name', '<title>T</title><meta name=application-name content=App>', { name: 'App' }],
    ['nothing', '<meta name="description" content="  ">', { name: null, description: null, imageUrl: null }],
    [
      'a shared picture',
      '<meta property="og:image" content="https://cdn.example/a.png">',
      { imageUrl: 'https://cdn.example/a.png' },
    ],
    [
      'a large icon',
      '<link rel="shortcut icon" href="/f.ico"><link rel=icon sizes=192x192 href=big.png>',
      { imageUrl: /\/big\.png$/ },
    ],
    [
      'no SVG, no small icon',
      '<link rel=icon sizes=any href=/i.svg><link rel=icon sizes=32x32 href=/s.png>',
      { imageUrl: null },
    ],
    [
      'the base address',
      '<base href="https://static.example/x/"><meta property="og:image" content="a.png">',
      { imageUrl: 'https://static.example/x/a.png' },
    ],
    [
      'no script',
      '<link rel="apple-touch-icon" href="javascript:alert(1)"><meta property="og:image" content="data:x">',
      { imageUrl: null },
    ],
  ])('reads %s', async (_name, head, expected) => {
    const page = (await found(head)) as Record<string, string | null>;
    for (const [field, value] of Object.entries(expected))
      if (value instanceof RegExp) expect(page[field]).toMatch(value);
      else expect(page[field]).toBe(value);
  });

  it('keeps markup in fields as text, on one line and within the limits of the form', async () => {
    const page = await found(
      `<title>&lt;script&gt;alert(1)&lt;/script&gt;\u0007${'x'.repeat(5000)}</title>
       <meta name="description" content='"><img src=x onerror=alert(1)>${'y'.repeat(5000)}'>`,
    );
    expect(page.name).toMatch(/^<script>alert\(1\)<\/script> x+…$/);
    expect(page.description).toMatch(/^"><img src=x onerror=alert\(1\)>y+…$/);
    expect([page.name.length, page.description.length]).toEqual([200, 1000]);
    expect((await found('<title>a<b>c</title>')).name).toBe('a<b>c');
  });

  it.each([
    ['the header', 'text/html; charset=iso-8859-1', Buffer.from('<title>Caf\u00e9</title>', 'latin1')],
    [
      'its own declaration',
      'text/html',
      Buffer.from('<meta charset="windows-1252"><title>Caf\u00e9</title>', 'latin1'),
    ],
    [
      'an old declaration',
      'text/html',
      Buffer.from(
        '<meta http-equiv="Content-Type" content="text/html; charset=latin1"><title>Caf\u00e9</title>',
        'latin1',
      ),
    ],
    ['a byte order mark', 'text/html', Buffer.from('\ufeff<title>Caf\u00e9</title>', 'utf16le')],
    ['nothing', 'text/html', Buffer.from('<title>Caf\u00e9</title>')],
  ])('reads the character set that %s names', async (_name, type, body) => {
    expect((await preview({ type, body })).body.name).toBe('Café');
  });

  it('follows redirects within the domain', async () => {
    pages.set('/home', { body: '<title>Moved</title>' });
    expect((await preview({ to: '/home' })).body.name).toBe('Moved');
  });
});

describe('a page that cannot be previewed', () => {
  it.each<[string, Page, RegExp]>([
    ['is missing', { status: 404 }, /answered with status 404. Check the address/],
    [
      'is a file',
      { type: 'application/pdf', body: '%PDF' },
      /no web page. Enter the address of the home page/,
    ],
    [
      'redirects inward',
      { to: 'http://169.254.169.254/latest/' },
      /redirects to another website. Enter the address/,
    ],
    ['redirects to this machine', { to: 'http://localhost:1/' }, /redirects to another website/],
    ['redirects to a file', { to: 'file:///etc/passwd' }, /redirects to another website/],
    ['redirects for ever', { to: '/' }, /redirects too many times/],
    ['never ends', { is: 'endless' }, /too large: we read at most 2048 KB/],
    [
      'names a wrong character set',
      { type: 'text/html; charset=utf-8', body: Buffer.from('<title>Caf\u00e9</title>', 'latin1') },
      /isn’t in the character set that it names \(utf-8\)/,
    ],
    [
      'names an unknown character set',
      { type: 'text/html; charset=klingon' },
      /character set that it names \(klingon\)/,
    ],
  ])('is answered with 400 and the reason if it %s', async (_name, page, message) => {
    const answer = await preview(page);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
    expect(Object.keys(answer.body).toSorted()).toEqual(['issues', 'message']);
  });

  it('is given up if it goes silent', async () => {
    const answer = await preview({ is: 'silent' });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/took too long/) } });
  });

  it.each([
    'daily.example',
    '',
    'ftp://daily.example',
    'https://a b',
    'https://me:secret@daily.example',
    undefined,
  ])('is not asked for at the address %j', async (url) => {
    const answer = await seller.post('/api/websites/preview', { url });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Please enter a valid URL' } });
  });

  it('is never inside the network, outside development mode', async () => {
    const strict = { ...server.ctx, config: { ...server.ctx.config, developmentMode: false } };
    const who = { id: seller.user.id, role: 'seller' } as const;
    for (const url of ['http://127.0.0.1/', 'http://10.0.0.1/', 'http://[::1]/', 'http://localhost/'])
      await expect(previewWebsite(strict, who, { body: { url } })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('not on the public internet'),
      });
  });
});

it('is for publishers, and limited for each of them and for each site', async () => {
  const page = { body: '<title>Daily</title>' };
  expect((await preview(page, server.anyone())).status).toBe(401);
  expect((await preview(page, await server.signIn('buyer'))).status).toBe(403);
  const limited = await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '0.1' } }));
  const [one, other] = [await limited.signIn('seller'), await limited.signIn('seller')];
  const statuses = [];
  for (const client of [one, one, one, one, other]) statuses.push((await preview(page, client)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const { body } = await other.post('/api/websites/preview', { url: `${webUrl}/other` });
  expect(body.message).toMatch('Too many requests');
});
