/** When the tag reports a view: one test for each condition of the MRC's rule. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { snippet } from './support/publisher.ts';
import {
  observed,
  openWithoutImage,
  rendered,
  setHidden,
  afterPendingRequests,
  useTag,
} from './support/tag-page.ts';

const tag = useTag();
const tall = '<div style="height:3000px"></div>';

/** Opens a page with a stopped clock, and waits until the ads of zone 'a' and the other zones are rendered. */
async function openRendered(
  body = snippet(tag.host.origin, 'a'),
  area?: number,
  others: string[] = [],
): Promise<Page> {
  tag.host.serve('a', area === undefined ? {} : { area });
  const page = await tag.open(body, { stopped: true });
  await rendered(page, ['a', ...others], true);
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
    expect(await viewsAfter(page, 999)).toBe(0);
    expect(await viewsAfter(page, 1)).toBe(1);
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
  it('is not viewed when it is transparent, invisible, scaled down or made too small', async () => {
    const hidings = [
      'opacity:0',
      'visibility:hidden',
      'width:0',
      'height:1px',
      'transform:scale(.1)',
      'width:140px',
    ];
    const zones = hidings.map((_css, index) => `hidden-${index}`);
    for (const zone of zones) tag.host.serve(zone, {});
    const rules = hidings.map((css, index) => `[zone=hidden-${index}]{${css}!important}`).join('');
    const snippets = [...zones, 'a'].map((zone) => snippet(tag.host.origin, zone)).join('');
    const page = await openRendered(`<style>${rules}</style>${snippets}`, undefined, zones);
    // Only the visible ad beside them is viewed.
    expect(await viewsAfter(page, 5000)).toBe(1);
    expect(views()[0]?.path).toBe('/view/a');
  });

  // Proves DEL-12
  it('is viewed once it has faded in', async () => {
    const page = await openRendered();
    await style(page, 'display:inline-block;width:300px;height:250px;opacity:0');
    expect(await viewsAfter(page, 2000)).toBe(0);
    await style(page, 'display:inline-block;width:300px;height:250px');
    expect(await viewsAfter(page, 900)).toBe(0);
    expect(await viewsAfter(page, 300)).toBe(1);
  });

  /** A zone whose upper `shown` pixels are on the screen. */
  const partly = (zone: string, shown: number, left: number, width = 300) =>
    `<div style="position:absolute;left:${left}px;top:${720 - shown}px">${snippet(tag.host.origin, zone, width, 250)}</div>`;

  // Proves DEL-12
  it('needs half of its pixels on the screen', async () => {
    tag.host.serve('less', {});
    const page = await openRendered(partly('less', 124, 0) + partly('a', 126, 400) + tall, undefined, [
      'less',
    ]);
    expect(await viewsAfter(page, 3000)).toBe(1);
    expect(views()[0]?.path).toBe('/view/a');
  });

  // Proves DEL-12
  it('needs three tenths of its pixels on the screen if it has at least 242,500 pixels', async () => {
    const serve = (zone: string, width: number) => tag.host.serve(zone, { area: width * 250 });
    serve('less', 970);
    serve('smaller', 969);
    const zones = partly('less', 74, 0, 970) + partly('smaller', 76, 0, 969) + partly('a', 76, 0, 970);
    const page = await openRendered(zones + tall, 970 * 250, ['less', 'smaller']);
    expect(await viewsAfter(page, 3000)).toBe(1);
    expect(views()[0]?.path).toBe('/view/a');
  });

  // Proves DEL-12
  it('is never viewed when it is a house ad', async () => {
    tag.host.serve('h', { kind: 'house', title: 'Advertise here', text: 'from $5.00 a day' });
    const page = await openRendered(
      snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'h'),
      undefined,
      ['h'],
    );
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
    const { page, load } = await openWithoutImage(tag, 'ad.jpg');
    expect(await viewsAfter(page, 5000)).toBe(0);
    await load();
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
  it('is not viewed when it is transparent, invisible, scaled down or made too small', async () => {
    const hidings = [
      'opacity:0',
      'visibility:hidden',
      'width:0',
      'height:1px',
      'transform:scale(.1)',
      'width:140px',
    ];
    const zones = hidings.map((_css, index) => `hidden-${index}`);
    for (const zone of zones) tag.host.serve(zone, {});
    const rules = hidings.map((css, index) => `[zone=hidden-${index}]{${css}!important}`).join('');
    const snippets = [...zones, 'a'].map((zone) => snippet(tag.host.origin, zone)).join('');
    const page = await openRendered(`<style>${rules}</style>${snippets}`, undefined, zones);
    // Only the visible ad beside them is viewed.
    expect(await viewsAfter(page, 5000)).toBe(1);
    expect(views()[0]?.path).toBe('/view/a');
  });

  // Proves DEL-12
  it('is viewed once it has faded in', async () => {
    const page = await openRendered();
    await style(page, 'display:inline-block;width:300px;height:250px;opacity:0');
    expect(await viewsAfter(page, 2000)).toBe(0);
    await style(page, 'display:inline-block;width:300px;height:250px');
    expect(await viewsAfter(page, 900)).toBe(0);
    expect(await viewsAfter(page, 300)).toBe(1);
  });

  /** A zone whose upper `shown` pixels are on the screen. */
  const partly = (zone: string, shown: number, left: number, width = 300) =>
    `<div style="position:absolute;left:${left}px;top:${720 - shown}px">${snippet(tag.host.origin, zone, width, 250)}</div>`;

  // Proves DEL-12
  it('needs half of its pixels on the screen', async () => {
    tag.host.serve('less', {});
    const page = await openRendered(partly('less', 124, 0) + partly('a', 126, 400) + tall, undefined, [
      'less',
    ]);
    expect(await viewsAfter(page, 3000)).toBe(1);
    expect(views()[0]?.path).toBe('/view/a');
  });

  // Proves DEL-12
  it('needs three tenths of its pixels on the screen if it has at least 242,500 pixels', async () => {
    const serve = (zone: string, width: number) => tag.host.serve(zone, { area: width * 250 });
    serve('less', 970);
    serve('smaller', 969);
    const zones = partly('less', 74, 0, 970) + partly('smaller', 76, 0, 969) + partly('a', 76, 0, 970);
    const page = await openRendered(zones + tall, 970 * 250, ['less', 'smaller']);
    expect(await viewsAfter(page, 3000)).toBe(1);
    expect(views()[0]?.path).toBe('/view/a');
  });

  // Proves DEL-12
  it('is never viewed when it is a house ad', async () => {
    tag.host.serve('h', { kind: 'house', title: 'Advertise here', text: 'from $5.00 a day' });
    const page = await openRendered(
      snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'h'),
      undefined,
      ['h'],
    );
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
  const video = (page: Page, zone: string) => page.locator(`[zone=${zone}] video`);
  const position = (page: Page, zone: string) =>
    video(page, zone).evaluate((video: HTMLVideoElement) => video.currentTime);
  const paused = (page: Page, zone: string) =>
    video(page, zone).evaluate((video: HTMLVideoElement) => video.paused);
  const serve = (zone: string) =>
    tag.host.serve(zone, {
      kind: 'video',
      src: tag.host.fixture('ad.mp4'),
      poster: tag.host.fixture('ad.png'),
    });

  /** Waits until the video of a zone has begun to play. */
  const begun = (page: Page, zone: string) =>
    page.waitForFunction(
      (zone) => document.querySelector(`[zone=${zone}]`)?.shadowRoot?.querySelector('video')?.currentTime,
      zone,
    );

  // Proves DEL-12, DEL-25
  it('is viewed after two seconds of play, but not below the screen or when the visitor has paused it', async () => {
    for (const zone of ['below', 'stopped', 'v']) serve(zone);
    const page = await tag.open(
      snippet(tag.host.origin, 'stopped') +
        snippet(tag.host.origin, 'v') +
        `<div style="position:absolute;top:800px">${snippet(tag.host.origin, 'below')}</div>${tall}`,
    );
    await begun(page, 'stopped');
    await video(page, 'stopped').evaluate((video: HTMLVideoElement) => video.pause());
    const stoppedAt = await position(page, 'stopped');
    await page.waitForFunction(
      () => (document.querySelector('[zone=below]')?.shadowRoot?.querySelector('video')?.readyState ?? 0) > 2,
    );
    // The browser starts the video by itself, and the tag pauses it.
    await expect.poll(() => paused(page, 'below')).toBe(true);
    const belowAt = await position(page, 'below');
    // How far it gets before depends on the machine. It must stop before a view counts.
    expect(belowAt).toBeLessThan(1.85);

    await expect.poll(() => views().length).toBe(1);
    // The tag samples every 100 ms, and the browser reports a slightly older position.
    expect(await position(page, 'v')).toBeGreaterThan(1.85);
    expect(await video(page, 'v').evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
    await page.waitForFunction(
      () => document.querySelector('[zone=v]')!.shadowRoot!.querySelector('video')!.ended,
    );
    await afterPendingRequests(page, tag.host);
    // By now, the others would have been viewed as well.
    expect(tag.host.to('/view/').map(({ path }) => path)).toEqual(['/view/v']);
    expect([await position(page, 'below'), await position(page, 'stopped')]).toEqual([belowAt, stoppedAt]);
    await page.evaluate(() => scrollTo(0, 600));
    await expect.poll(() => views().map(({ path }) => path)).toEqual(['/view/v', '/view/below']);
  });

  // Proves DEL-25
  it('plays only while it is visible', async () => {
    serve('v');
    const page = await tag.open(snippet(tag.host.origin, 'v') + tall);
    await begun(page, 'v');
    await page.evaluate(() => scrollTo(0, 2000));
    await expect.poll(() => paused(page, 'v')).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => paused(page, 'v')).toBe(false);
    await setHidden(page, true);
    await expect.poll(() => paused(page, 'v')).toBe(true);
    expect(views()).toEqual([]);
  });

  // Proves DEL-25
  it.each(['reduced motion', 'Save-Data'])(
    'does not play by itself with %s, and is viewed when the visitor plays it',
    async (wish) => {
      serve('v');
      const page = await tag.open('', {
        before: async (page) => {
          if (wish === 'reduced motion') await page.emulateMedia({ reducedMotion: 'reduce' });
          else
            await page.addInitScript(() => {
              Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
            });
        },
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
      expect(await position(page, 'v')).toBe(0);
      await video(page, 'v').evaluate((video: HTMLVideoElement) => video.play());
      await tag.host.got('/view/v');
    },
  );
});
