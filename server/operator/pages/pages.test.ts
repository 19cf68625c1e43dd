/** The pages that the operator writes, by commands and in the console, and as everybody reads them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PAGE_TEXT, PAGE_KEYS } from '#domain/pages.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { commandOf } from '../command-line/commands.ts';

const server = useOwnServer({
  env: { SELLER_NAME: 'Brot GmbH', SELLER_ADDRESS: 'Ring 1\\nBerlin', SELLER_TAX_ID: 'DE811' },
});
let operator: TestOperator;
let folder: string;
beforeAll(async () => {
  operator = await makeOperator(server);
  folder = newTemporaryFolder('pages-');
});
afterEach(async () => {
  await server.owner.transaction().execute(async (tx) => {
    await sql`delete from published_pages`.execute(tx);
    await sql`alter table page_versions disable trigger user`.execute(tx);
    await sql`delete from page_versions`.execute(tx);
    await sql`alter table page_versions enable trigger user`.execute(tx);
  });
  await readSettings(server.ctx.db, server.ctx.config);
});
afterAll(async () => {
  removeFolder(folder);
});

async function command(...words: string[]) {
  const { command: found, args } = commandOf(words);
  const options = { dryRun: false };
  return await found.run({ ctx: server.ctx, operator: { id: null }, args, options });
}

function file(text: string | Buffer): string {
  const name = path.join(folder, 'text.md');
  writeFileSync(name, text);
  return name;
}
const set = async (key: string, text: string) => await command('page', 'set', key, file(text));
const read = async (address: string) => await server.anyone().get(address);
const main = (text: string) => text.slice(text.indexOf('<main'), text.indexOf('</main>'));
const send = async (key: string, fields: Record<string, string>, below = '') =>
  await sendAct(operator.client, `/operator/pages/${key}${below}`, fields);

describe('a published page', () => {
  // Proves OWNS-40
  it('is read by everybody without a cookie, and shows HTML as text', async () => {
    expect((await read('/pages/terms')).status).toBe(404);
    await set(
      'terms',
      '# Our *terms*\n\nBe kind & <b onclick="x()">fair</b>.\n\n<script>alert(1)</script>\n\n[Bad](javascript:alert(1)) [good](https://a.example/x "t") ![A plan](https://b.example/p.png) ![ours](/icon.svg)\n\n# Second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    );
    const page = await read('/pages/terms');
    expect(page.status).toBe(200);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('<title>Our terms · Openslot</title>');
    expect(page.text).toContain('<meta name="description" content="Be kind &amp; &lt;b');
    expect(page.text).toContain(`<link rel="canonical" href="${server.ctx.config.publicUrl}/pages/terms">`);
    const text = main(page.text);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain('Be kind &amp; &lt;b onclick=&quot;x()&quot;&gt;fair&lt;/b&gt;.');
    expect(text).toContain('&lt;script&gt;');
    expect(text).toContain('[Bad](javascript:alert(1))');
    expect(text).toContain('<a href="https://a.example/x" title="t" rel="nofollow noopener">good</a>');
    expect(text).toContain('<a href="https://b.example/p.png" rel="nofollow noopener">A plan</a>');
    expect(text).toContain('<img src="/icon.svg" alt="ours"');
    expect(text).not.toMatch(/<script|href="javascript/);
    expect(text).toContain('<h2>Second</h2>');
    for (const key of ['help', 'nothing', '__proto__', 'terms.html'])
      expect((await read(`/pages/${key}`)).status).toBe(404);
  });

  it('is known to the footer, the API, robots.txt and the sitemap, and no longer once it is removed', async () => {
    const known = async () => {
      const { pages, termsVersion } = (await read('/api/marketplace')).body;
      const shown = (await read('/sites')).text;
      return {
        pages,
        termsVersion,
        footer: shown
          .slice(shown.indexOf('<footer>'))
          .includes('<a href="/pages/terms">Terms of Service</a>'),
        sitemap: (await read('/sitemaps/pages.xml')).text.includes('/pages/terms</loc>'),
      };
    };
    const none = { pages: {}, termsVersion: null, footer: false, sitemap: false };
    expect(await known()).toEqual(none);
    await set('terms', 'One');
    await set('terms', 'Two');
    await set('imprint', 'Us');
    expect(await known()).toEqual({
      pages: { terms: '/pages/terms', imprint: '/pages/imprint' },
      termsVersion: 2,
      footer: true,
      sitemap: true,
    });
    expect((await read('/robots.txt')).text).toContain('Allow: /pages/');
    const home = (await read('/')).text;
    expect(home).toContain('"pages":["terms","imprint"]');
    // The landing page is there only if the web application is built.
    if (home.includes('Terms of Service')) {
      expect(home).toContain('href="/pages/terms"');
      expect(home).not.toContain('%PAGE');
      expect(home).not.toContain('href="/pages/help"');
    }
    await command('page', 'remove', 'terms');
    await command('page', 'remove', 'imprint');
    expect(await known()).toEqual(none);
    expect((await read('/pages/terms')).status).toBe(404);
    await expect(command('page', 'remove', 'terms')).rejects.toThrow('The page terms is not published.');
  });

  it('has the lines of the seller if it is the imprint', async () => {
    await set('imprint', '# Imprint\n\nWrite to us.');
    const text = main((await read('/pages/imprint')).text);
    for (const line of ['Brot GmbH<br>Ring 1<br>Berlin', 'Tax number: DE811', 'Write to us.'])
      expect(text).toContain(line);
  });
});

describe('commands', () => {
  it('set, get, list and publish, each saved text as a version that nothing changes', async () => {
    const env = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.ctx.config.dataDir };
    const done = await runOpenslot(['page', 'set', 'help', file('# Help\r\n\r\nCall.\n'), '--json'], env);
    expect([done.code, JSON.parse(done.out)]).toEqual([0, { key: 'help', version: 1, dryRun: false }]);
    await readSettings(server.ctx.db, server.ctx.config);
    expect((await command('page', 'get', 'help')).json).toEqual({
      key: 'help',
      version: 1,
      publishedVersion: 1,
      path: '/pages/help',
      text: '# Help\n\nCall.',
    });
    expect((await command('page', 'list')).lines).toContain('help               version 1 is published');
    for (const statement of [`update page_versions set text = 'x'`, 'delete from page_versions'])
      await expect(sql.raw(statement).execute(server.owner)).rejects.toThrow('append-only');
    const acts = await server.ctx.db
      .selectFrom('operatorActs')
      .select(['act', 'subjectName', 'reason'])
      .where('subject', '=', 'page')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(acts).toEqual([
      { act: 'publish-page', subjectName: 'help', reason: 'Version 1.' },
      { act: 'save-page', subjectName: 'help', reason: 'Version 1.' },
    ]);
  });

  it('refuse an unknown page, a file that is missing, no text or too large, and wrong words', async () => {
    await expect(command('page', 'set', 'about', file('x'))).rejects.toThrow('There is no page “about”');
    await expect(command('page', 'set', 'terms')).rejects.toThrow('Name one file');
    await expect(command('page', 'set', 'terms', '/nowhere.md')).rejects.toThrow('can’t be read');
    await expect(command('page', 'set', 'terms', folder)).rejects.toThrow('can’t be read');
    await expect(command('page', 'set', 'terms', file(Buffer.from([0x41, 0xff])))).rejects.toThrow('UTF-8');
    await expect(set('terms', ' \n ')).rejects.toThrow('Please write a text');
    await expect(set('terms', 'a\0b')).rejects.toThrow('can’t be stored');
    await expect(set('terms', 'ü'.repeat(MAX_PAGE_TEXT + 1))).rejects.toThrow('at most 40000');
    await expect(set('terms', 'x'.repeat(9 * MAX_PAGE_TEXT))).rejects.toThrow('at most 40000');
    expect((await command('page', 'get', 'terms')).json).toMatchObject({ version: 0, text: '' });
    await set('terms', 'ü'.repeat(MAX_PAGE_TEXT));
  });

  it('write starter texts once, and publish none that marks what is missing', async () => {
    await set('help', 'Ours');
    const { json } = await command('page', 'starters');
    expect(json).toMatchObject({ keys: PAGE_KEYS.filter((key) => key !== 'help') });
    expect((await read('/api/marketplace')).body.pages).toEqual({ help: '/pages/help' });
    for (const key of PAGE_KEYS) {
      const { text } = (await command('page', 'get', key)).json as { text: string };
      if (key !== 'help') expect(text.startsWith('# ')).toBe(true);
      expect(text).not.toContain('undefined');
      expect(text).not.toContain('null');
    }
    await expect(command('page', 'publish', 'privacy')).rejects.toThrow(
      'still marks what must be filled in: [TO FILL IN: an address',
    );
    await command('page', 'publish', 'how-it-works');
    expect((await read('/pages/how-it-works')).text).toContain('Earn 85%');
    expect((await command('page', 'starters')).lines).toEqual(['Every page has a text already.']);
  });
});

describe('the console', () => {
  it('saves, shows, publishes and removes a text, and an older version can be read', async () => {
    await confirmOperator(server, operator);
    const { pages, acts } = (await operator.client.get('/api/operator/pages')).body;
    expect(pages).toContainEqual({
      key: 'terms',
      title: 'Terms of Service',
      version: 0,
      savedAt: null,
      publishedVersion: null,
      publishedAt: null,
    });
    expect(acts).toMatchObject([{ button: 'Write starter texts' }]);
    const saved = await send('terms', { version: '0', text: '# First\r\n\r\n<i>text</i>' });
    expect([saved.status, saved.body]).toEqual([
      200,
      { said: 'Version 1 is saved. Nobody else can read it yet.', next: '/operator/pages/terms' },
    ]);
    expect((await read('/pages/terms')).status).toBe(404);
    const page = (await operator.client.get('/api/operator/pages/terms')).body;
    expect(page.rendered).toEqual({ title: 'First', html: '<p>&lt;i&gt;text&lt;/i&gt;</p>\n' });
    expect(page.acts).toMatchObject([{ button: 'Publish this version', hidden: { version: '1' } }]);
    expect((await send('terms', { version: '1', reason: 'Ready' }, '/publish')).status).toBe(200);
    expect((await read('/pages/terms')).text).toContain('First');
    expect((await send('terms', { version: '1', text: '# Second' }, '/set')).status).toBe(200);
    expect((await read('/pages/terms')).text).toContain('Second');
    expect((await operator.client.get('/api/operator/pages/terms?version=1')).body).toMatchObject({
      shown: 1,
      version: 2,
      text: '# First\n\n<i>text</i>',
      versions: [
        { version: 2, publishedAt: expect.any(String) },
        { version: 1, publishedAt: null },
      ],
    });
    for (const path of ['terms?version=9', 'terms?version=x', 'nothing'])
      expect((await operator.client.get(`/api/operator/pages/${path}`)).status).toBe(404);
    expect((await send('terms', { version: '2' }, '/remove')).status).toBe(200);
    expect((await read('/pages/terms')).status).toBe(404);
  });

  it('refuses a text where another operator has saved meanwhile, and takes the longest one', async () => {
    await confirmOperator(server, operator);
    await set('terms', 'Theirs');
    const refused = await send('terms', { version: '0', text: 'Mine' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('Version 1 was saved while this page was open.'),
    ]);
    const both = await Promise.all(['a', 'b'].map((text) => send('terms', { version: '1', text })));
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    expect((await send('help', { version: '0', text: '漢'.repeat(MAX_PAGE_TEXT) })).status).toBe(200);
    expect((await send('help', { version: '1', text: 'x'.repeat(MAX_PAGE_TEXT + 1) })).status).toBe(400);
    expect((await send('help', { version: '1', text: 'x'.repeat(600_000) })).status).toBe(413);
    const unfinished = await send('help', { version: '1', text: '[TO FILL IN: all]' }, '/set');
    expect([unfinished.status, unfinished.body.message]).toEqual([
      409,
      expect.stringContaining('still marks what must be filled in: [TO FILL IN: all]'),
    ]);
  });

  it('previews a text as its page shows it, without saving it', async () => {
    await confirmOperator(server, operator);
    await set('terms', '# Theirs');
    const fields = { version: '0', text: '# Mine\n\n<i>text</i>' };
    const shown = await send('terms', fields, '/preview');
    expect([shown.status, shown.body]).toEqual([
      200,
      { title: 'Mine', html: '<p>&lt;i&gt;text&lt;/i&gt;</p>\n' },
    ]);
    expect((await command('page', 'get', 'terms')).json).toMatchObject({ version: 1, text: '# Theirs' });
    // What the other operator has saved is not overwritten unread.
    expect((await send('terms', fields)).status).toBe(409);
    for (const text of ['', 'x'.repeat(MAX_PAGE_TEXT + 1)])
      expect((await send('terms', { version: '1', text }, '/preview')).status).toBe(400);
    expect((await send('nothing', fields, '/preview')).status).toBe(404);
  });

  it('lets owners alone change a page', async () => {
    const clerk = await makeOperator(server);
    await confirmOperator(server, clerk);
    await server.ctx.db
      .updateTable('operators')
      .set({ role: 'support' })
      .where('userId', '=', clerk.client.user.id)
      .execute();
    expect((await clerk.client.get('/api/operator/pages')).body.acts).toEqual([]);
    const seen = (await clerk.client.get('/api/operator/pages/terms')).body;
    expect([seen.save, seen.saveAndPublish, seen.acts]).toEqual([null, null, []]);
    const answer = await sendAct(clerk.client, '/operator/pages/terms', { version: '0', text: 'x' });
    expect(answer.status).toBe(403);
    const preview = await sendAct(clerk.client, '/operator/pages/terms/preview', { text: 'x' });
    expect(preview.status).toBe(403);
    expect((await command('page', 'get', 'terms')).json).toMatchObject({ version: 0 });
  });
});
