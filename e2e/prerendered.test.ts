/** The prerendered pages, from the server's HTML to the running application. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hydrated } from './support/hydrated.ts';
import {
  afterPendingRequests,
  assertNoErrors,
  enterAs,
  hold,
  recordCalls,
  toastTitled,
} from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave } from './support/person.ts';
import { PUBLIC, rawPagesOf } from './support/raw-page.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture({ motion: true });
});
afterAll(async () => {
  await fixture.close();
});

const { read, html } = rawPagesOf(() => fixture);

describe('the prerendered landing page', () => {
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
      // Before that, a click on Filter would submit the form to the server.
      await hydrated(page, path === '/' ? 'main form' : 'main');
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
      await afterPendingRequests(page);
      expect(await saying(page).count()).toBe(0);
      expect(said).toEqual([]);
      // The next page does not load the style sheet again.
      await page.getByRole('link', { name: 'Login' }).click();
      await page.getByRole('tab', { name: 'Sign In' }).waitFor();
      expect(sheets).toEqual([]);
      assertNoErrors(visitor);
      await leave(page);
    }
  });

  // Proves ACC-15
  it('is never sent to signed-in users', async () => {
    const person = await enterAs(fixture, 'both');
    const sent = await html('/', { cookie: person.client.cookie });
    expect(sent).not.toContain('Buy &amp; Sell');
    expect(sent).toContain('Loading your account');
    const release = await hold(person.page, '/api/auth/user');
    await person.page.goto('/', { waitUntil: 'commit' });
    await saying(person.page).waitFor();
    expect(await person.page.getByText('Ad Space In Minutes').count()).toBe(0);
    release();
    await person.page.getByText('Welcome back, Ann!').waitFor();
    await leave(person.page);
  });

  // Proves ACC-15
  it('is for users the frame of their page, which is shown before any script, and one call says who they are', async () => {
    const person = await enterAs(fixture, 'both');
    const { page } = person;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/user')) asked.push(request.method());
    });
    const release = await holdScripts(page);
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await saying(page).getByText('Loading your account').waitFor();
    expect(await page.getByRole('banner').isVisible()).toBe(true);
    release();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(asked).toEqual(['GET']);
    assertNoErrors(person);
    await leave(page);
  });

  it('is shown when the session has ended, and replaced by Home after a sign-in elsewhere, also by the back button', async () => {
    const person = await enterAs(fixture, 'buyer');
    await fixture.server.app.pool.query(`delete from sessions where (sess->>'userId')::int = $1`, [
      person.client.user.id,
    ]);
    const calls = recordCalls(person.page);
    await person.page.goto('/');
    await person.page.getByRole('heading', { level: 1, name: 'Buy & Sell Ad Space In Minutes' }).waitFor();
    await afterPendingRequests(person.page);
    expect(calls).toEqual([]);
    expect(await person.page.locator('[data-variant]').count()).toBe(0);
    assertNoErrors(person);

    // The user signs in elsewhere, and this page goes back to a document that says that there is no session.
    await person.page.goto('about:blank');
    const other = await fixture.server.signIn('buyer');
    const [name = '', value = ''] = other.cookie.split(/=(.*)/s);
    await person.context.addCookies([{ name, value, url: fixture.server.url }]);
    await person.page.goBack();
    await person.page.getByText('Welcome back, Ann!').waitFor();
    assertNoErrors(person);
    await leave(person.page);
  });

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
    expect(users.headers['content-security-policy']).toMatch(/style-src 'sha256-[^']+' 'self';/);
    expect(users.headers['content-security-policy']).not.toMatch(/script-src 'sha256-/);
    expect((await read('/', { 'if-none-match': etag, cookie })).status).toBe(200);
  });

  it('loads its files without a look at the session', async () => {
    const client = await fixture.server.signIn('seller');
    const [file] = /\/assets\/[^"]+\.js/.exec(await html('/')) ?? [''];
    const { owner } = fixture.server;
    await sql`alter table sessions rename to sessions_elsewhere`.execute(owner);
    try {
      expect((await client.get('/api/auth/user')).status).toBe(500);
      expect((await read(file, { cookie: client.cookie })).status).toBe(200);
      expect((await read('/assets/missing.js', { cookie: client.cookie })).status).toBe(404);
    } finally {
      await sql`alter table sessions_elsewhere rename to sessions`.execute(owner);
    }
    expect((await client.get('/api/auth/user')).status).toBe(200);
  });

  it('finds every file of the build, of whatever type', async () => {
    const files = await readdir(path.resolve(import.meta.dirname, '../dist/web/static/assets'));
    const names = files.filter((name) => !/\.(br|gz)$/.test(name));
    expect(names.length).toBeGreaterThan(40);
    const missing = [];
    for (const name of names) if ((await read(`/assets/${name}`)).status !== 200) missing.push(name);
    expect(missing).toEqual([]);
  });

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
    // A submit before the scripts have arrived must not put the password into the address.
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

  it('is sent without its form where the query, the history entry or the session decide what it shows', async () => {
    expect(await html('/auth')).toContain('Welcome back</h1>');
    const { cookie } = await fixture.server.signIn('both');
    for (const sent of [await html('/auth?tab=signup'), await html('/auth?verify=token')])
      expect(sent).toContain('<div id="root"></div>');
    const toUser = await html('/auth', { cookie });
    expect([toUser.includes('Welcome back</h1>'), toUser.includes('Loading your account')]).toEqual([
      false,
      true,
    ]);

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
  it('start after its first paint, and make no formatter of figures, dates or names before the page shows one; those of other pages are in their document', async () => {
    const scriptsIn = async (path: string) =>
      (await html(path)).match(/<script type="module"|<link rel="modulepreload"/g)?.length ?? 0;
    expect(await scriptsIn('/auth?tab=signup')).toBeGreaterThan(3);
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
      expect([path, await scriptsIn(path)]).toEqual([path, 0]);
      await gotoAndStart(page, path);
      const { made, painted, started } = await page.evaluate(() => ({
        made: Reflect.get(window, 'made') as string[],
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
        started: performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .map(({ startTime }) => startTime),
      }));
      expect([path, made]).toEqual([path, []]);
      expect([path, started.length]).not.toEqual([path, 0]);
      expect([path, started.filter((time) => time < painted)]).toEqual([path, []]);
    }
    await context.close();
  });

  it('start without a paint too, as in a browser that hides its time', async () => {
    const { page, context } = await fixture.enter();
    await page.addInitScript(() => Reflect.deleteProperty(window, 'PerformanceObserver'));
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send Reset Code' }).waitFor();
    await context.close();
  });
});

/** Opens a page for visitors and waits until the application has started. */
async function gotoAndStart(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page, 'main');
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
