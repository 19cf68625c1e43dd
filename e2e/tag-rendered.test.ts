/** When the tag reports an ad as rendered that was not viewable for as long as the MRC's rule asks. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snippet } from './support/publisher.ts';
import { openWithoutImage, rendered, setHidden, afterPendingRequests, useTag } from './support/tag-page.ts';

const tag = useTag();
const reports = () => tag.host.to('/view/').map(({ method, path }) => `${method} ${path}`);

/** Opens a page with a stopped clock, and waits until the ads of zone 'a' and the other zones are rendered. */
async function openRendered(body = snippet(tag.host.origin, 'a'), others: string[] = []): Promise<Page> {
  tag.host.serve('a', {});
  const page = await tag.open(body, { stopped: true });
  await rendered(page, ['a', ...others], true);
  return page;
}

async function hide(page: Page): Promise<void> {
  await setHidden(page, true);
  await afterPendingRequests(page, tag.host);
}

describe('a text ad', () => {
  // Proves DEL-70
  it('is reported as rendered, and not as viewed, when its page is left after half a second', async () => {
    const page = await openRendered();
    await page.clock.runFor(500);
    await page.goto(tag.publisher.put('/elsewhere', 'Elsewhere'));
    await expect.poll(reports).toEqual(['POST /view/a?rendered']);
    const [report] = tag.host.to('/view/');
    expect(report?.headers.origin).toBe(tag.publisher.origin);
    expect(report?.headers.cookie).toBeUndefined();
    await page.clock.runFor(5000);
    await afterPendingRequests(page, tag.host);
    expect(reports()).toHaveLength(1);
  });

  // Proves DEL-70
  it('is reported as rendered once, however often the tab changes, and can still be viewed later', async () => {
    const page = await openRendered();
    await page.clock.runFor(900);
    for (let round = 0; round < 3; round++) {
      await hide(page);
      await page.clock.runFor(5000);
      await setHidden(page, false);
    }
    expect(reports()).toEqual(['POST /view/a?rendered']);
    await page.clock.runFor(1000);
    await hide(page);
    expect(reports()).toEqual(['POST /view/a?rendered', 'POST /view/a']);
  });

  // Proves DEL-70
  it('is not reported as rendered after it was viewed', async () => {
    const page = await openRendered();
    await page.clock.runFor(1000);
    await hide(page);
    await page.clock.runFor(5000);
    await setHidden(page, false);
    await page.clock.runFor(5000);
    await hide(page);
    expect(reports()).toEqual(['POST /view/a']);
  });

  // Proves DEL-70
  it('is reported as rendered even below the screen, but a house ad is not', async () => {
    tag.host.serve('h', { kind: 'house', title: 'Advertise here', text: 'from $5.00 a day' });
    const below = `<div style="height:800px"></div>${snippet(tag.host.origin, 'a')}${snippet(tag.host.origin, 'h')}`;
    const page = await openRendered(below, ['h']);
    await page.clock.runFor(5000);
    await hide(page);
    expect(reports()).toEqual(['POST /view/a?rendered']);
  });
});

describe('an image ad', () => {
  // Proves DEL-70
  it('is reported as rendered only after its image has loaded', async () => {
    const { page, load } = await openWithoutImage(tag, 'ad.png');
    await hide(page);
    expect(reports()).toEqual([]);
    await setHidden(page, false);
    await load();
    await hide(page);
    expect(reports()).toEqual(['POST /view/b?rendered']);
  });
});

describe('a video ad', () => {
  // Proves DEL-70
  it('is reported as rendered with its first frame', async () => {
    tag.host.serve('v', { kind: 'video', src: tag.host.fixture('ad.mp4') });
    const page = await tag.open(snippet(tag.host.origin, 'v'));
    await page.waitForFunction(
      () => document.querySelector('ad-zone')?.shadowRoot?.querySelector('video')?.currentTime,
    );
    await hide(page);
    expect(reports()).toEqual(['POST /view/v?rendered']);
  });
});

describe('a creative that is blocked', () => {
  // Proves DEL-70, DEL-12
  it('is reported neither as rendered nor as viewed, be it an image or a video', async () => {
    tag.host.serve('image', { kind: 'image', src: tag.host.fixture('ad.png') });
    tag.host.serve('video', { kind: 'video', src: tag.host.fixture('ad.mp4') });
    const page = await tag.open('', { stopped: true });
    let blocked = 0;
    await page.route('**/fixture/**', async (route) => {
      await route.abort('blockedbyclient');
      blocked++;
    });
    await page.evaluate(
      (html) => {
        document.body.append(document.createRange().createContextualFragment(html));
      },
      snippet(tag.host.origin, 'image') + snippet(tag.host.origin, 'video'),
    );
    await rendered(page, ['image', 'video'], true);
    await expect.poll(() => blocked).toBe(2);
    // Longer than a view takes.
    await page.clock.runFor(2500);
    await hide(page);
    expect(reports()).toEqual([]);
    for (const zone of ['image', 'video'])
      expect(await page.locator(`[zone=${zone}]`).boundingBox()).toMatchObject({ width: 300, height: 250 });
    expect(page.errors).toEqual([]);
  });
});
