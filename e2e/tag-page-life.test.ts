/** The tag on a page that the browser prerenders, and on one that returns from the back-forward cache. */
import { expect, it } from 'vitest';
import { openFreeBrowser } from './support/free-browser.ts';
import { snippet, startPublisher, type Publisher } from './support/publisher.ts';
import { startTagHost, type TagHost } from './support/tag-host.ts';

type Life = {
  host: TagHost;
  publisher: Publisher;
  /** Opens a browser, which is closed after the test. */
  open: (address: string) => Promise<void>;
  /** A script that tells the host something, given as an expression. */
  tell: (what: string) => string;
  /** The paths of all requests to the host so far. */
  happened: () => string[];
};

/** Starts the servers of one test. The tests wait most of their time, so they run at the same time. */
async function start(onTestFinished: (close: () => Promise<void>) => void): Promise<Life> {
  const [host, publisher] = await Promise.all([startTagHost(), startPublisher()]);
  onTestFinished(async () => void (await Promise.all([host.close(), publisher.close()])));
  host.serve('a', {});
  return {
    host,
    publisher,
    open: async (address) => {
      const browser = await openFreeBrowser(address);
      onTestFinished(async () => await browser.close());
    },
    tell: (what) => `fetch("${host.origin}/told/"+${what})`,
    happened: () => host.requests.map(({ path }) => path),
  };
}

it.concurrent('the tag requests no ad while the browser prerenders the page', async ({ onTestFinished }) => {
  const { host, publisher, open, tell, happened } = await start(onTestFinished);
  const next = publisher.put(
    '/next',
    `${snippet(host.origin, 'a')}<script>
      ${tell('"prerendering-" + document.prerendering')};
      document.addEventListener('prerenderingchange', () => ${tell('"shown"')});
    </script>`,
  );
  const rules = JSON.stringify({ prerender: [{ urls: [next], eagerness: 'immediate' }] });
  await open(
    publisher.put(
      '/start',
      `<script type="speculationrules">${rules}</script>
       <script>setTimeout(() => { location.href = ${JSON.stringify(next)}; }, 2000)</script>`,
    ),
  );
  await expect.poll(() => host.to('/view/a').length).toBe(1);
  const order = ['/told/prerendering-true', '/told/shown', '/api/serve/ads?n&z=a', '/view/a'];
  expect(happened().filter((path) => order.includes(path))).toEqual(order);
  // While the page was prerendered, it loaded only the script.
  expect(host.to('/api/serve/zone/').map(({ headers }) => headers['sec-purpose'])).toEqual([
    'prefetch;prerender',
  ]);
});

it.concurrent('the tag restarts its second when the page returns, and does not keep the page out of the back-forward cache', async ({
  onTestFinished,
}) => {
  const { host, publisher, open, tell, happened } = await start(onTestFinished);
  const away = publisher.put('/away', '<script>setTimeout(() => history.back(), 1500)</script>');
  const page = (path: string, body: string) =>
    publisher.put(
      path,
      `${body}<script>
        const isBack = performance.getEntriesByType('navigation')[0].type === 'back_forward';
        addEventListener('pageshow', ({ persisted }) => {
          if (!persisted && !isBack) return;
          const told = ${tell('location.pathname.slice(1) + "-" + persisted')};
          // A page that leaves cancels its requests.
          if (location.pathname === '/plain') told.finally(() => { location.href = '/ad'; });
          else setTimeout(() => { ${tell('"nearly"')} }, 700);
        });
        const leave = isBack || setInterval(() => {
          // Half a second after the decision: too soon for a view.
          const asked = performance.getEntriesByType('resource').some(({ name }) => name.includes('/ads?'));
          if (location.pathname !== '/plain' && !asked) return;
          clearInterval(leave);
          setTimeout(() => { location.href = ${JSON.stringify(away)}; }, 500);
        }, 20);
      </script>`,
    );
  page('/ad', snippet(host.origin, 'a'));
  await open(page('/plain', 'No ads here'));
  await expect.poll(() => happened()).toContain('/view/a');
  // Chromium's headless shell has no back-forward cache. There, the page and its ad load again.
  const keeps = happened().includes('/told/plain-true');
  expect(happened().filter((path) => /told|ads|view/.test(path))).toEqual([
    `/told/plain-${keeps}`,
    '/api/serve/ads?n&z=a',
    '/view/a?rendered',
    `/told/ad-${keeps}`,
    ...(keeps ? [] : ['/api/serve/ads?n&z=a']),
    '/told/nearly',
    '/view/a',
  ]);
});
