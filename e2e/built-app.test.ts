/** The built application in a browser: how its files load, what it sends, and what it does after an error. */
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { focused } from './support/keyboard.ts';
import { afterPendingRequests, answer, enterAs, hold, stopClock, toastTitled } from './support/people.ts';
import { leave } from './support/person.ts';
import { waitForAnimations, walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

it('a page shows its content as soon as its code and its user have arrived, without waiting for a timer', async () => {
  const { page } = await suite.enter('both');
  // After a Suspense fallback, React would show the content only when a timer has passed.
  await stopClock(page);
  await page.goto('/transactions');
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
});

it('a spinner stands in for a page until its code arrives, and a page whose code does not arrive offers to refresh', async () => {
  const { page } = await suite.enter('buyer');
  await page.goto('/transactions');
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
  const links = page.getByRole('navigation', { name: 'Main' });
  const release = await hold(page, '/assets/marketplace-*.js');
  await links.getByRole('link', { name: 'Marketplace' }).click();
  const spinner = page.getByRole('main').getByText('Loading', { exact: true });
  await spinner.waitFor();
  release();
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
  await spinner.waitFor({ state: 'detached' });

  await answer(page, '/assets/settings-*.js', null);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Refresh Page' }).waitFor();
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
  // The page throws, which the suite would report.
  const { page, errors } = await enterAs(suite.fixture, 'both');
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
  const { page, client } = await suite.enter('buyer');
  const { website, zone, ad } = await makeLiveAd(await suite.client('seller'), client);
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
    await walkToScreen(page, path);
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

// Proves ERR-15
it('a swipe of 60 px to the right dismisses a toast, and one of 30 px does not', async () => {
  const { page } = await suite.enter('both');
  // The end of a swipe is an animation.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/settings?tab=notifications');
  const shown = () => page.locator('[data-variant][data-state=open]');
  await page.getByRole('switch', { name: 'Marketing emails' }).click();
  await shown().waitFor();
  // Wait for the end of its animation, so that the toast does not move under the pointer.
  await shown().evaluate(
    async (element) => await Promise.all(element.getAnimations().map((one) => one.finished)),
  );
  const swipe = async (distance: number) => {
    const box = await shown().boundingBox();
    if (!box) throw new Error('There is no toast to swipe');
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance / 2, y, { steps: 3 });
    await page.mouse.move(x + distance, y, { steps: 3 });
    await page.mouse.up();
  };
  await swipe(30);
  expect(await shown().count()).toBe(1);
  await swipe(60);
  await expect.poll(() => shown().count()).toBe(0);
});

// Proves ERR-01
it('an error while rendering shows an error page, and Refresh Page brings the application back', async () => {
  // The page throws, which the suite would report.
  const { page } = await enterAs(suite.fixture, 'both');
  // A name of the wrong type makes React throw.
  await answer(page, '/api/auth/user', { json: { id: 1, email: 'a@x.test', firstName: { no: 'text' } } });
  await page.goto('/');
  await page
    .getByText('Something went wrong. Please refresh the page to try again.', { exact: true })
    .waitFor();
  expect(await page.getByRole('banner').count()).toBe(0);
  const details = page.locator('details');
  expect(await details.getAttribute('open')).toBeNull();
  await details.locator('summary').click();
  expect(await details.locator('pre').isVisible()).toBe(true);
  expect(await details.innerText()).toMatch(/\w+/);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await page.getByText('Welcome back').waitFor();
  await leave(page);
});

const tagOfFocus = (shown: Page) => shown.evaluate(() => document.activeElement?.tagName ?? '');

it('a visitor who is redirected while the page loads sees no focus ring, and one who presses a key does', async () => {
  const visitor = await suite.fixture.enter();
  await visitor.page.goto('/settings');
  await visitor.page.waitForURL('/auth');
  await expect.poll(() => tagOfFocus(visitor.page)).toBe('H1');
  expect((await focused(visitor.page))?.ring).toBe(false);
  await visitor.page.keyboard.press('Tab');
  expect(await focused(visitor.page)).toMatchObject({ role: 'tab', ring: true });
  await leave(visitor.page);
});

it('the heading of the sign-in page gets the focus even when its script arrives late', async () => {
  const visitor = await suite.fixture.enter();
  await visitor.page.goto('/');
  await waitForAnimations(visitor.page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await visitor.page.route('**/assets/auth-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await visitor.page.getByRole('link', { name: 'Login' }).focus();
  await visitor.page.keyboard.press('Enter');
  await visitor.page.waitForURL('/auth');
  release();
  await visitor.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await expect.poll(() => tagOfFocus(visitor.page)).toBe('H1');
  await leave(visitor.page);
});

// Proves STATE-26, AUTH-02
it('the prerendered sign-in page follows the referral of the browser, and forgets one that is older than a day', async () => {
  const visitor = await suite.fixture.enter();
  const { page } = visitor;
  const remember = async (age: number) => {
    // A page of the same site without scripts.
    await page.goto('/robots.txt');
    await page.evaluate((timestamp) => {
      localStorage.setItem('campaign-referral', JSON.stringify({ website: 'W', zone: 'Z', timestamp }));
    }, Date.now() - age);
    await page.goto('/auth');
  };
  await remember(HOUR_MS);
  await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
  expect(await page.getByText('Welcome, advertiser').isVisible()).toBe(true);
  await remember(25 * HOUR_MS);
  // The page is prerendered with this tab. Its application removes the referral.
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('campaign-referral'))).toBeNull();
  expect(await page.getByText('Welcome, advertiser').count()).toBe(0);
  await leave(page);
});
