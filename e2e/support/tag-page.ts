/** What the tag's browser tests start from: a browser, a publisher's site, and a host of the tag for each test. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openShadowRoots } from './ads-on-page.ts';
import { enterBrowser, leaveBrowser } from './browser.ts';
import { startPublisher, type Publisher } from './publisher.ts';
import { STEP_MS } from './stage.ts';
import { startTagHost, type TagHost } from './tag-host.ts';

export type Opened = Page & { errors: string[] };

export type OpenOptions = {
  headers?: Record<string, string>;
  /** Leaves the zones' shadow roots closed, so that the test sees no more than a page can. */
  closed?: boolean;
  /** Stops the page's clock, to be moved by `page.clock.runFor`. */
  stopped?: boolean;
  context?: BrowserContextOptions;
  /** Prepares the page before it goes anywhere. */
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
      // The browser's own line for an answer that did not come; no page can prevent it.
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

/** Waits until the zone shows something. On a page whose clock stands it moves it by the least. */
export async function painted(page: Page, zone: string, stopped = false): Promise<void> {
  const isPainted = (zone: string) =>
    !!document.querySelector(`[zone="${zone}"]`)?.shadowRoot?.lastElementChild;
  if (stopped) while (!(await page.evaluate(isPainted, zone))) await page.clock.runFor(1);
  else await page.waitForFunction(isPainted, zone);
  await observed(page);
}

/** Waits until the browser has told all observers where things are now. */
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

/** Puts the page's tab behind another, or in front again, as far as its scripts can tell. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

/** Waits until everything the page has sent so far has arrived, because this was sent after it. */
export async function settled(page: Page, host: TagHost): Promise<void> {
  await page.evaluate((address) => fetch(address).then((reply) => reply.ok), `${host.origin}/settled`);
}
