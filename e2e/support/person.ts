import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Longer than any step of a page takes on a busy machine, and shorter than the limit of a test. */
export const STEP_MS = 30_000;

/** A person and their page in a browser. */
export type Person = {
  page: Page;
  context: BrowserContext;
  /** The uncaught errors of the page so far. */
  errors: string[];
};

/** The events that tests listen to. */
const EVENTS = [
  'console',
  'dialog',
  'download',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'response',
];

/** The function that ends the visit to a page. */
const endings = new WeakMap<Page, () => Promise<void>>();

/**
 * Ends the visit of the person who uses this page. Call it instead of closing the browser context, so that the next
 * person of the file can use the page.
 */
export async function leave(page: Page): Promise<void> {
  const end = endings.get(page);
  endings.delete(page);
  await (end ? end() : page.context().close());
}

/** A clean page without a person, on the site of `baseURL`. */
type FreePage = { page: Page; baseURL: string };
const freePages = new WeakMap<Browser, FreePage[]>();

/** A browser rarely has more people than this at the same time. */
const MAX_KEPT = 2;

/**
 * Keeps a few free pages for the next file of this worker and returns their contexts. The next file's server has the same
 * address, but other data behind it, so nothing may stay in the cache.
 */
export async function keepPages(browser: Browser): Promise<BrowserContext[]> {
  const kept = (freePages.get(browser) ?? []).filter(({ page }) => !page.isClosed()).slice(-MAX_KEPT);
  freePages.set(browser, kept);
  for (const { page } of kept) {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await session.detach();
  }
  return kept.map(({ page }) => page.context());
}

/**
 * Returns a function that opens a page for a new person, each in a browser context without anything of another person.
 * When a person leaves, their page is cleaned and given to the next person. It keeps its process, whose start takes
 * longer than most tests, and the scripts that it has compiled.
 */
export function createEntrance(browser: Browser, baseURL: string): () => Promise<Person> {
  const free = (freePages.get(browser) ?? []).filter((one) => one.baseURL === baseURL);
  freePages.set(browser, free);
  return async () => {
    const page = free.pop()?.page ?? (await newPage(browser, baseURL));
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const isChanged = findPermanentChanges(page);
    endings.set(page, async () => {
      if (isChanged() || page.isClosed()) return await page.context().close();
      await clean(page, baseURL);
      free.push({ page, baseURL });
    });
    return { page, context: page.context(), errors };
  };
}

async function newPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    // The size of most visits. A change of size takes longer than a click.
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // A pulsing placeholder or a fading dialog draws 60 frames a second in software, as long as a test waits for the page.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  waitForReact(page);
  return page;
}

/** The addresses of the pages that the build renders: '/' and '/auth' with any query. */
const PRERENDERED = /^\/(auth)?([?#]|$)/;

/**
 * Makes `page.goto` wait until React has taken over a prerendered page. Before that, a link loads a document, and a form is
 * sent to the server. A test that looks at the page before that moment passes `waitUntil`.
 */
export function waitForReact(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (PRERENDERED.test(url) && !options?.waitUntil) await page.waitForFunction(isTakenOver);
    return response;
  };
}

/** Runs in the page: React marks each element that it has rendered or hydrated. */
function isTakenOver(): boolean {
  const element = document.querySelector('#root > *');
  return Object.keys(element ?? {}).some((key) => key.startsWith('__reactProps'));
}

/** Returns whether a test has changed the page since in a way that lasts until it closes. */
function findPermanentChanges(page: Page): () => boolean {
  let isChanged = false;
  const addInitScript = page.addInitScript.bind(page);
  const install = page.clock.install.bind(page.clock);
  page.addInitScript = async (...script: Parameters<typeof addInitScript>) => {
    isChanged = true;
    return await addInitScript(...script);
  };
  page.clock.install = async (time) => {
    isChanged = true;
    await install(time);
  };
  return () => isChanged;
}

/** Removes all that a visit leaves in a page and its context. */
async function clean(page: Page, baseURL: string): Promise<void> {
  const context = page.context();
  for (const event of EVENTS) page.removeAllListeners(event);
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map(async (other) => await other.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce', forcedColors: null });
  await context.setOffline(false);
  await page.mouse.move(0, 0);
  // A page of the same site without scripts, because about:blank would end the process.
  const blank = `${baseURL}/robots.txt`;
  // A navigation that the test had begun aborts the first one.
  await page.goto(blank).catch(async () => await page.goto(blank));
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
}
