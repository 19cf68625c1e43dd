/** The fixture of the tag's tests: a browser and a publisher's website for the file, and a tag host for each test. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openShadowRoots } from './ads-on-page.ts';
import { enterBrowser, leaveBrowser } from './browser.ts';
import { startPublisher, type Publisher } from './publisher.ts';
import { STEP_MS } from './person.ts';
import { startTagHost, type TagHost } from './tag-host.ts';

export type Opened = Page & { errors: string[] };

export type OpenOptions = {
  headers?: Record<string, string>;
  /** Leaves the zones' shadow roots closed, so that the test has the same access as the page. */
  closed?: boolean;
  /** Stops the page's clock, which then moves only by `page.clock.runFor`. */
  stopped?: boolean;
  context?: BrowserContextOptions;
  /** Prepares the page before the first navigation. */
  before?: (page: Page) => Promise<void>;
};

export function useTag() {
  const tag = {} as {
    browser: Browser;
    publisher: Publisher;
    host: TagHost;
    /** Opens a publisher's page with this body. */
    open(body: string, options?: OpenOptions): Promise<Opened>;
  };
  const opened: Page[] = [];
  let pages = 0;

  beforeAll(async () => {
    [tag.browser, tag.publisher] = await Promise.all([enterBrowser(), startPublisher()]);
  });
  afterAll(async () => {
    await leaveBrowser(tag.browser);
    await tag.publisher.close();
  });
  beforeEach(async () => {
    tag.host = await startTagHost();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    await tag.host.close();
  });

  tag.open = async (body, { headers, closed = false, stopped = false, context, before } = {}) => {
    const page = await (await tag.browser.newContext(context)).newPage();
    page.setDefaultTimeout(STEP_MS);
    opened.push(page);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // The browser logs each failed request. No page can prevent that.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    });
    if (!closed) await page.addInitScript(openShadowRoots);
    await before?.(page);
    if (stopped) {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1000);
    }
    await page.goto(tag.publisher.put(`/${++pages}`, body, headers));
    return Object.assign(page, { errors });
  };
  return tag;
}

/** Waits until the zone has rendered. Moves a stopped clock by as few milliseconds as possible. */
export async function rendered(page: Page, zone: string, stopped = false): Promise<void> {
  const isRendered = (zone: string) =>
    !!document.querySelector(`[zone="${zone}"]`)?.shadowRoot?.lastElementChild;
  if (stopped) while (!(await page.evaluate(isRendered, zone))) await page.clock.runFor(1);
  else await page.waitForFunction(isRendered, zone);
  await observed(page);
}

/** Waits until the browser has notified all intersection observers of the present layout. */
export async function observed(page: Page): Promise<void> {
  for (let round = 0; round < 2; round++)
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const observer = new IntersectionObserver(() => {
            observer.disconnect();
            resolve();
          });
          observer.observe(document.documentElement);
        }),
    );
}

/** Makes the page's scripts believe that its tab is in the background, or in front again. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

/** Waits until all earlier requests of the page have arrived, by sending one more after them. */
export async function afterPendingRequests(page: Page, host: TagHost): Promise<void> {
  await page.evaluate((address) => fetch(address).then((reply) => reply.ok), `${host.origin}/settled`);
}
