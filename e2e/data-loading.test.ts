import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLiveAd, makeWebsite } from '../server/testing/story.ts';
import { signIn } from './support/forms.ts';
import { answer, enterAs, recordCalls, settled, toastTitled } from './support/people.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
});

function callOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}

it('API-01 API-02 API-03 every call of every page carries the session, and JSON only where there is a body', async () => {
  const { page, context, client } = await enterAs(stage, 'both');
  const { website, zone, ad } = await makeLiveAd(client, await stage.server.signIn('buyer'));
  const requests: Request[] = [];
  // Finished, because one cut by the next page has lost its headers.
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
    await settled(page);
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
  await context.close();
});

it('API-05 ERR-10 a failing list is asked for once and logged; neither time nor focus ask again', async () => {
  const { page, context } = await enterAs(stage, 'both');
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
    // Coming back to the tab is what the query client takes for focus.
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await page.clock.fastForward(30_000);
  await settled(page);
  expect(asked()).toBe(1);

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(asked).toBe(2);
  await context.close();
});

it('ERR-10 ERR-19 API-04 a list that is answered 401 is logged, and leads to sign in', async () => {
  const { page, context } = await enterAs(stage, 'both');
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  await answer(page, '/api/websites*', { status: 401, json: { message: 'Unauthorized' } });
  await page.goto('/marketplace');
  await toastTitled(page, 'Unauthorized').filter({ hasText: 'You are logged out.' }).waitFor();
  await page.waitForURL('/auth');
  expect(logged.filter((line) => /lost.*\/api\/websites.*401: Unauthorized/s.test(line))).toHaveLength(1);
  await context.close();
});

it('API-06 CONST-11 the current user is asked again after 5 minutes only', async () => {
  const { page } = await enterAs(stage, 'both');
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
  await page.context().close();
});

it('API-07 API-08 API-09 CONST-10 the dashboard is polled every 10 s while it is seen', async () => {
  const { page, context } = await enterAs(stage, 'both');
  await page.clock.install();
  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Seller Dashboard' }).click();
  await page.getByText('$0.00', { exact: true }).first().waitFor();
  await settled(page);
  // Behind the page's real time, so that only what is told to pass passes.
  await page.clock.pauseAt(Date.now() + 5000);
  await settled(page);

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
    await settled(page);
  };

  for (const round of [1, 2, 3]) {
    // Answered, because what is still under way is not asked for again.
    const answers = Promise.all(figures.map((figure) => page.waitForResponse(`**${figure.slice(4)}`)));
    await page.clock.runFor(10_000);
    await answers;
    await settled(page);
    expect(asked()).toEqual([round, round, round]);
  }
  await show('hidden');
  await page.clock.runFor(30_000);
  await settled(page);
  expect(asked()).toEqual([3, 3, 3]);
  await show('visible');
  expect(asked()).toEqual([4, 4, 4]);
  await context.close();
});

it('API-07 STATE-13 a visitor is asked nothing about, however long they stay; after signing in the user is', async () => {
  await stage.server.signIn('both', { email: 'late@example.test' });
  const { page, context } = await stage.enter();
  await page.clock.install();
  const calls = recordCalls(page);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.fastForward('20:00');
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByRole('tab', { name: 'Sign In' }).waitFor();
  await settled(page);
  expect(calls).toEqual(['GET /api/auth/user']);

  await signIn(page, 'late@example.test');
  await page.getByText('Welcome back, Ann!').waitFor();
  await page.clock.fastForward('05:10');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect.poll(() => calls.filter((call) => call === 'GET /api/auth/user').length).toBe(2);
  await context.close();
});

it('STATE-14 STATE-18 whoever signs in after another in the same tab sees nothing of them', async () => {
  const { page, context, client } = await enterAs(stage, 'both');
  await makeWebsite(client, { name: 'The site of the first' });
  await stage.server.signIn('both', { email: 'second@example.test' });
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
  await context.close();
});

it('ERR-11 harmless errors stay quiet, and only they', async () => {
  const { page, context, errors } = await enterAs(stage, 'both');
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
  await context.close();
});
