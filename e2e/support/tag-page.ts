/** The fixture of the tag's tests: a browser and a publisher's website for the file, and a tag host for each test. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openShadowRoots } from './ads-on-page.ts';
import { enterBrowser, leaveBrowser } from './browser.ts';
import { snippet, startPublisher, type Publisher } from './publisher.ts';
import { STEP_MS } from './person.ts';
import { startTagHost, type TagHost } from './tag-host.ts';

export type Opened = Page & { errors: string[] };

export type OpenOptions = {
  headers?: Record<string, string>;
  /** Stops the page's clock, which then moves only by `page.clock.runFor`. */
  stopped?: boolean;
  /** Opens a browser context of its own, which no later test uses. */
  context?: BrowserContextOptions;
  /** Changes the page before the navigation in a way that lasts, so that no later test uses it. */
  before?: (page: Page) => Promise<void>;
  /** Leaves the zones' shadow roots closed, so that the test has the same access as the page. */
  closed?: boolean;
};

/** The events of a page that a test may listen to. */
const EVENTS = ['console', 'pageerror', 'popup', 'request', 'requestfailed', 'response'];

export function useTag() {
  const tag = {} as {
    browser: Browser;
    publisher: Publisher;
    host: TagHost;
    /** Opens a publisher's page with this body. */
    open(body: string, options?: OpenOptions): Promise<Opened>;
  };
  /** Pages of the tests before, one with a running clock and one with a stopped one. A new one takes as long as a test. */
  const free = { running: [] as Page[], stopped: [] as Page[] };
  const opened: { page: Page; kind?: keyof typeof free }[] = [];
  let pages = 0;

  beforeAll(async () => {
    [tag.browser, tag.publisher] = await Promise.all([enterBrowser(), startPublisher()]);
  });
  afterAll(async () => {
    await leaveBrowser(tag.browser);
    await tag.publisher?.close();
  });
  beforeEach(async () => {
    tag.host = await startTagHost();
  });
  afterEach(async () => {
    for (const { page, kind } of opened.splice(0)) {
      if (!kind) await page.context().close();
      else {
        await clean(page);
        free[kind].push(page);
      }
    }
    await tag.host.close();
  });

  async function newPage(stopped: boolean, closed: boolean, context?: BrowserContextOptions): Promise<Page> {
    const page = await (await tag.browser.newContext(context)).newPage();
    page.setDefaultTimeout(STEP_MS);
    if (!closed) await page.addInitScript(openShadowRoots);
    if (stopped) {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1000);
    }
    return page;
  }

  tag.open = async (body, { headers, stopped = false, context, before, closed = false } = {}) => {
    // A page with a policy of its own may still log a refusal while it is left.
    const kind = headers || context || before || closed ? undefined : stopped ? 'stopped' : 'running';
    const page = (kind && free[kind].pop()) ?? (await newPage(stopped, closed, context));
    opened.push({ page, ...(kind && { kind }) });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // The browser logs each failed request. No page can prevent that.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    });
    await before?.(page);
    await page.goto(tag.publisher.put(`/${++pages}`, body, headers));
    return Object.assign(page, { errors });
  };
  return tag;
}

/** Removes what a test leaves in a page and its context. */
async function clean(page: Page): Promise<void> {
  for (const event of EVENTS) page.removeAllListeners(event);
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map(async (other) => await other.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await page.context().clearCookies();
}

/**
 * Waits until the zones have rendered. Moves a stopped clock by one millisecond, because the tag requests all ads together
 * by a timer.
 */
export async function rendered(page: Page, zones: string | string[], stopped = false): Promise<void> {
  if (stopped) {
    await page.waitForFunction(() => customElements.get('ad-zone'));
    await observed(page);
    await page.clock.runFor(1);
  }
  await page.waitForFunction(
    (zones) =>
      zones.every((zone) => document.querySelector(`[zone="${zone}"]`)?.shadowRoot?.lastElementChild),
    [zones].flat(),
  );
  await observed(page);
}

/**
 * Opens a page with a stopped clock and an image ad in zone 'b', which is rendered without its image. `load` gives the
 * browser the image, and returns after the tag has learnt that it has loaded. The size of an image is known before that.
 */
export async function openWithoutImage(
  tag: ReturnType<typeof useTag>,
  file: string,
): Promise<{ page: Page; load: () => Promise<void> }> {
  tag.host.serve('b', { kind: 'image', src: tag.host.fixture(file) });
  const page = await tag.open('', { stopped: true });
  const release = Promise.withResolvers<void>();
  await page.route('**/fixture/**', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.evaluate(
    (html) => {
      document.body.append(document.createRange().createContextualFragment(html));
    },
    snippet(tag.host.origin, 'b'),
  );
  await rendered(page, 'b', true);
  const image = await page.evaluateHandle(() => {
    const image = document.querySelector('ad-zone')!.shadowRoot!.querySelector('img')!;
    return { loaded: new Promise<void>((resolve) => image.addEventListener('load', () => resolve())) };
  });
  return {
    page,
    async load() {
      release.resolve();
      await image.evaluate(({ loaded }) => loaded);
    },
  };
}

/** Waits until the browser has notified all intersection observers of the present layout. */
export async function observed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let round = 0; round < 2; round++)
      await new Promise<void>((resolve) => {
        const observer = new IntersectionObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(document.documentElement);
      });
  });
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
