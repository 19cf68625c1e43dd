/** The tag's requests for decisions, and the effect of a faulty host on the page. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snippet } from './support/publisher.ts';
import { observed, rendered, afterPendingRequests, useTag } from './support/tag-page.ts';

const tag = useTag();
const tall = '<div style="height:3000px"></div>';

/** The zones of each requested decision, sorted, because the browser decides their order. */
const requested = () =>
  tag.host.to('/api/serve/ads').map(({ path }) => {
    const zones = new URL(path, 'http://host').searchParams.get('z') ?? '';
    return zones.split(',').toSorted().join();
  });

describe('the tag', () => {
  it('requests one decision for all zones near the screen and shows each zone its ad', async () => {
    for (const zone of ['a', 'b', 'c']) tag.host.serve(zone, { title: `Ad of ${zone}` });
    const page = await tag.open(['a', 'b', 'c'].map((zone) => snippet(tag.host.origin, zone)).join(''));
    await rendered(page, ['a', 'b', 'c']);
    expect(requested()).toEqual(['a,b,c']);
    expect(await page.locator('ad-zone b').allTextContents()).toEqual(['Ad of a', 'Ad of b', 'Ad of c']);
    expect(tag.host.to('/api/serve/ads')[0]?.headers.origin).toBe(tag.publisher.origin);
    expect(page.errors).toEqual([]);
  });

  it('requests at most twenty zones at a time', async () => {
    const zones = Array.from({ length: 21 }, (_, i) => `z${i}`);
    for (const zone of zones) tag.host.serve(zone, {});
    // The parser may insert the zones of a page in several tasks. A script inserts all of them in one.
    const page = await tag.open('');
    await page.evaluate(
      (html) => document.body.append(document.createRange().createContextualFragment(html)),
      zones.map((zone) => snippet(tag.host.origin, zone, 100, 20)).join(''),
    );
    await rendered(page, zones);
    const batches = requested().map((batch) => batch.split(','));
    // The two requests may arrive in either order.
    expect(new Set(batches.map((batch) => batch.length))).toEqual(new Set([20, 1]));
    expect(batches).toHaveLength(2);
    expect(batches.flat().toSorted()).toEqual(zones.toSorted());
  });

  it('requests no ad for a zone far below the screen until it comes near', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(tall + snippet(tag.host.origin, 'a') + tall);
    await page.waitForFunction(() => customElements.get('ad-zone'));
    await observed(page);
    await page.evaluate(() => scrollTo(0, 2000));
    await observed(page);
    await afterPendingRequests(page, tag.host);
    expect(requested()).toEqual([]);
    // The zone begins 50 px below the screen.
    await page.evaluate(() => scrollTo(0, 3000 - innerHeight - 50));
    await rendered(page, 'a');
    expect(requested()).toEqual(['a']);
  });

  it('requests an ad for a zone that a single-page application inserts, but not for one that it moves', async () => {
    tag.host.serve('a', {});
    tag.host.serve('b', {});
    const page = await tag.open(snippet(tag.host.origin, 'a'));
    await rendered(page, 'a');
    await page.evaluate(() => {
      history.pushState({}, '', '/next');
      const main = document.createElement('main');
      document.body.append(main);
      main.append(document.querySelector('ad-zone')!);
      const zone = document.createElement('ad-zone');
      for (const [name, value] of [
        ['zone', 'b'],
        ['w', '300'],
        ['h', '250'],
      ] as const)
        zone.setAttribute(name, value);
      main.append(zone);
    });
    await rendered(page, 'b');
    expect(requested()).toEqual(['a', 'b']);
    expect(await page.locator('[zone=b]').boundingBox()).toMatchObject({ width: 300, height: 250 });

    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), tall);
    for (const y of [2500, 0]) {
      await page.evaluate((y) => scrollTo(0, y), y);
      await observed(page);
    }
    await afterPendingRequests(page, tag.host);
    expect(requested()).toEqual(['a', 'b']);

    const again = page.waitForResponse(/\/api\/serve\/ads/);
    await page.evaluate(async () => {
      const zone = document.querySelector('[zone=a]')!;
      zone.remove();
      await new Promise((resolve) => setTimeout(resolve, 100));
      document.body.prepend(zone);
    });
    await again;
    expect(requested()).toEqual(['a', 'b', 'a']);
  });
});

describe('a faulty host', () => {
  it.each([
    ['answers 500', (r: ServerResponse) => r.writeHead(500).end('{}')],
    ['does not answer with JSON', (r: ServerResponse) => r.end('<html>')],
    ['answers with too few ads', (r: ServerResponse) => r.end('{"ads":[]}')],
    ['answers with too many ads', (r: ServerResponse) => r.end('{"ads":[{},{},{}]}')],
    ['closes the connection', (r: ServerResponse) => r.destroy()],
  ])('breaks no page and causes no errors when it %s', async (_how, decide) => {
    tag.host.decide = decide;
    const page = await tag.open(snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'b'));
    // A browser repeats a request when the connection broke.
    await expect.poll(() => [...new Set(requested())]).toEqual(['a,b']);
    await afterPendingRequests(page, tag.host);
    await observed(page);
    expect(page.errors).toEqual([]);
    expect(await page.locator('ad-zone').first().boundingBox()).toMatchObject({ width: 300, height: 250 });
  });

  it('is given five seconds to answer', async () => {
    tag.host.decide = () => {};
    const page = await tag.open(snippet(tag.host.origin, 'a'), { before: takeDeadlines });
    await expect.poll(requested).toEqual(['a']);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/serve/ads'));
    expect(await passDeadlines(page)).toEqual([5000]);
    await failed;
    expect(page.errors).toEqual([]);
  });

  it('keeps the zone’s size reserved when the script cannot be loaded', async () => {
    const page = await tag.open(snippet('http://127.0.0.1:9', 'a'));
    expect(await page.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
    expect(page.errors).toEqual([]);
  });
});

/** Replaces the page's `AbortSignal.timeout`, so that its timeouts pass only by `passDeadlines`. */
async function takeDeadlines(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const deadlines: Deadline[] = [];
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      deadlines.push({
        ms,
        pass: () => controller.abort(new DOMException('It took too long', 'TimeoutError')),
      });
      return controller.signal;
    };
    Object.assign(window, { deadlines });
  });
}

/** Lets all timeouts pass and returns their milliseconds. */
async function passDeadlines(page: Page): Promise<number[]> {
  return await page.evaluate(() => {
    const { deadlines } = window as unknown as { deadlines: Deadline[] };
    for (const { pass } of deadlines) pass();
    return deadlines.map(({ ms }) => ms);
  });
}

type Deadline = { ms: number; pass: () => void };
