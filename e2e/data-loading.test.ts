import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLiveAd, makeWebsite } from '../server/testing/story.ts';
import { signIn } from './support/forms.ts';
import { answer, enterAs, recordCalls, afterPendingRequests, toastTitled } from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave } from './support/person.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(async () => {
  await fixture.close();
});

function callOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}

// Proves API-01, API-02, API-03
it('every API call sends the session cookie, and the JSON content type only with a body', async () => {
  const { page, client } = await enterAs(fixture, 'both');
  const { website, zone, ad } = await makeLiveAd(client, await fixture.server.signIn('buyer'));
  const requests: Request[] = [];
  // Only finished requests: Chromium no longer knows the headers of a request that the next page canceled.
  page.on('requestfinished', (request) => {
    if (callOf(request).includes(' /api/')) requests.push(request);
  });
  for (const path of [
    '/',
    '/dashboard',
    '/marketplace',
    '/ad-zones',
    '/transactions',
    `/checkout/${ad.publicId}`,
    `/create-ad?website=${website.publicId}&zone=${zone.publicId}`,
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await afterPendingRequests(page);
  }
  await page.goto('/settings');
  await page.getByLabel('First name').fill('Anna');
  await page.getByLabel('Last name').focus();
  await page.getByLabel('Timezone').selectOption('Tokyo');
  await page.getByLabel('Role').selectOption('Ad Buyer');
  await toastTitled(page, 'Role Updated').waitFor();
  await toastTitled(page, 'Settings Updated').waitFor();
  await toastTitled(page, 'Profile Updated').waitFor();

  const sent = await Promise.all(
    requests.map(async (request) => {
      const { cookie, 'content-type': type } = await request.allHeaders();
      return { call: callOf(request), cookie, type, body: request.postData() };
    }),
  );
  expect(sent.filter(({ cookie }) => !cookie?.includes(client.cookie))).toEqual([]);
  expect(sent.filter(({ type, body }) => type !== (body ? 'application/json' : undefined))).toEqual([]);
  expect(sent.map(({ call }) => call)).toEqual(
    expect.arrayContaining([
      `GET /api/websites/${website.publicId}/ad-zones`,
      'GET /api/websites',
      'GET /api/websites/my',
      'GET /api/analytics/transactions',
      'PATCH /api/user/profile',
      'PATCH /api/user/settings',
      'PATCH /api/user/role',
    ]),
  );
  await leave(page);
});

// Proves API-05, ERR-10
it('a list that fails is requested once and logged, and neither time nor focus requests it again', async () => {
  const { page } = await enterAs(fixture, 'both');
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  await page.clock.install();
  await answer(page, '/api/websites*', { status: 500, json: { message: 'M1' } });
  const calls = recordCalls(page);
  const asked = () => calls.filter((call) => call === 'GET /api/websites').length;
  await page.goto('/marketplace');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await expect.poll(() => logged.filter((line) => line.includes('Loading failed')).length).toBe(1);
  await page.evaluate(() => {
    for (const event of ['blur', 'focus', 'offline', 'online']) window.dispatchEvent(new Event(event));
    // The query client refetches on this event, which a browser sends when the user returns to the tab.
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await page.clock.fastForward(30_000);
  await afterPendingRequests(page);
  expect(asked()).toBe(1);

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(asked).toBe(2);
  await leave(page);
});

// Proves ERR-10, ERR-19, API-04
it('a list that answers 401 is logged, and the user is redirected to /auth', async () => {
  const { page } = await enterAs(fixture, 'both');
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  await answer(page, '/api/websites*', { status: 401, json: { message: 'Unauthorized' } });
  await page.goto('/marketplace');
  await toastTitled(page, 'Unauthorized').filter({ hasText: 'You are logged out.' }).waitFor();
  await page.waitForURL('/auth');
  expect(logged.filter((line) => /lost.*\/api\/websites.*401: Unauthorized/s.test(line))).toHaveLength(1);
  await leave(page);
});

// Proves API-06, CONST-11
it('the current user is requested again only after 5 minutes', async () => {
  const { page } = await enterAs(fixture, 'both');
  await page.clock.install();
  const calls = recordCalls(page);
  const asked = () => calls.filter((call) => call === 'GET /api/auth/user').length;
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const go = async (name: string, path: string) => {
    await navigation.getByRole('link', { name }).click();
    await page.waitForURL(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await go('Demo', '/demo');
  await page.clock.fastForward('04:30');
  await go('Dashboard', '/dashboard');
  expect(asked()).toBe(1);
  await page.clock.fastForward('00:40');
  await page.getByRole('link', { name: 'Openslot, home' }).first().click();
  await page.getByText('Welcome back').waitFor();
  await expect.poll(asked).toBe(2);
  await leave(page);
});

// Proves API-07, API-08, API-09, CONST-10
it('the dashboard polls every 10 s while its tab is visible', async () => {
  const { page } = await enterAs(fixture, 'both');
  await page.clock.install();
  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Seller Dashboard' }).click();
  await page.getByText('$0.00', { exact: true }).first().waitFor();
  await afterPendingRequests(page);
  // Stop the page's clock, so that its time moves only by `runFor`.
  await page.clock.pauseAt(Date.now() + 5000);
  await afterPendingRequests(page);

  const calls = recordCalls(page);
  const figures = [
    'GET /api/analytics/earnings',
    'GET /api/analytics/active-ad-zones',
    'GET /api/ads/pending',
  ];
  const asked = () => figures.map((figure) => calls.filter((call) => call === figure).length);
  const show = async (state: 'hidden' | 'visible') => {
    await page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, state);
    await afterPendingRequests(page);
  };

  for (const round of [1, 2, 3]) {
    // Wait for the answers, because the page does not poll a call that is still pending.
    const answers = Promise.all(figures.map((figure) => page.waitForResponse(`**${figure.slice(4)}`)));
    await page.clock.runFor(10_000);
    await answers;
    await afterPendingRequests(page);
    expect(asked()).toEqual([round, round, round]);
  }
  await show('hidden');
  await page.clock.runFor(30_000);
  await afterPendingRequests(page);
  expect(asked()).toEqual([3, 3, 3]);
  await show('visible');
  expect(asked()).toEqual([4, 4, 4]);
  await leave(page);
});

// Proves API-07, STATE-13
it('the current user is requested once for a visitor, and again every 5 minutes after the sign-in', async () => {
  await fixture.server.signIn('both', { email: 'late@example.test' });
  const { page } = await fixture.enter();
  await page.clock.install();
  const calls = recordCalls(page);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.fastForward('20:00');
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByRole('tab', { name: 'Sign In' }).waitFor();
  await afterPendingRequests(page);
  expect(calls).toEqual(['GET /api/auth/user']);

  await signIn(page, 'late@example.test');
  await page.getByText('Welcome back, Ann!').waitFor();
  await page.clock.fastForward('05:10');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect.poll(() => calls.filter((call) => call === 'GET /api/auth/user').length).toBe(2);
  await leave(page);
});

// Proves STATE-14, STATE-18
it('a user who signs in after another user in the same tab sees nothing of the first one', async () => {
  const { page, client } = await enterAs(fixture, 'both');
  await makeWebsite(client, { name: 'The site of the first' });
  await fixture.server.signIn('both', { email: 'second@example.test' });
  await page.goto('/ad-zones');
  await page.getByText('The site of the first').first().waitFor();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('/');
  expect((await client.get('/api/auth/user')).status).toBe(401);

  await page.getByRole('link', { name: 'Login' }).click();
  await signIn(page, 'second@example.test');
  await page.getByText('Welcome back, Ann!').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }).click();
  await page.getByRole('button', { name: 'Add Your First Website' }).waitFor();
  expect(await page.getByText('The site of the first').count()).toBe(0);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menu').getByText('second@example.test').waitFor();
  expect(await page.getByText(client.user.email).count()).toBe(0);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  await leave(page);
});

// Proves ERR-11
it('ResizeObserver errors are ignored, and all other errors are reported', async () => {
  const { page, errors } = await enterAs(fixture, 'both');
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const raise = async (message: string) => {
    await page.evaluate((text) => {
      setTimeout(() => {
        throw new Error(text);
      });
      void Promise.reject(new Error(text));
    }, message);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  };
  await raise('ResizeObserver loop limit exceeded');
  expect(errors).toEqual([]);
  expect(logged).toEqual([]);
  expect(await page.locator('[data-variant]').count()).toBe(0);
  expect(await page.getByText('Something went wrong').count()).toBe(0);

  await raise('A real fault');
  await expect.poll(() => errors.length).toBe(2);
  await leave(page);
});
