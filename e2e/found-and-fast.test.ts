/** The pages that search engines, link previews and first-time visitors receive, and their weight. */
import { get } from 'node:http';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import {
  afterPendingRequests,
  assertNoErrors,
  enterAs,
  hold,
  pathOf,
  recordCalls,
  toastTitled,
} from './support/people.ts';
import { signIn } from './support/forms.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave } from './support/person.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
});
afterAll(async () => {
  await fixture.close();
});

const PUBLIC = ['/', '/demo'] as const;
const OWN = [
  '/dashboard',
  '/marketplace',
  '/create-ad',
  '/ad-zones',
  '/transactions',
  '/settings',
  '/checkout/x',
  '/nope',
];
/** The screens that a buyer or a seller does not see as a person with both roles does. */
const DIFFERENT_BY_ROLE = ['/dashboard', '/ad-zones', '/transactions'];

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** Reads a page without a browser, with exactly these headers. */
function read(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(fixture.server.url + path, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
        }),
      );
    }).on('error', reject);
  });
}

async function html(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await read(path, headers)).body.toString();
}

/** The content of the `<meta>` with this name or property. */
function meta(page: string, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(page)?.[1];
}

describe('a visitor without scripts', () => {
  // Proves FND-01
  it('can read the landing and demo page, and a link to the application says that it needs JavaScript', async () => {
    const page = await html('/');
    expect(page).toContain('Buy &amp; Sell Ad Space In Minutes</h1>');
    expect(page.match(/data-testid="feature-card"/g)).toHaveLength(6);
    expect(page.match(/data-testid="sample-site"/g)).toHaveLength(3);
    expect(page).toContain('© 2006 - 2025');
    expect(await html('/demo')).toContain('What an open slot looks like</h1>');

    const context = await fixture.browser.newContext({
      baseURL: fixture.server.url,
      javaScriptEnabled: false,
    });
    const visitor = await context.newPage();
    for (const path of PUBLIC) {
      await visitor.goto(path);
      expect(await visitor.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
      expect(await visitor.locator('noscript').count()).toBe(0);
    }
    await visitor.goto('/');
    expect(await visitor.getByRole('contentinfo').isVisible()).toBe(true);
    await visitor.getByRole('link', { name: 'Start Selling Ad Space' }).click();
    // Only the application needs JavaScript.
    await visitor.waitForURL('/auth?tab=signup#sell');
    expect(await visitor.locator('noscript').innerText()).toContain('Openslot needs JavaScript');
    await context.close();
  });
});

describe('the head of a public page', () => {
  // Proves FND-02
  it('has a title, a description, a canonical URL under PUBLIC_URL and a preview image that exists', async () => {
    for (const path of [...PUBLIC, '/auth']) {
      const page = await html(path);
      const address = fixture.server.url + path;
      expect(/<title>([^<]+) · Openslot<\/title>/.exec(page)?.[1]?.length).toBeGreaterThan(3);
      expect(meta(page, 'description')?.length).toBeGreaterThan(50);
      expect(page).toContain(`<link rel="canonical" href="${address}"/>`);
      expect(meta(page, 'og:url')).toBe(address);
      expect(meta(page, 'og:title')).toBe(/<title>([^<]+)<\/title>/.exec(page)?.[1]);
      expect(meta(page, 'twitter:card')).toBe('summary_large_image');
      expect(page).not.toContain('%PUBLIC_URL%');

      const picture = await read(new URL(meta(page, 'og:image') ?? '').pathname);
      expect(picture.headers['content-type']).toBe('image/png');
      expect(picture.body.length).toBeLessThan(100_000);
      const { width, height } = await sharp(picture.body).metadata();
      expect([width, height]).toEqual([1200, 630]);
      expect([meta(page, 'og:image:width'), meta(page, 'og:image:height')]).toEqual(['1200', '630']);
    }
  });

  // Proves FND-02
  it('links an application manifest and icons that exist in the stated sizes', async () => {
    const page = await html('/');
    const manifest = await read(/rel="manifest" href="([^"]+)"/.exec(page)?.[1] ?? '');
    expect(manifest.headers['content-type']).toContain('application/manifest+json');
    const { icons } = JSON.parse(manifest.body.toString()) as { icons: { src: string; sizes: string }[] };
    const touch = { src: /rel="apple-touch-icon" href="([^"]+)"/.exec(page)?.[1] ?? '', sizes: '180x180' };
    for (const { src, sizes } of [...icons, touch]) {
      const icon = await read(src);
      expect(icon.status).toBe(200);
      const { width, height } = await sharp(icon.body).metadata();
      if (sizes !== 'any') expect(`${width}x${height}`).toBe(sizes);
    }
    expect(meta(page, 'theme-color')).toMatch(/^#[\da-f]{6}$/);
  });

  // Proves FND-03
  it('has valid structured data about this URL', async () => {
    const [, data = ''] =
      /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(await html('/')) ?? [];
    const { '@context': context, '@graph': graph } = JSON.parse(data);
    expect(context).toBe('https://schema.org');
    expect(graph.map((thing: Record<string, unknown>) => thing['@type'])).toEqual([
      'Organization',
      'WebSite',
      'WebApplication',
    ]);
    for (const thing of graph) {
      expect(thing.url).toBe(`${fixture.server.url}/`);
      expect(thing.name).toBe('Openslot');
    }
    const logo = await read(new URL(graph[0].logo).pathname);
    expect([logo.status, logo.headers['content-type']]).toEqual([200, 'image/png']);
  });
});

describe('search engines', () => {
  // Proves FND-04
  it('are allowed to read only the public pages, and robots.txt names the sitemap', async () => {
    const { headers, body } = await read('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const lines = body.toString().split('\n');
    expect(lines).toContain(`Sitemap: ${fixture.server.url}/sitemap.xml`);
    const asset = /src="(\/assets\/[^"]+)"/.exec(await html('/'))?.[1] ?? '';
    for (const path of [
      '/',
      '/?from=letter',
      '/demo',
      '/auth',
      asset,
      '/social-card.png',
      '/ads.txt',
      '/ad-archive',
    ]) {
      expect([path, isAllowed(lines, path)]).toEqual([path, true]);
    }
    for (const path of [
      ...OWN,
      '/api/websites',
      '/api/serve/ads',
      '/demo/x',
      '/dev/mail',
      '/ad-archive/x',
      '/report-ad/x',
    ]) {
      expect([path, isAllowed(lines, path)]).toEqual([path, false]);
    }
  });

  // Proves FND-04
  it('are told not to index the pages of signed-in users', async () => {
    const { cookie } = await fixture.server.signIn('both');
    for (const path of OWN) {
      const answer = await read(path);
      expect([path, answer.headers['x-robots-tag']]).toEqual([path, 'noindex']);
      expect(meta(answer.body.toString(), 'robots')).toBe('noindex');
    }
    for (const path of PUBLIC) {
      expect([path, (await read(path)).headers['x-robots-tag']]).toEqual([path, undefined]);
      expect((await read(path, { cookie })).headers['x-robots-tag']).toBe('noindex');
    }
  });

  // Proves FND-05
  it('find exactly the public pages in the sitemap', async () => {
    const { headers, body } = await read('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const { page } = await fixture.enter();
    const found = await page.evaluate((text) => {
      const map = new DOMParser().parseFromString(text, 'application/xml');
      return {
        broken: map.querySelector('parsererror') !== null,
        root: map.documentElement.namespaceURI,
        addresses: [...map.querySelectorAll('url > loc')].map((loc) => loc.textContent),
      };
    }, body.toString());
    expect(found).toEqual({
      broken: false,
      root: 'http://www.sitemaps.org/schemas/sitemap/0.9',
      addresses: [...PUBLIC, '/ad-archive', '/global-privacy-control'].map(
        (path) => fixture.server.url + path,
      ),
    });
    await leave(page);
  });
});

/** Whether robots.txt allows the path. The longest matching rule decides: `*` is anything, `$` the end (RFC 9309). */
function isAllowed(lines: readonly string[], path: string): boolean {
  const fitting = lines.flatMap((line) => {
    const [, verb, rule] = /^(Allow|Disallow): (.*)$/.exec(line) ?? [];
    if (!verb || !rule) return [];
    const pattern = rule.replaceAll(/[.?+]/g, '\\$&').replaceAll('*', '.*');
    return new RegExp(`^${pattern}`).test(path) ? [{ verb, length: rule.length }] : [];
  });
  return fitting.toSorted((a, b) => b.length - a.length)[0]?.verb !== 'Disallow';
}

describe('the prerendered landing page', () => {
  // Proves FND-09, LITE-4, LITE-7
  it('is hydrated without a spinner and without replacing the elements that the server sent', async () => {
    for (const path of PUBLIC) {
      const visitor = await fixture.enter();
      const { page } = visitor;
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      const sheets: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'stylesheet') sheets.push(request.url());
      });
      // Hold the scripts, so that the page is as the server sent it.
      const release = await holdScripts(page);
      const release2 = await hold(page, '/api/auth/user');
      await page.goto(path, { waitUntil: 'commit' });
      await page.getByRole('contentinfo').waitFor();
      const signUp = page.getByRole('link', { name: 'Sign Up' });
      // The accent color, before any script.
      expect(await signUp.evaluate((link) => getComputedStyle(link).backgroundColor)).toBe(
        'rgb(15, 94, 112)',
      );
      await page.evaluate(() => {
        const root = document.querySelector('#root') as HTMLElement;
        const seen = [...root.querySelectorAll('*')];
        const lost: string[] = [];
        new MutationObserver((records) => {
          for (const { removedNodes } of records)
            for (const node of removedNodes) if (node instanceof Element) lost.push(node.outerHTML);
        }).observe(root, { childList: true, subtree: true });
        Object.assign(window, { seen, lost });
      });
      release();
      const asked = page.waitForRequest('**/api/auth/user');
      await asked;
      // React marks each element that it has hydrated. Before that, a click on Filter would submit the form to the server.
      await page.waitForFunction(
        (selector) =>
          Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith('__reactProps')),
        path === '/' ? 'main form' : 'main',
      );
      // The page responds to a click before the current user is known.
      if (path === '/') {
        await page.getByLabel('Category').selectOption('Business');
        await expect
          .poll(async () => {
            await page.getByRole('button', { name: 'Filter' }).click();
            return page.getByTestId('sample-site').count();
          })
          .toBe(1);
      }
      const kept = await page.evaluate(() => {
        const { seen, lost } = window as unknown as { seen: Element[]; lost: string[] };
        return { gone: seen.filter((element) => !element.isConnected).length, lost };
      });
      // Only the two filtered cards and their parts were removed.
      expect(kept.lost.filter((text) => !text.includes('sample-site'))).toEqual([]);
      if (path !== '/') expect(kept.gone).toBe(0);
      release2();
      await afterPendingRequests(page);
      expect(await saying(page).count()).toBe(0);
      expect(said.filter((text) => !text.includes('401'))).toEqual([]);
      // Nor does the style sheet come again with the next page.
      await page.getByRole('link', { name: 'Login' }).click();
      await page.getByRole('tab', { name: 'Sign In' }).waitFor();
      expect(sheets).toEqual([]);
      assertNoErrors(visitor);
      await leave(page);
    }
  });

  // Proves FND-09
  it('is never sent to signed-in users', async () => {
    const person = await enterAs(fixture, 'both');
    const sent = await html('/', { cookie: person.client.cookie });
    expect(sent).not.toContain('Buy &amp; Sell');
    expect(sent).toContain('<div id="root"></div>');
    const release = await hold(person.page, '/api/auth/user');
    await person.page.goto('/', { waitUntil: 'commit' });
    await saying(person.page).waitFor();
    expect(await person.page.getByText('Ad Space In Minutes').count()).toBe(0);
    release();
    await person.page.getByText('Welcome back, Ann!').waitFor();
    await leave(person.page);
  });

  // Proves FND-09
  it('is shown when the session has ended, and replaced by Home when a session starts while it loads', async () => {
    const person = await enterAs(fixture, 'buyer');
    await fixture.server.app.pool.query(`delete from sessions where (sess->>'userId')::int = $1`, [
      person.client.user.id,
    ]);
    const calls = recordCalls(person.page);
    const refused = person.page.waitForResponse('**/api/auth/user');
    await person.page.goto('/');
    expect((await refused).status()).toBe(401);
    await person.page.getByRole('heading', { level: 1, name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
    await afterPendingRequests(person.page);
    expect(calls).toEqual(['GET /api/auth/user']);
    expect(await person.page.locator('[data-variant]').count()).toBe(0);
    assertNoErrors(person);

    // The user signs in elsewhere while this page is loading.
    const other = await fixture.server.signIn('buyer');
    await person.page.route('**/api/auth/user', async (route) => {
      const [name = '', value = ''] = other.cookie.split(/=(.*)/s);
      await person.context.addCookies([{ name, value, url: fixture.server.url }]);
      await route.fulfill({ json: (await other.get('/api/auth/user')).body });
    });
    await person.page.goto('/');
    await person.page.getByText('Welcome back, Ann!').waitFor();
    assertNoErrors(person);
    await leave(person.page);
  });

  // Proves FND-09, LITE-4, LITE-7
  it('carries headers that keep caches from giving the page of one user to another', async () => {
    const { cookie } = await fixture.server.signIn('both');
    const visitors = await read('/');
    const users = await read('/', { cookie });
    for (const { headers } of [visitors, users]) {
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers.vary).toContain('Cookie');
      expect(headers.vary).toContain('Accept-Encoding');
    }
    const etag = String(visitors.headers.etag);
    const unchanged = await read('/', { 'if-none-match': etag });
    expect(unchanged.status).toBe(304);
    // The browser takes the policy of the 304 for the stored document, whose style sheet and script stay allowed.
    const policy = visitors.headers['content-security-policy'];
    expect(policy).toMatch(/style-src 'sha256-[^']+' 'self';/);
    expect(policy).toMatch(/script-src 'sha256-[^']+' 'self' /);
    expect(unchanged.headers['content-security-policy']).toBe(policy);
    expect(users.headers['content-security-policy']).not.toContain('sha256-');
    expect((await read('/', { 'if-none-match': etag, cookie })).status).toBe(200);
  });

  // Proves FND-10
  it('loads its files without a look at the session', async () => {
    const client = await fixture.server.signIn('seller');
    const [file] = /\/assets\/[^"]+\.js/.exec(await html('/')) ?? [''];
    const { pool } = fixture.server.app;
    await pool.query('alter table sessions rename to sessions_elsewhere');
    try {
      expect((await client.get('/api/auth/user')).status).toBe(500);
      expect((await read(file, { cookie: client.cookie })).status).toBe(200);
      expect((await read('/assets/missing.js', { cookie: client.cookie })).status).toBe(404);
    } finally {
      await pool.query('alter table sessions_elsewhere rename to sessions');
    }
    expect((await client.get('/api/auth/user')).status).toBe(200);
  });

  // Proves FND-01
  it('is compressed when the client accepts it', async () => {
    const plain = await read('/');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const encoding of ['br', 'gzip']) {
      const small = await read('/', { 'accept-encoding': encoding });
      expect(small.headers['content-encoding']).toBe(encoding);
      expect(small.body.length).toBeLessThan(plain.body.length / 3);
    }
    expect((await read('/', { 'accept-encoding': 'br;q=0' })).headers['content-encoding']).toBeUndefined();
  });
});

describe('the prerendered sign-in page', () => {
  // Proves LITE-5
  it('keeps what was typed before its scripts arrived, and sends nothing until then', async () => {
    const visitor = await fixture.enter();
    const { page } = visitor;
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const release = await holdScripts(page);
    await page.goto('/auth', { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    const email = page.getByLabel('Email');
    const password = page.getByLabel('Password', { exact: true });
    await email.fill('early@example.test');
    await password.fill('typed early');
    const calls = recordCalls(page);
    await password.press('Enter');
    for (const role of ['button', 'tab'] as const)
      for (const control of await page.locator('main form, [role=tablist]').getByRole(role).all())
        expect([await control.innerText(), await control.isDisabled()]).toEqual([
          await control.innerText(),
          true,
        ]);
    // Whatever submits the form all the same must not put the password into the address.
    expect(await page.locator('form').getAttribute('method')).toBe('post');
    await email.evaluate((input) => Object.assign(window, { input }));
    expect(new URL(page.url()).search).toBe('');
    expect(calls).toEqual([]);

    release();
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json: { message: 'M1' } }));
    // The button works as soon as React has taken the page over.
    await page.getByRole('button', { name: 'Sign In' }).click();
    await toastTitled(page, 'Login Failed').waitFor();
    expect(await email.evaluate((input) => input === Reflect.get(window, 'input'))).toBe(true);
    expect(calls.filter((call) => call.includes('login'))).toEqual([
      `POST /api/auth/login ${JSON.stringify({ email: 'early@example.test', password: 'typed early' })}`,
    ]);
    expect(said.filter((text) => !text.includes('401'))).toEqual([]);
    assertNoErrors(visitor);
    await leave(page);
  });

  // Proves LITE-5
  it('a sign-in that is faster than the call for the current user leads to Home', async () => {
    const { user } = await fixture.server.signIn('both');
    const visitor = await fixture.enter();
    const { page } = visitor;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/auth/user', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const answer = page.waitForResponse('**/api/auth/user');
    await page.goto('/auth');
    await signIn(page, user.email);
    await page.getByRole('heading', { name: /^Welcome back, / }).waitFor();
    release();
    expect((await answer).status()).toBe(401);
    await afterPendingRequests(page);
    expect(pathOf(page)).toBe('/');
    expect(await toastTitled(page, 'Unauthorized').count()).toBe(0);
    await page.getByRole('heading', { name: /^Welcome back, / }).waitFor();
    assertNoErrors(visitor);
    await leave(page);
  });

  // Proves LITE-5
  it('is sent without its form where the query, the history entry or the session decide what it shows', async () => {
    expect(await html('/auth')).toContain('Welcome back</h1>');
    const { cookie } = await fixture.server.signIn('both');
    for (const sent of [
      await html('/auth?tab=signup'),
      await html('/auth?verify=token'),
      await html('/auth', { cookie }),
    ])
      expect(sent).toContain('<div id="root"></div>');

    // A reload of the form that waits for a code, and the page of a visitor who followed an advertising-space link.
    const visitor = await fixture.enter();
    const { page } = visitor;
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill('a@example.test');
    await page.getByRole('button', { name: 'Send Reset Code' }).click();
    await page.getByLabel('Reset code').waitFor();
    await page.reload();
    await page.getByLabel('Reset code').waitFor();
    await page.evaluate(() =>
      localStorage.setItem(
        'campaign-referral',
        JSON.stringify({ website: 'W', zone: 'Z', timestamp: Date.now() }),
      ),
    );
    await page.goto('/demo');
    await page.goto('/auth');
    await page.getByRole('heading', { name: 'Welcome, advertiser' }).waitFor();
    assertNoErrors(visitor);
    await leave(page);
  });
});

describe('the scripts of a page that is complete without them', () => {
  // Proves LITE-7
  it('start after its first paint, and those of other pages are in their document', async () => {
    const scriptsIn = async (path: string) =>
      (await html(path)).match(/<script type="module"|<link rel="modulepreload"/g)?.length ?? 0;
    expect(await scriptsIn('/auth?tab=signup')).toBeGreaterThan(5);
    const { page, context } = await fixture.enter();
    for (const path of ['/', '/demo', '/auth']) {
      expect([path, await scriptsIn(path)]).toEqual([path, 0]);
      await gotoAndStart(page, path);
      const { painted, started } = await page.evaluate(() => ({
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
        started: performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .map(({ startTime }) => startTime),
      }));
      expect([path, started.length]).not.toEqual([path, 0]);
      expect([path, started.filter((time) => time < painted)]).toEqual([path, []]);
    }
    await context.close();
  });

  // Proves LITE-7
  it('start without a paint too, as in a browser that hides its time', async () => {
    const { page, context } = await fixture.enter();
    await page.addInitScript(() => Reflect.deleteProperty(window, 'PerformanceObserver'));
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send Reset Code' }).waitFor();
    await context.close();
  });

  // Proves LITE-8
  it('make no formatter of figures, dates or names before the page shows one', async () => {
    const { page, context } = await fixture.enter();
    await page.addInitScript(() => {
      const made: string[] = [];
      Object.assign(window, { made });
      for (const name of ['NumberFormat', 'DateTimeFormat', 'DisplayNames'] as const)
        Reflect.set(
          Intl,
          name,
          new Proxy(Intl[name], {
            construct(target, values) {
              made.push(name);
              return Reflect.construct(target, values);
            },
          }),
        );
    });
    for (const path of ['/', '/demo', '/auth']) {
      await gotoAndStart(page, path);
      expect([path, await page.evaluate(() => Reflect.get(window, 'made'))]).toEqual([path, []]);
    }
    await context.close();
  });
});

/** Opens a page for visitors and waits until the application has asked for the current user. */
async function gotoAndStart(page: Page, path: string): Promise<void> {
  const asked = page.waitForResponse('**/api/auth/user');
  await page.goto(path);
  await asked;
  await afterPendingRequests(page);
}

/** The status that a reader sees, such as a spinner. The region of the offline notice is always there, and empty. */
function saying(page: Page) {
  return page.getByRole('status').filter({ hasText: /\S/ });
}

/** Holds back every script of the application until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  return await hold(page, '/assets/*.js');
}

describe('layout while a page loads', () => {
  // Proves FND-08
  it('does not shift on any page of a visitor, at 375 and 1280 px', async () => {
    for (const width of [375, 1280]) {
      const { page, context } = await fixture.enter({ width });
      await recordShifts(page);
      for (const path of ['/', '/demo', '/auth', '/auth?tab=signup']) {
        expect(await shiftsOn(page, path)).toEqual([]);
      }
      await context.close();
    }
  });

  // Proves FND-08
  it.each([
    ['buyer', 375],
    ['seller', 375],
    ['both', 375],
    ['both', 1280],
  ] as const)('does not shift on any page for role %s at %i px', async (role, width) => {
    const { page, context, client } = await enterAs(fixture, role, { width });
    const other = await fixture.server.signIn('both');
    const buyer = role === 'seller' ? other : client;
    const seller = role === 'buyer' ? other : client;
    const { website, zone, ad } = await makeLiveAd(seller, buyer);
    await makeAd(buyer, await makeProduct(seller, zone, { price: '40.00' }));
    await makeZone(seller, await makeWebsite(seller, { name: 'The second' }));
    await recordShifts(page);
    const wizard = `/create-ad?website=${website.publicId}&zone=${zone.publicId}`;
    const paths = role === 'both' ? ['/demo', ...OWN, `/checkout/${ad.publicId}`, wizard] : DIFFERENT_BY_ROLE;
    for (const path of ['/', ...paths]) {
      expect(await shiftsOn(page, path)).toEqual([]);
    }
    await context.close();
  });
});

/** Makes each page that is opened from now on record its layout shifts in `window.shifts`. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.outerHTML.slice(0, 90)} from ${previousRect.y} to ${currentRect.y}`;
        });
        shifts.push(`${entry.value.toFixed(4)}: ${moved.join(' and ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
}

/** The layout shifts of a page whose API answers arrive one by one, each after the page was rendered without it. */
async function shiftsOn(page: Page, path: string): Promise<string[]> {
  let queue: Promise<unknown> = Promise.resolve();
  await page.route('**/api/**', async (route) => {
    const before = queue;
    queue = (async () => {
      await before;
      await rendered(page);
      await route.continue();
      // A navigation cancels the pending requests.
    })().catch(() => {});
    await queue;
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await rendered(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  await page.unrouteAll({ behavior: 'wait' });
  return shifts.map((shift) => `${path} at ${page.viewportSize()?.width}: ${shift}`);
}

/** From the Layout Instability API, which the types of TypeScript lack. */
type LayoutShift = {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Resolves when the browser has rendered the page in its present state. */
async function rendered(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}

describe('page weight', () => {
  // Proves FND-06
  it('the first visit of / takes at most 120 kB of JavaScript', async () => {
    const { page, context } = await fixture.enter();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    // Encoded sizes of the bodies, without headers.
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    // The limit is for gzip. Chromium would accept brotli, which is smaller.
    await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': 'gzip' } });
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(120_000);
    await context.close();
  });
});
