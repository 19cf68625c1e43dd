/**
 * A page that is prerendered. Under remote control a browser prerenders nothing, so here it runs by itself: the
 * pages navigate, and what they ask of the host tells what happened.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findBrowser } from '../scripts/browser.ts';
import { snippet, startPublisher, type Publisher } from './support/publisher.ts';
import { startTagHost, type TagHost } from './support/tag-host.ts';

let host: TagHost;
let publisher: Publisher;
let browser: ChildProcess;
let profile: string;

beforeEach(async () => {
  [host, publisher] = await Promise.all([startTagHost(), startPublisher()]);
  profile = await mkdtemp(path.join(tmpdir(), 'openslot-browser-'));
  host.serve('a', {});
});
afterEach(async () => {
  const closed = new Promise((resolve) => browser.once('close', resolve));
  browser.kill('SIGKILL');
  await closed;
  await Promise.all([host.close(), publisher.close()]);
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

async function open(address: string): Promise<void> {
  const { executablePath, env } = await findBrowser();
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--remote-debugging-port=0',
  ];
  browser = spawn(executablePath, [...flags, `--user-data-dir=${profile}`, address], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
}

const tell = (what: string) => `fetch("${host.origin}/told/"+${what})`;
const happened = () => host.requests.map(({ path }) => path);
const patient = { timeout: 30_000 };

it('DEL-22 is not asked for an ad while its page is prerendered', async () => {
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
  await expect.poll(() => host.to('/view/a').length, patient).toBe(1);
  const order = ['/told/prerendering-true', '/told/shown', '/api/serve/ads?z=a', '/view/a'];
  expect(happened().filter((path) => order.includes(path))).toEqual(order);
  // The script is all that was loaded for a page nobody might have seen.
  expect(host.to('/api/serve/zone/').map(({ headers }) => headers['sec-purpose'])).toEqual([
    'prefetch;prerender',
  ]);
});
