import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { afterPendingRequests, enterAs, toastTitled } from './support/people.ts';
import { leave } from './support/person.ts';
import { walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

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
