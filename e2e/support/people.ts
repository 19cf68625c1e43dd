import type { Page, Route } from 'playwright-core';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import type { Fixture } from './fixture.ts';
import type { Person } from './person.ts';

/** Signs a new person in and opens a browser with the session. `client` is an API client with the same session. */
export async function enterAs(
  fixture: Fixture,
  role: Role,
  options: { width?: number; names?: { email?: string; firstName?: string; lastName?: string } } = {},
): Promise<Person & { client: Client }> {
  const client = await fixture.server.signIn(role, options.names);
  const person = await fixture.enter(options);
  const [name = '', value = ''] = client.cookie.split(/=(.*)/s);
  await person.context.addCookies([{ name, value, url: fixture.server.url }]);
  return { ...person, client };
}

/** Every request to the API that the page makes, as 'METHOD /path body'. Uploaded files are left out. */
export function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const body = pathname.startsWith('/api/uploads/') ? '' : (request.postData() ?? '');
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname} ${body}`.trim());
  });
  return calls;
}

/** Fails when a page of this person threw an error. Call it in a hook. */
export function assertNoErrors({ errors }: Person): void {
  if (errors.length > 0) throw new Error(`The page threw:\n${errors.join('\n')}`);
}

type Answer = Parameters<Route['fulfill']>[0];

/** Replaces the answers of a call by `reply`; `null` fails its requests as a broken network does. */
export async function answer(page: Page, path: string, reply: Answer | null): Promise<void> {
  await page.unroute(`**${path}`);
  await page.route(`**${path}`, async (route) => (reply ? await route.fulfill(reply) : await route.abort()));
}

/** The open toast with this title. */
export function toastTitled(page: Page, title: string) {
  return page.locator('[data-variant]').filter({ has: page.getByText(title, { exact: true }) });
}

/** Stops the page's clock. From now on, it moves only by `page.clock.runFor(ms)`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
}

/** Moves the stopped clock in steps of 10 ms until the condition holds. */
export async function runUntil(page: Page, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await page.clock.runFor(10);
}

/**
 * Holds the requests of a call until the returned function is called, which also lets all later ones pass. The route
 * stays, because removing it while the page sends requests can lose one of them.
 */
export async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${path}`, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Opens an address inside of the running application, as a link does. It takes a third of the time of a load. */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
}

/** The path and query of the page's URL. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Waits until all earlier requests of the page have been recorded, by sending one more after them. */
export async function afterPendingRequests(page: Page): Promise<void> {
  const marker = page.waitForResponse('**/robots.txt');
  await page.evaluate(async () => (await fetch('/robots.txt')).ok);
  await marker;
}
