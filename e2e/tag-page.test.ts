/** The tag on a publisher's page: what the page and its visitors see of an ad, and how both are kept apart. */
import { describe, expect, it } from 'vitest';
import { adStyle } from '#domain/delivery/ad-style.ts';
import { snippet } from './support/publisher.ts';
import { DEFAULT_ZONE } from './support/tag-host.ts';
import { adLooks } from './support/ads-on-page.ts';
import { observed, rendered, afterPendingRequests, useTag } from './support/tag-page.ts';

const tag = useTag();
const sizes = [
  [728, 90],
  [300, 250],
  [160, 600],
  [300, 300],
  [320, 50],
] as const;
const longest = {
  title:
    'W'.repeat(40) + ' a title that has as many characters as an advertiser may ever write, yes'.slice(0, 60),
  text: 'A description may be five hundred characters long. '.repeat(10).slice(0, 500),
};
const plain = { look: 'plain', accent: null } as const;

const shadow = (selector: string) => `ad-zone ${selector}`;

describe('a publisher’s page', () => {
  it('does not shift when ads render, wherever the zones are', async () => {
    for (const kind of ['text', 'image', 'video', 'house'] as const)
      tag.host.serve(kind, {
        kind,
        ...(kind === 'image' && { src: tag.host.fixture('ad.png') }),
        ...(kind === 'video' && { src: tag.host.fixture('ad.mp4') }),
      });
    const zones = ['text', 'image', 'video', 'house', 'nothing'].map((zone) =>
      snippet(tag.host.origin, zone, 200, 100),
    );
    const page = await tag.open(
      `<p>Words ${zones.join(' and words ')} and words below.</p><p>More words.</p>`,
    );
    await rendered(page, ['text', 'image', 'video', 'house']);
    await page.waitForFunction(
      () => document.querySelector('[zone=image]')!.shadowRoot!.querySelector('img')!.complete,
    );
    await observed(page);
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          const observer = new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
          });
          observer.observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => resolve(sum), 200);
        }),
    );
    expect(shifts).toBe(0);
  });

  it.each([
    ['a nonce', "script-src 'nonce-abc'"],
    ['the host', 'script-src HOST'],
  ])('can have a strict content security policy that allows the script by %s', async (_what, scripts) => {
    const policy = `default-src 'none'; ${scripts}; connect-src HOST; img-src HOST; media-src HOST; require-trusted-types-for 'script'; trusted-types 'none'`;
    tag.host.serve('a', {});
    tag.host.serve('b', { kind: 'image', src: tag.host.fixture('ad.png') });
    tag.host.serve('c', {
      kind: 'video',
      src: tag.host.fixture('ad.mp4'),
      poster: tag.host.fixture('ad.png'),
    });
    const body = ['a', 'b', 'c'].map((zone) => snippet(tag.host.origin, zone)).join('');
    const page = await tag.open(body.replaceAll('<script', '<script nonce="abc"'), {
      headers: { 'Content-Security-Policy': policy.replaceAll('HOST', tag.host.origin) },
    });
    await rendered(page, ['a', 'b', 'c']);
    for (const zone of ['a', 'b', 'c'])
      expect(await page.locator(`[zone=${zone}]`).boundingBox()).toMatchObject({ width: 300, height: 250 });
    await tag.host.got('/view/c');
    // The policy refuses only the style attributes of the embed code. The tag sets the same styles.
    expect(page.errors.filter((error) => !/Applying inline style/.test(error))).toEqual([]);
  });

  // Proves DEL-16
  it('gives the ad its font and text color, and cannot restyle it otherwise', async () => {
    tag.host.serve('a', {});
    const own = await tag.open(
      `<style>ad-zone{color:red;font-family:serif}</style>${snippet(tag.host.origin, 'a')}`,
    );
    await rendered(own, 'a');
    const page = await tag.open(
      `<style>*,::before{all:unset!important} a,b,span,i,img{display:none!important} body *{color:red!important;font:80px serif!important;letter-spacing:1em!important;text-transform:uppercase!important;line-height:0!important;text-indent:-999px!important} ad-zone{display:inline-block!important;width:300px!important;height:250px!important;text-align:right!important;overflow:visible!important}</style>${snippet(tag.host.origin, 'a')}`,
    );
    await rendered(page, 'a');
    expect(await adLooks(page)).toEqual(await adLooks(own));
  });

  it('gets no access to the ad’s shadow root and no new globals', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(snippet(tag.host.origin, 'a'), { closed: true });
    await tag.host.got('/view/a');
    const seen = await page.evaluate(() => {
      const zone = document.querySelector('ad-zone')!;
      const frame = document.body.appendChild(document.createElement('iframe'));
      const fresh = new Set(Object.getOwnPropertyNames(frame.contentWindow!));
      return {
        root: zone.shadowRoot,
        own: Object.getOwnPropertyNames(zone),
        text: zone.textContent,
        globals: Object.getOwnPropertyNames(window).filter(
          (name) => !fresh.has(name) && !name.startsWith('__'),
        ),
      };
    });
    expect(seen.root).toBeNull();
    expect(seen.own).toEqual([]);
    expect(seen.text).toBe('');
    expect(seen.globals.filter((name) => !/^\d+$/.test(name))).toEqual([]);
  });

  // Proves DEL-16
  it('shows markup in an advertiser’s texts as text', async () => {
    const title = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
    tag.host.serve('a', { title, text: '<b onclick=alert(1)>bold</b> &amp;' });
    tag.host.serve('b', {
      kind: 'image',
      src: tag.host.fixture('ad.png'),
      title: '"><svg onload="window.hit=1">',
    });
    const page = await tag.open(snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'b'));
    await rendered(page, ['a', 'b']);
    expect(await page.locator('[zone=a] b').textContent()).toBe(title);
    expect(await page.locator('[zone=a] span').textContent()).toContain('<b onclick=alert(1)>bold</b> &amp;');
    expect(await page.locator('[zone=a] img, [zone=a] script, [zone=b] svg').count()).toBe(0);
    expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  });

  // Proves DEL-16
  it('stores nothing for the tag and sends it no cookies, although the host sets one', async () => {
    tag.host.serve('a', { kind: 'image', src: tag.host.fixture('ad.png') });
    tag.host.serve('b', {
      kind: 'video',
      src: tag.host.fixture('ad.mp4'),
      poster: tag.host.fixture('ad.jpg'),
    });
    const page = await tag.open('');
    await page.goto(`${tag.host.origin}/login`);
    const jar = () => page.context().cookies(tag.host.origin);
    expect(await jar()).toHaveLength(1);
    tag.host.requests.length = 0;
    await page.goto(
      tag.publisher.put('/cookies', snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'b')),
    );
    await expect.poll(() => tag.host.to('/view/b').length).toBe(1);
    const requests = tag.host.requests.filter(({ path }) => path !== '/favicon.ico');
    expect(requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(
      expect.arrayContaining([
        '/api/serve/zone/a',
        '/api/serve/ads',
        '/fixture/ad.png',
        '/fixture/ad.mp4',
        '/fixture/ad.jpg',
        '/view/a',
        '/view/b',
      ]),
    );
    expect(requests.filter(({ headers }) => headers.cookie)).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  });
});

describe('the rendered ad', () => {
  it('keeps the longest texts inside a zone of each size, in complete lines', async () => {
    const zoneOf = ([width, height]: readonly [number, number]) => `z${width}x${height}`;
    for (const size of sizes) {
      const [width, height] = size;
      tag.host.serve(zoneOf(size), { ...longest, css: adStyle({ ...plain, width, height }, 'text') });
    }
    const page = await tag.open(
      sizes.map((size) => snippet(tag.host.origin, zoneOf(size), ...size)).join(''),
    );
    await rendered(page, sizes.map(zoneOf));
    for (const size of sizes) {
      const [width, height] = size;
      const { box, mark, link, title, words, tooWide } = await page
        .locator(`[zone=${zoneOf(size)}]`)
        .evaluate((zone) => {
          const part = (selector: string) => zone.shadowRoot!.querySelector<HTMLElement>(selector)!;
          const boxOf = (element: Element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return { x, y, width, height };
          };
          const textOf = (element: Element) => {
            const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
            return { ...boxOf(element), lines: element.clientHeight / lineHeight };
          };
          const link = part('a:last-child');
          return {
            box: boxOf(zone),
            mark: boxOf(part('a:first-child')),
            link: boxOf(link),
            title: textOf(part('b')),
            words: textOf(part('span')),
            tooWide: link.scrollWidth - link.clientWidth,
          };
        });
      expect(link).toEqual(box);
      expect([box.width, box.height]).toEqual([width, height]);
      expect([mark.x - box.x, mark.y - box.y]).toEqual([1, 1]);
      for (const part of [title, words]) {
        expect(part.height).toBeGreaterThan(0);
        expect(part.x - box.x).toBeGreaterThan(0);
        expect(part.x + part.width).toBeLessThan(box.x + width);
        expect(part.y + part.height).toBeLessThan(box.y + height);
        // The texts are beside or below the 'Ad' mark.
        expect(part.x >= mark.x + mark.width || part.y >= mark.y + mark.height).toBe(true);
        // The browser rounds the height to whole pixels.
        expect(Math.abs(part.lines - Math.round(part.lines))).toBeLessThan(0.05);
      }
      expect(words.y).toBeGreaterThanOrEqual(title.y + title.height);
      expect(tooWide).toBe(0);
    }
  });

  it('shows all of a PNG, JPEG or GIF image in a zone of another shape', async () => {
    const kinds = ['png', 'jpg', 'gif'];
    for (const kind of kinds)
      tag.host.serve(kind, { kind: 'image', src: tag.host.fixture(`ad.${kind}`), title: 'Harbor Tea' });
    const page = await tag.open(kinds.map((kind) => snippet(tag.host.origin, kind, 160, 600)).join(''));
    await expect.poll(() => tag.host.to('/view/').length).toBe(3);
    for (const kind of kinds) {
      const image = page.locator(`[zone=${kind}] img`);
      expect(await image.getAttribute('alt')).toBe('Harbor Tea');
      expect(await image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300);
      expect(await image.boundingBox()).toMatchObject({ width: 160, height: 600 });
      expect(await image.evaluate((img) => getComputedStyle(img).objectFit)).toBe('contain');
    }
  });

  it('opens its target in a new tab by mouse and by keyboard, and the page stays open', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(snippet(tag.host.origin, 'a'));
    await rendered(page, 'a');
    const link = page.locator(shadow('a')).last();
    for (const act of [() => link.click(), () => link.press('Enter')]) {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), act()]);
      await tab.waitForLoadState();
      expect(tab.url()).toBe(`${tag.host.origin}/click/a`);
      expect(await tab.evaluate(() => window.opener as unknown)).toBeNull();
      await tab.close();
    }
    expect(page.url()).toContain(tag.publisher.origin);
    expect(await link.getAttribute('rel')).toBe('sponsored nofollow noopener');
  });

  it('opens its target on a click on the video, and the video’s controls still work', async () => {
    tag.host.serve('v', { kind: 'video', src: tag.host.fixture('ad.mp4') });
    const page = await tag.open(snippet(tag.host.origin, 'v'));
    const video = page.locator(shadow('video'));
    await page.waitForFunction(
      () => document.querySelector('ad-zone')?.shadowRoot?.querySelector('video')?.currentTime,
    );
    // Chromium's play button is at this position.
    await video.click({ position: { x: 28, y: 205 } });
    await expect.poll(() => video.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
    expect(page.context().pages()).toHaveLength(1);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      video.click({ position: { x: 150, y: 80 } }),
    ]);
    await tab.waitForLoadState();
    expect(tab.url()).toBe(`${tag.host.origin}/click/v`);
  });

  it("has an 'Ad' mark that opens the 'Why this ad?' page, and a house ad has none", async () => {
    tag.host.serve('a', {});
    tag.host.serve('h', { kind: 'house', title: 'Advertise here', text: 'from $5.00 a day', why: undefined });
    const page = await tag.open(snippet(tag.host.origin, 'a') + snippet(tag.host.origin, 'h'));
    await rendered(page, ['a', 'h']);
    const mark = page.locator('[zone=a] a', { hasText: /^Ad$/ });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), mark.click()]);
    expect(tab.url()).toBe(`${tag.host.origin}/why/a`);
    expect(await page.locator('[zone=h] a').allTextContents()).toEqual([
      'Advertise herefrom $5.00 a daytea.example',
    ]);
  });

  it('shows the keyboard focus', async () => {
    tag.host.serve('a', {});
    const page = await tag.open(snippet(tag.host.origin, 'a'));
    await rendered(page, 'a');
    const outline = () =>
      page
        .locator(shadow('a'))
        .last()
        .evaluate((a) => getComputedStyle(a).outlineStyle);
    expect(await outline()).toBe('none');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await outline()).not.toBe('none');
  });

  it.each([
    ['light', 'rgb(255, 255, 255)', 'rgb(0, 0, 0)', 'rgb(194, 65, 12)'],
    ['dark', 'rgb(18, 18, 18)', 'rgb(255, 255, 255)', 'rgb(209, 111, 70)'],
  ])('uses the %s color scheme of its page', async (scheme, surface, ink, accent) => {
    tag.host.serve('a', {});
    tag.host.serve('c', { css: adStyle({ ...DEFAULT_ZONE, look: 'card', accent: '#c2410c' }, 'text') });
    const page = await tag.open(
      `<style>:root{color-scheme:${scheme};color:teal}</style>${snippet(tag.host.origin, 'a')}${snippet(tag.host.origin, 'c')}`,
    );
    const colorsOf = async (zone: string) => {
      await rendered(page, zone);
      return await page
        .locator(`[zone=${zone}] a`)
        .last()
        .evaluate((a) => {
          const { backgroundColor, color } = getComputedStyle(a);
          const sign = getComputedStyle(a, '::before').backgroundColor;
          return { backgroundColor, color, sign };
        });
    };
    // A plain ad is written on the page itself, in the page's color.
    expect(await colorsOf('a')).toEqual({
      backgroundColor: 'rgba(0, 0, 0, 0)',
      color: 'rgb(0, 128, 128)',
      sign: 'rgba(0, 0, 0, 0)',
    });
    expect(await colorsOf('c')).toEqual({ backgroundColor: surface, color: ink, sign: accent });
  });

  it('is an empty box of the zone’s size when there is no ad', async () => {
    tag.host.serve('other', {});
    const page = await tag.open(snippet(tag.host.origin, 'nothing') + snippet(tag.host.origin, 'other'));
    await rendered(page, 'other');
    await afterPendingRequests(page, tag.host);
    expect(await page.locator('[zone=nothing]').evaluate((zone) => zone.shadowRoot!.childElementCount)).toBe(
      0,
    );
    expect(await page.locator('[zone=nothing]').boundingBox()).toMatchObject({ width: 300, height: 250 });
  });
});
