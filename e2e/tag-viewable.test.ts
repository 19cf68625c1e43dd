/** When the tag reports a view: one test for each condition of the MRC's rule. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snippet } from './support/publisher.ts';
import { observed, rendered, setHidden, afterPendingRequests, useTag } from './support/tag-page.ts';

const tag = useTag();
const tall = '<div style="height:3000px"></div>';

/** Opens a page with a stopped clock and one zone, and waits until its ad is rendered. */
async function openRendered(body = snippet(tag.host.origin, 'a'), area?: number): Promise<Page> {
  tag.host.serve('a', area === undefined ? {} : { area });
  const page = await tag.open(body, { stopped: true });
  await rendered(page, 'a', true);
  return page;
}

const views = () => tag.host.to('/view/').filter(({ path }) => !path.endsWith('?rendered'));

async function viewsAfter(page: Page, ms: number): Promise<number> {
  await page.clock.runFor(ms);
  await afterPendingRequests(page, tag.host);
  return views().length;
}

const style = (page: Page, css: string) =>
  page.evaluate((css) => {
    document.querySelector('ad-zone')!.setAttribute('style', css);
  }, css);

describe('a display ad', () => {
  // Proves DEL-12
  it('is viewed once, after one continuous second', async () => {
    const page = await openRendered();
    // The clock moved by one millisecond to render the ad, which may belong to the second.
    expect(await viewsAfter(page, 998)).toBe(0);
    expect(await viewsAfter(page, 2)).toBe(1);
    expect(await viewsAfter(page, 60_000)).toBe(1);
    await setHidden(page, true);
    await setHidden(page, false);
    expect(await viewsAfter(page, 60_000)).toBe(1);
    const [view] = tag.host.to('/view/');
    expect(view?.method).toBe('POST');
    expect(view?.path).toBe('/view/a');
    expect(view?.headers.origin).toBe(tag.publisher.origin);
  });

  // Proves DEL-12
  it('restarts its second after it left the screen', async () => {
    const page = await openRendered(snippet(tag.host.origin, 'a') + tall);
    expect(await viewsAfter(page, 500)).toBe(0);
    await page.evaluate(() => scrollTo(0, 2000));
    await observed(page);
    expect(await viewsAfter(page, 5000)).toBe(0);
    await page.evaluate(() => scrollTo(0, 0));
    await observed(page);
    expect(await viewsAfter(page, 999)).toBe(0);
    expect(await viewsAfter(page, 1)).toBe(1);
  });

  // Proves DEL-12
  it('is not viewed in a background tab', async () => {
    const page = await openRendered();
    expect(await viewsAfter(page, 900)).toBe(0);
    await setHidden(page, true);
    expect(await viewsAfter(page, 5000)).toBe(0);
    await setHidden(page, false);
    expect(await viewsAfter(page, 999)).toBe(0);
    expect(await viewsAfter(page, 1)).toBe(1);
  });

  // Proves DEL-12
  it('restarts its second when the page returns from the back-forward cache', async () => {
    const page = await openRendered();
    expect(await viewsAfter(page, 900)).toBe(0);
    // The browser hides the page and stops its clock, and later continues both.
    await setHidden(page, true);
    await setHidden(page, false);
    expect(await viewsAfter(page, 999)).toBe(0);
    expect(await viewsAfter(page, 1)).toBe(1);
  });

  // Proves DEL-12
  it.each(['opacity:0', 'visibility:hidden', 'width:0', 'height:1px', 'transform:scale(.1)', 'width:140px'])(
    'is not viewed with %s',
    async (css) => {
      const page = await openRendered(
        `<style>ad-zone{${css}!important}</style>${snippet(tag.host.origin, 'a')}`,
      );
      expect(await viewsAfter(page, 5000)).toBe(0);
    },
  );

  // Proves DEL-12
  it('is viewed once it has faded in', async () => {
    const page = await openRendered();
    await style(page, 'display:inline-block;width:300px;height:250px;opacity:0');
    expect(await viewsAfter(page, 2000)).toBe(0);
    await style(page, 'display:inline-block;width:300px;height:250px');
    expect(await viewsAfter(page, 900)).toBe(0);
    expect(await viewsAfter(page, 300)).toBe(1);
  });

  // Proves DEL-12
  it('needs half of its pixels on the screen', async () => {
    const half = (shown: number) =>
      `<div style="height:${720 - shown}px"></div>${snippet(tag.host.origin, 'a')}${tall}<style>body{margin:0}</style>`;
    expect(await viewsAfter(await openRendered(half(124)), 3000)).toBe(0);
    expect(await viewsAfter(await openRendered(half(126)), 1000)).toBe(1);
  });

  // Proves DEL-12
  it('needs three tenths of its pixels on the screen if it has at least 242,500 pixels', async () => {
    const large = (width: number, shown: number) =>
      openRendered(
        `<div style="height:${720 - shown}px"></div>${snippet(tag.host.origin, 'a', width, 250)}${tall}<style>body{margin:0}</style>`,
        width * 250,
      );
    expect(await viewsAfter(await large(970, 74), 3000)).toBe(0);
    expect(await viewsAfter(await large(969, 76), 3000)).toBe(0);
    expect(await viewsAfter(await large(970, 76), 1000)).toBe(1);
  });

  // Proves DEL-12
  it('is never viewed when it is a house ad', async () => {
    tag.host.serve('h', { kind: 'house', title: 'Advertise here', text: 'from $5.00 a day' });
    const page = await openRendered(snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'h'));
    await rendered(page, 'h', true);
    expect(await viewsAfter(page, 5000)).toBe(1);
    expect(tag.host.to('/view/h')).toEqual([]);
  });
});

describe('an image ad', () => {
  // Proves DEL-12
  it('is not viewed when its image does not load', async () => {
    tag.host.serve('b', { kind: 'image', src: tag.host.fixture('none.png') });
    const page = await tag.open(snippet(tag.host.origin, 'b'), { stopped: true });
    await rendered(page, 'b', true);
    expect(await viewsAfter(page, 5000)).toBe(0);
  });

  // Proves DEL-12
  it('is viewed one second after its image has loaded', async () => {
    tag.host.serve('b', { kind: 'image', src: tag.host.fixture('ad.jpg') });
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
    expect(await viewsAfter(page, 5000)).toBe(0);
    release.resolve();
    await page.waitForFunction(
      () => document.querySelector('ad-zone')!.shadowRoot!.querySelector('img')!.naturalWidth,
    );
    await observed(page);
    expect(await viewsAfter(page, 999)).toBe(0);
    expect(await viewsAfter(page, 1)).toBe(1);
  });
});

describe('a video ad', () => {
  const video = (page: Page) => page.locator('ad-zone video');
  const position = (page: Page) => video(page).evaluate((video: HTMLVideoElement) => video.currentTime);
  const paused = (page: Page) => video(page).evaluate((video: HTMLVideoElement) => video.paused);
  const serve = () =>
    tag.host.serve('v', {
      kind: 'video',
      src: tag.host.fixture('ad.mp4'),
      poster: tag.host.fixture('ad.png'),
    });

  // Proves DEL-12, DEL-25
  it('is viewed after two seconds of play', async () => {
    serve();
    const page = await tag.open(snippet(tag.host.origin, 'v'));
    await page.waitForRequest(/\/view\/v$/);
    // The tag samples every 100 ms, and the browser reports a slightly older position.
    expect(await position(page)).toBeGreaterThan(1.85);
    expect(await video(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
    await page.waitForFunction(
      () => document.querySelector('ad-zone')!.shadowRoot!.querySelector('video')!.ended,
    );
    await afterPendingRequests(page, tag.host);
    expect(tag.host.to('/view/')).toHaveLength(1);
  });

  // Proves DEL-25
  it('plays only while it is visible', async () => {
    serve();
    const page = await tag.open(snippet(tag.host.origin, 'v') + tall);
    await page.waitForFunction(
      () => document.querySelector('ad-zone')?.shadowRoot?.querySelector('video')?.currentTime,
    );
    await page.evaluate(() => scrollTo(0, 2000));
    await expect.poll(() => paused(page)).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => paused(page)).toBe(false);
    await setHidden(page, true);
    await expect.poll(() => paused(page)).toBe(true);
    expect(views()).toEqual([]);
  });

  // Proves DEL-25
  it('does not play below the screen', async () => {
    serve();
    const page = await tag.open(`<div style="height:800px"></div>${snippet(tag.host.origin, 'v')}`);
    await page.waitForFunction(
      () => (document.querySelector('ad-zone')?.shadowRoot?.querySelector('video')?.readyState ?? 0) > 2,
    );
    // The browser starts the video by itself, and the tag pauses it.
    await expect.poll(() => paused(page)).toBe(true);
    const at = await position(page);
    await page.waitForTimeout(700);
    expect(await position(page)).toBe(at);
    expect(at).toBeLessThan(0.5);
    await page.evaluate(() => scrollTo(0, 1000));
    await page.waitForRequest(/\/view\/v$/);
  });

  it('stays paused when the visitor has paused it', async () => {
    serve();
    const page = await tag.open(snippet(tag.host.origin, 'v'));
    await page.waitForFunction(
      () => document.querySelector('ad-zone')?.shadowRoot?.querySelector('video')?.currentTime,
    );
    await video(page).evaluate((video: HTMLVideoElement) => video.pause());
    const at = await position(page);
    // Wait longer than the two seconds after which a playing video is viewed.
    await page.waitForTimeout(2500);
    expect(await position(page)).toBe(at);
    expect(tag.host.to('/view/')).toEqual([]);
  });

  // Proves DEL-25
  it.each(['reduced motion', 'Save-Data'])('does not play by itself with %s', async (wish) => {
    serve();
    const page = await tag.open('', {
      context: wish === 'reduced motion' ? { reducedMotion: 'reduce' } : {},
    });
    if (wish === 'Save-Data')
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
      });
    await page.evaluate(
      (html) => {
        document.body.append(document.createRange().createContextualFragment(html));
      },
      snippet(tag.host.origin, 'v'),
    );
    await rendered(page, 'v');
    // Wait for several samples of the tag.
    await page.waitForTimeout(700);
    expect(await position(page)).toBe(0);
    await video(page).evaluate((video: HTMLVideoElement) => video.play());
    await page.waitForRequest(/\/view\/v$/);
  });
});
