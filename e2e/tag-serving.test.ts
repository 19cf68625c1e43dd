/** What the tag asks of its host, when, and what a page notices when the host is ill. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snippet } from './support/publisher.ts';
import { observed, painted, settled, useTag } from './support/tag-page.ts';

const tag = useTag();
const tall = '<div style="height:3000px"></div>';

/** The zones of each decision asked; within one, the browser decides their order. */
const asked = () =>
  tag.host.to('/api/serve/ads').map(({ path }) => {
    const zones = new URL(path, 'http://host').searchParams.get('z') ?? '';
    return zones.split(',').toSorted().join();
  });

describe('the decision', () => {
  // Proves DEL-13
  it('is asked once for all zones near the screen, and each gets its own', async () => {
    for (const zone of ['a', 'b', 'c']) tag.host.serve(zone, { title: `Ad of ${zone}` });
    const page = await tag.open(['a', 'b', 'c'].map((zone) => snippet(tag.host.origin, zone)).join(''));
    await painted(page, 'c');
    expect(asked()).toEqual(['a,b,c']);
    expect(await page.locator('ad-zone b').allTextContents()).toEqual(['Ad of a', 'Ad of b', 'Ad of c']);
    expect(tag.host.to('/api/serve/ads')[0]?.headers.origin).toBe(tag.publisher.origin);
    expect(page.errors).toEqual([]);
  });

  it('is asked for twenty zones at a time', async () => {
    const zones = Array.from({ length: 21 }, (_, i) => `z${i}`);
    for (const zone of zones) tag.host.serve(zone, {});
    const page = await tag.open(zones.map((zone) => snippet(tag.host.origin, zone, 100, 20)).join(''));
    for (const zone of zones) await painted(page, zone);
    const batches = asked().map((batch) => batch.split(','));
    // Two requests at once may arrive in either order.
    expect(new Set(batches.map((batch) => batch.length))).toEqual(new Set([20, 1]));
    expect(batches).toHaveLength(2);
    expect(batches.flat().toSorted()).toEqual(zones.toSorted());
  });

  // Proves DEL-13
  it('is not asked for a zone far below the screen until it comes near', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(tall + snippet(tag.host.origin, 'a') + tall);
    await page.waitForFunction(() => customElements.get('ad-zone'));
    await observed(page);
    await page.evaluate(() => scrollTo(0, 2000));
    await observed(page);
    await settled(page, tag.host);
    expect(asked()).toEqual([]);
    // The zone begins 50 px below the screen.
    await page.evaluate(() => scrollTo(0, 3000 - innerHeight - 50));
    await painted(page, 'a');
    expect(asked()).toEqual(['a']);
  });

  // Proves DEL-22
  it('is asked anew for a zone that a single-page application inserts, not for one it moves', async () => {
    tag.host.serve('a', {});
    tag.host.serve('b', {});
    const page = await tag.open(snippet(tag.host.origin, 'a'));
    await painted(page, 'a');
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
    await painted(page, 'b');
    expect(asked()).toEqual(['a', 'b']);
    expect(await page.locator('[zone=b]').boundingBox()).toMatchObject({ width: 300, height: 250 });

    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), tall);
    for (const y of [2500, 0]) {
      await page.evaluate((y) => scrollTo(0, y), y);
      await observed(page);
    }
    await settled(page, tag.host);
    expect(asked()).toEqual(['a', 'b']);

    const again = page.waitForResponse(/\/api\/serve\/ads/);
    await page.evaluate(async () => {
      const zone = document.querySelector('[zone=a]')!;
      zone.remove();
      await new Promise((resolve) => setTimeout(resolve, 100));
      document.body.prepend(zone);
    });
    await again;
    expect(asked()).toEqual(['a', 'b', 'a']);
  });
});

describe('a host that is ill', () => {
  // Proves DEL-14
  it.each([
    ['answers 500', (r: ServerResponse) => r.writeHead(500).end('{}')],
    ['answers no JSON', (r: ServerResponse) => r.end('<html>')],
    ['answers less than it was asked', (r: ServerResponse) => r.end('{"ads":[]}')],
    ['answers more than it was asked', (r: ServerResponse) => r.end('{"ads":[{},{},{}]}')],
    ['hangs up', (r: ServerResponse) => r.destroy()],
  ])('leaves the page unharmed when it %s', async (_how, decide) => {
    tag.host.decide = decide;
    const page = await tag.open(snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'b'));
    // A browser asks once more where the connection broke.
    await expect.poll(() => [...new Set(asked())]).toEqual(['a,b']);
    await settled(page, tag.host);
    await observed(page);
    expect(page.errors).toEqual([]);
    expect(await page.locator('ad-zone').first().boundingBox()).toMatchObject({ width: 300, height: 250 });
  });

  // Proves DEL-14
  it('waits five seconds at most', async () => {
    tag.host.decide = () => {};
    const page = await tag.open(snippet(tag.host.origin, 'a'), { before: takeDeadlines });
    await expect.poll(asked).toEqual(['a']);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/serve/ads'));
    expect(await passDeadlines(page)).toEqual([5000]);
    await failed;
    expect(page.errors).toEqual([]);
  });

  // Proves DEL-14
  it('leaves the box reserved when the script itself is missing', async () => {
    const page = await tag.open(snippet('http://127.0.0.1:9', 'a'));
    expect(await page.locator('ad-zone').boundingBox()).toMatchObject({ width: 300, height: 250 });
    expect(page.errors).toEqual([]);
  });
});

/** Keeps the deadlines that the page's scripts set from passing by themselves. */
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

/** Lets all deadlines pass, and returns their milliseconds. */
async function passDeadlines(page: Page): Promise<number[]> {
  return await page.evaluate(() => {
    const { deadlines } = window as unknown as { deadlines: Deadline[] };
    for (const { pass } of deadlines) pass();
    return deadlines.map(({ ms }) => ms);
  });
}

type Deadline = { ms: number; pass: () => void };
