import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd, makeWebsite } from '../server/testing/story.ts';
import { signIn } from './support/forms.ts';
import { answer, enterAs, recordCalls, afterPendingRequests, toastTitled } from './support/people.ts';
import { openFixture, type Fixture } from './support/fixture.ts';
import { leave, type Person } from './support/person.ts';
import { walkToScreen } from './support/screens.ts';

let fixture: Fixture;
/** A person whose page has a clock that can be moved. It stays open from test to test, because a load takes long. */
let person: Person & { client: Client };
let page: Page;
let logged: string[];
/** A visitor who signs in later. */
let guest: Person;
let first: Client;

beforeAll(async () => {
  fixture = await openFixture();
  person = await enterAs(fixture, 'buyer');
  page = person.page;
  await page.clock.install();
  logged = recordErrors(page);
});
afterAll(async () => {
  await fixture.close();
});

/** The errors in the page's console. */
function recordErrors(shown: Page): string[] {
  const errors: string[] = [];
  shown.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

function callOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}

// Proves ERR-11
it('ResizeObserver errors are ignored, and all other errors are reported', async () => {
  // A page without the clock of the tests, which would catch the errors of its timers.
  const { page, errors } = await enterAs(fixture, 'both');
  const logged = recordErrors(page);
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

// Proves API-01, API-02, API-03
it('every API call sends the session cookie, and the JSON content type only with a body', async () => {
  const { client } = person;
  const { website, zone, ad } = await makeLiveAd(await fixture.server.signIn('seller'), client);
  const requests: Request[] = [];
  // Only finished requests: Chromium no longer knows the headers of a request that the next page canceled.
  page.on('requestfinished', (request) => {
    if (callOf(request).includes(' /api/')) requests.push(request);
  });
  await page.goto('/settings');
  await page.getByLabel('First name').fill('Anna');
  await page.getByLabel('Last name').focus();
  await page.getByLabel('Timezone').selectOption('Tokyo');
  await page.getByLabel('Role').selectOption('Both');
  await toastTitled(page, 'Role Updated').waitFor();
  await toastTitled(page, 'Settings Updated').waitFor();
  await toastTitled(page, 'Profile Updated').waitFor();
  for (const path of [
    '/',
    '/dashboard',
    '/marketplace',
    '/ad-zones',
    '/transactions',
    `/checkout/${ad.publicId}`,
    `/create-ad?website=${website.publicId}&zone=${zone.publicId}`,
  ]) {
    await walkToScreen(page, { name: path, path });
    await afterPendingRequests(page);
  }

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
});

// Proves API-05, ERR-10
it('a list that fails is requested once and logged, and neither time nor focus requests it again', async () => {
  await answer(page, '/api/websites*', { status: 500, json: { message: 'M1' } });
  const calls = recordCalls(page);
  const asked = () => calls.filter((call) => call === 'GET /api/websites').length;
  // A load, because the list of the test before is still known.
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
});

// Proves ERR-10, ERR-19, API-04
it('a list that answers 401 is logged, and the user is redirected to /auth', async () => {
  await answer(page, '/api/websites/my', { status: 401, json: { message: 'Unauthorized' } });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }).click();
  await toastTitled(page, 'Unauthorized').filter({ hasText: 'You are logged out.' }).waitFor();
  await page.waitForURL('/auth');
  expect(logged.filter((line) => /lost.*\/api\/websites\/my.*401: Unauthorized/s.test(line))).toHaveLength(1);
  await page.unrouteAll();
});

// Proves API-07, API-08, API-09, CONST-10
it('the dashboard polls every 10 s while its tab is visible', async () => {
  const figures = [
    'GET /api/analytics/earnings',
    'GET /api/analytics/active-ad-zones',
    'GET /api/ads/pending',
  ];
  const answered = () => Promise.all(figures.map((figure) => page.waitForResponse(`**${figure.slice(4)}`)));
  const loaded = answered();
  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Seller Dashboard' }).click();
  await loaded;
  // Stop the page's clock, so that its time moves only by `runFor`.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5000);
  await afterPendingRequests(page);

  const calls = recordCalls(page);
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
    const answers = answered();
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
});

// Proves API-06, API-07, STATE-13, CONST-11
it('the current user is not requested for a visitor, and after the sign-in only every 5 minutes', async () => {
  first = await fixture.server.signIn('both');
  guest = await fixture.enter();
  await guest.page.clock.install();
  const calls = recordCalls(guest.page);
  const asked = () => calls.filter((call) => call === 'GET /api/auth/user').length;
  await guest.page.goto('/');
  await guest.page.clock.fastForward('20:00');
  await guest.page.getByRole('link', { name: 'Login' }).click();
  await guest.page.getByRole('tab', { name: 'Sign In' }).waitFor();
  await afterPendingRequests(guest.page);
  expect(calls).toEqual([]);

  await signIn(guest.page, first.user.email);
  await guest.page.getByText('Welcome back, Ann!').waitFor();
  const navigation = guest.page.getByRole('navigation', { name: 'Main' });
  await guest.page.clock.fastForward('04:30');
  await navigation.getByRole('link', { name: 'Demo' }).click();
  await guest.page.waitForURL('/demo');
  await navigation.getByRole('link', { name: 'Dashboard' }).click();
  await guest.page.waitForURL('/dashboard');
  await guest.page.getByRole('heading', { level: 1 }).waitFor();
  await afterPendingRequests(guest.page);
  expect(asked()).toBe(0);
  await guest.page.clock.fastForward('00:40');
  await guest.page.getByRole('link', { name: 'Openslot, home' }).first().click();
  await guest.page.getByText('Welcome back').waitFor();
  await expect.poll(asked).toBe(1);
});

// Proves STATE-14, STATE-18
it('a user who signs in after another user in the same tab sees nothing of the first one', async () => {
  const { page } = guest;
  await makeWebsite(first, { name: 'The site of the first' });
  await fixture.server.signIn('both', { email: 'second@example.test' });
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Ad Zones' }).click();
  await page.getByText('The site of the first').first().waitFor();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('/');

  await page.getByRole('link', { name: 'Login' }).click();
  await signIn(page, 'second@example.test');
  await page.getByText('Welcome back, Ann!').waitFor();
  await navigation.getByRole('link', { name: 'Ad Zones' }).click();
  await page.getByRole('button', { name: 'Add Your First Website' }).waitFor();
  expect(await page.getByText('The site of the first').count()).toBe(0);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menu').getByText('second@example.test').waitFor();
  expect(await page.getByText(first.user.email).count()).toBe(0);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  await leave(page);
});
