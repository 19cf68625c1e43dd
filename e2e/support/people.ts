import type { Page, Route } from 'playwright-core';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import type { Person, Stage } from './stage.ts';

/** A person who is signed in already, with the API client of the same session. */
export async function enterAs(
  stage: Stage,
  role: Role,
  options: { width?: number; names?: { email?: string; firstName?: string; lastName?: string } } = {},
): Promise<Person & { client: Client }> {
  const client = await stage.server.signIn(role, options.names);
  const person = await stage.enter(options);
  const [name = '', value = ''] = client.cookie.split(/=(.*)/s);
  await person.context.addCookies([{ name, value, url: stage.server.url }]);
  return { ...person, client };
}

/** Every request to the API that the page makes, as 'METHOD /path body'. */
export function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/'))
      calls.push(`${request.method()} ${pathname} ${request.postData() ?? ''}`.trim());
  });
  return calls;
}

/** For hooks: no page of this person may have thrown. */
export function assertNoErrors({ errors }: Person): void {
  if (errors.length > 0) throw new Error(`The page threw:\n${errors.join('\n')}`);
}

type Answer = Parameters<Route['fulfill']>[0];

/** Lets the network answer what the server never would; `null` cuts the line. */
export async function answer(page: Page, path: string, reply: Answer | null): Promise<void> {
  await page.unroute(`**${path}`);
  await page.route(`**${path}`, async (route) => (reply ? await route.fulfill(reply) : await route.abort()));
}

/** The title and body of the toast on show that bears this title. */
export function toastTitled(page: Page, title: string) {
  return page.locator('[data-variant]').filter({ has: page.getByText(title, { exact: true }) });
}

/** From now on time in the page passes only when told: `page.clock.runFor(ms)`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
}

/** Lets time pass in small steps until something holds; the page's own short timers need them. */
export async function runUntil(page: Page, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await page.clock.runFor(10);
}

/**
 * Holds the answers of a call back until the returned function is called. It stays in the way of the later ones and lets
 * them pass: taken away while the page goes on asking, it can take one of its requests along.
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

/** Where the page is, without the origin. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Waits until what the page has asked for so far has been recorded, because this was asked for after it. */
export async function settled(page: Page): Promise<void> {
  const marker = page.waitForResponse('**/settled');
  await page.evaluate(async () => (await fetch('/settled')).ok);
  await marker;
}

/** Answers the current-user call with the real user, changed. */
export async function changeUser(page: Page, change: Record<string, unknown>): Promise<void> {
  await page.route('**/api/auth/user', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...(await reply.json()), ...change } });
  });
}
