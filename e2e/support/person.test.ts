import { expect, it } from 'vitest';
import { leaveBrowser } from './browser.ts';
import { createEntrance, leave } from './person.ts';
import { useFixture } from './use-fixture.ts';

const suite = useFixture();

it('the next person gets the same page, without anything of the person before', async () => {
  const { fixture } = suite;
  const { page, context } = await fixture.enter({ width: 375 });
  let calls = 0;
  page.on('request', () => calls++);
  await page.goto('/auth');
  await page.route('**/robots.txt', async (route) => await route.fulfill({ body: 'mine' }));
  await context.addCookies([{ name: 'mine', value: '1', url: fixture.server.url }]);
  await page.evaluate(() => {
    localStorage.setItem('mine', '1');
    sessionStorage.setItem('mine', '1');
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await context.newPage();
  await leave(page);

  const next = await fixture.enter();
  calls = 0;
  expect(next.page).toBe(page);
  await next.page.goto('/robots.txt');
  expect(await next.page.textContent('body')).not.toBe('mine');
  expect(calls).toBe(0);
  expect(await next.context.cookies()).toEqual([]);
  expect(next.context.pages()).toEqual([page]);
  const left = await next.page.evaluate(() => [
    localStorage.length,
    sessionStorage.length,
    matchMedia('(prefers-color-scheme: dark)').matches,
    innerWidth,
  ]);
  expect(left).toEqual([0, 0, false, 1280]);
});

it('a page with a script or a clock of the person before is closed, and the next person gets a new one', async () => {
  const { fixture } = suite;
  const first = await fixture.enter();
  await first.page.clock.install();
  await leave(first.page);
  const second = await fixture.enter();
  await second.page.addInitScript(() => {});
  await leave(second.page);
  const third = await fixture.enter();
  expect([first.page.isClosed(), second.page.isClosed()]).toEqual([true, true]);
  expect(third.page.isClosed()).toBe(false);
});

it('a free page is given to the next file with an empty cache, and a page in use is closed', async () => {
  const { browser, enter, server } = suite.fixture;
  const [used, left] = [await enter(), await enter()];
  // Browsers may keep this file for an hour.
  const readList = async () => {
    await left.page.goto('/sellers.json');
    return await left.page.evaluate(() => {
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return (load?.transferSize ?? 0) > 0;
    });
  };
  expect(await readList()).toBe(true);
  await left.page.goto('/robots.txt');
  expect(await readList()).toBe(false);
  await leave(left.page);
  await leaveBrowser(browser);
  expect([used.page.isClosed(), left.page.isClosed()]).toEqual([true, false]);

  const next = await createEntrance(browser, server.url)();
  expect(next.page).toBe(left.page);
  expect(await readList()).toBe(true);
});
