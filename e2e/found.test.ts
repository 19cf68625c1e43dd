/** The pages of visitors, and what search engines, link previews and visitors without scripts receive. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixture, signUp, type Fixture } from './support/fixture.ts';
import { afterPendingRequests, assertNoErrors, pathOf, recordCalls } from './support/people.ts';
import { leave } from './support/person.ts';
import { OWN, PUBLIC, rawPagesOf } from './support/raw-page.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
});
afterAll(async () => {
  await fixture.close();
});

const { read, html } = rawPagesOf(() => fixture);

/** The content of the `<meta>` with this name or property. */
function meta(page: string, name: string): string | undefined {
  return new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(page)?.[1];
}

it('the landing page of an installation without accounts says how to begin and how to bring back a backup, until somebody signs up', async () => {
  const visitor = await fixture.enter();
  const { page } = visitor;
  await page.goto('/');
  await page.getByText('No accounts yet. Is this your marketplace?').click();
  await page.getByText('openslot operator link').waitFor();
  await page.getByText('openslot restore --from BACKUP').waitFor();
  await signUp(fixture, visitor, {
    firstName: 'Ann',
    lastName: 'First',
    email: 'ann@example.com',
    role: 'Both',
  });
  const other = await fixture.enter();
  await other.page.goto('/', { waitUntil: 'networkidle' });
  await other.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await other.page.getByText('No accounts yet').count()).toBe(0);
  for (const each of [visitor, other]) {
    assertNoErrors(each);
    await leave(each.page);
  }
});

// Proves ACC-01, STATE-12, LAND-01, LAND-16
it('the landing page requests nothing from the API', async () => {
  const visitor = await fixture.enter();
  const { page } = visitor;
  const calls = recordCalls(page);
  await page.goto('/');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Buy & Sell Ad Space In Minutes');
  expect(pathOf(page)).toBe('/');
  await page.getByRole('button', { name: 'Filter' }).waitFor();
  await afterPendingRequests(page);
  expect(calls).toEqual([]);
  expect(await page.locator('[data-variant]').count()).toBe(0);
  assertNoErrors(visitor);
  await leave(page);
});

it('the demo page follows an ad from its request to its one counted view, and says why a repeated one is not', async () => {
  const visitor = await fixture.enter();
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('link', { name: 'Demo' }).click();
  const receipt = page.getByRole('region', { name: 'Watch a view being counted' });
  const done = () => receipt.getByText('(done)').count();
  await receipt.waitFor();
  expect(await done()).toBe(0);
  const again = receipt.getByRole('button', { name: 'Report it again' });
  await receipt.getByRole('list', { name: 'What happened to this ad' }).scrollIntoViewIfNeeded();
  await receipt.getByText('Counted once').waitFor();
  expect(await done()).toBe(5);
  await again.click();
  await receipt.getByText('Not counted: The same view or click had already been reported.').waitFor();
  await again.click();
  await receipt.getByText('Not counted, 2 times').waitFor();
  // After a reload the page asks for a new ad, whose view is a new one.
  await receipt.getByRole('button', { name: 'Reload the page' }).click();
  await receipt.getByText('Not counted').waitFor({ state: 'detached' });
  await receipt.getByRole('list', { name: 'What happened to this ad' }).scrollIntoViewIfNeeded();
  await receipt.getByText('Counted once').waitFor();
  assertNoErrors(visitor);
  await leave(page);
});

it('a page without a session believes its document: it logs no error, starts no worker, loads no schema and does not ask who the user is', async () => {
  const visitor = await fixture.enter();
  const { page } = visitor;
  for (const path of ['/', '/demo', '/auth', '/auth?tab=signup']) {
    page.removeAllListeners('console');
    page.removeAllListeners('request');
    const said: string[] = [];
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    const calls = recordCalls(page);
    const schemas: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/assets/schemas-') && schemas.push(request.url()),
    );
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await page.goto(path, { waitUntil: 'networkidle' });
    await afterPendingRequests(page);
    expect([path, calls.filter((call) => !call.startsWith('GET /api/serve/'))]).toEqual([path, []]);
    expect([path, workers]).toEqual([path, []]);
    expect([path, schemas]).toEqual([path, []]);
    expect([path, said]).toEqual([path, []]);
  }
  assertNoErrors(visitor);
  await leave(page);
});

describe('a visitor without scripts', () => {
  it('can read the landing and demo page, and a link to the application says that it needs JavaScript', async () => {
    const page = await html('/');
    expect(page).toContain('Buy &amp; Sell Ad Space In Minutes</h1>');
    expect(page.match(/data-testid="feature-card"/g)).toHaveLength(6);
    expect(page.match(/data-testid="sample-site"/g)).toHaveLength(3);
    expect(page).toContain('© 2006 - 2025');
    expect(page.toLowerCase()).toContain(
      'the modern marketplace for buying and selling ad space, connecting publishers and advertisers worldwide',
    );
    expect(await html('/demo')).toContain('What an open ad zone looks like</h1>');

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
      '/favicon.ico',
      '/ads.txt',
      '/ad-archive',
      '/sites',
      '/sites?category=Food',
      '/sites/tea.example',
      '/sitemaps/pages.xml',
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

  it('find exactly the public pages in the sitemap', async () => {
    const index = (await read('/sitemap.xml')).body.toString();
    // There is no verified website, so no sitemap of websites.
    expect(index.match(/<loc>/g)).toHaveLength(1);
    expect(index).toContain(`<loc>${fixture.server.url}/sitemaps/pages.xml</loc>`);
    const { headers, body } = await read('/sitemaps/pages.xml');
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
      addresses: [...PUBLIC, '/ad-archive', '/global-privacy-control', '/sites'].map(
        (path) => fixture.server.url + path,
      ),
    });
    await leave(page);
  });
});

describe('an unknown address', () => {
  const DOCUMENT = '<div id="root">';

  it("is answered with the application's page and status 404, to visitors and users", async () => {
    const { cookie } = await fixture.server.signIn('both');
    for (const headers of [{}, { cookie }] as Record<string, string>[]) {
      for (const path of ['/no-such-page', '/dashboard/x', '/checkout', '/demo/x', '/zones']) {
        const answer = await read(path, headers);
        expect([path, answer.status, answer.body.toString().includes(DOCUMENT)]).toEqual([path, 404, true]);
        // A browser that has the page receives it again with its status.
        const again = await read(path, { ...headers, 'if-none-match': String(answer.headers.etag) });
        expect([path, again.status]).toEqual([path, 404]);
      }
      for (const path of [
        '/',
        '/settings?tab=security',
        '/Dashboard',
        '/marketplace/',
        '/checkout/x.y',
        '/ledger/1',
      ])
        expect([path, (await read(path, headers)).status]).toEqual([path, 200]);
      expect((await read('/no-such-file.ico', headers)).body.toString()).toBe('{"message":"Not found"}');
    }
  });
});

it('browsers find the icon that they request unasked', async () => {
  const icon = await read('/favicon.ico');
  expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/vnd.microsoft.icon']);
  // The header of an icon file with one image, which is a PNG of 48 pixels.
  expect([...icon.body.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 48, 48]);
  expect(await sharp(icon.body.subarray(22)).metadata()).toMatchObject({
    format: 'png',
    width: 48,
    height: 48,
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
