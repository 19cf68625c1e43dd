import { describe, expect, it } from 'vitest';
import { type BrowserName, BROWSERS, headersOf, type SentAs } from '#server/testing/delivery/browsers.ts';
import { createHeaderRules, type RequestUse } from './request-headers.ts';
import { browserOf } from './traffic.ts';

const rules = createHeaderRules({ deliveryUrl: 'https://ads.example' });
const names = Object.keys(BROWSERS) as BrowserName[];
const sentAs: [RequestUse, SentAs][] = [
  ['tag', 'fetch'],
  ['player', 'fetch'],
  ['pixel', 'image'],
  ['pixel', 'fetch'],
  ['click', 'navigation'],
];

type Changes = Record<string, string | undefined>;
function isImpossible(headers: Changes, use: RequestUse = 'tag', on = rules): boolean {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return on.isImpossible(sent, browserOf(headers['user-agent'] ?? ''), use);
}
const changed = (name: BrowserName, changes: Changes) => ({ ...headersOf(name, 'fetch'), ...changes });

const NO_METADATA = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, 'sec-fetch-dest': undefined };
const NO_HINTS = { 'sec-ch-ua': undefined, 'sec-ch-ua-mobile': undefined, 'sec-ch-ua-platform': undefined };
const safari = (version: string) => ({
  'user-agent': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`,
});

describe('the header rules', () => {
  // Proves IVT-01
  it.each(names)('accept every kind of request by %s', (name) => {
    for (const [use, as] of sentAs)
      expect([use, isImpossible(headersOf(name, as), use)]).toEqual([use, false]);
    expect(isImpossible(changed(name, { origin: 'null' }))).toBe(false);
    expect(
      isImpossible(changed(name, { 'sec-fetch-site': 'same-site', origin: 'https://www.ads.example' })),
    ).toBe(false);
    expect(
      isImpossible(changed(name, { 'sec-fetch-site': 'same-origin', origin: 'https://ads.example' })),
    ).toBe(false);
    // A person may paste the link of an ad.
    expect(isImpossible({ ...headersOf(name, 'navigation'), 'sec-fetch-site': 'none' }, 'click')).toBe(false);
  });

  // Proves IVT-01
  it.each(names)(
    'reject a request by %s without Sec-Fetch-*, without Accept-Language, or with an impossible one',
    (name) => {
      for (const [use, as] of sentAs) {
        const headers = headersOf(name, as);
        for (const change of [
          NO_METADATA,
          { 'sec-fetch-site': undefined },
          { 'sec-fetch-mode': undefined },
          { 'sec-fetch-dest': undefined },
          { 'accept-language': undefined },
          { 'accept-language': '' },
          { 'sec-fetch-mode': 'websocket' },
          { 'sec-fetch-dest': 'script' },
          ...(use === 'click' ? [] : [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-mode': 'navigate' }]),
        ])
          expect([use, change, isImpossible({ ...headers, ...change }, use)]).toEqual([use, change, true]);
      }
      expect(isImpossible(changed(name, { 'sec-fetch-site': 'same-origin' }))).toBe(true);
      expect(isImpossible(changed(name, { 'sec-fetch-site': 'same-site' }))).toBe(true);
    },
  );

  // Proves IVT-01
  it('compare client hints with the browser that the User-Agent names', () => {
    const chrome = headersOf('Chrome on Windows', 'fetch');
    const edge = headersOf('Edge on Windows', 'fetch');
    const brands = (name: BrowserName) => ({ 'sec-ch-ua': headersOf(name, 'fetch')['sec-ch-ua'] });
    for (const [headers, change] of [
      [chrome, NO_HINTS],
      [chrome, { 'sec-ch-ua': '' }],
      [chrome, { 'sec-ch-ua-platform': undefined }],
      [chrome, { 'sec-ch-ua-mobile': undefined }],
      // Another version, another platform, another device, another browser.
      [chrome, brands('Chrome on macOS')],
      [chrome, { 'sec-ch-ua-platform': '"macOS"' }],
      [chrome, { 'sec-ch-ua-platform': '"Linux"' }],
      [headersOf('Brave on Linux', 'fetch'), { 'sec-ch-ua-platform': '"Windows"' }],
      [chrome, { 'sec-ch-ua-mobile': '?1' }],
      [chrome, brands('Edge on Windows')],
      [edge, brands('Chrome on Windows')],
      // A headless Chrome whose User-Agent was replaced.
      [chrome, { 'sec-ch-ua': '"Chromium";v="150", "HeadlessChrome";v="150", "Not/A)Brand";v="24"' }],
      // Firefox and Safari have no client hints.
      [headersOf('Firefox on Windows', 'fetch'), brands('Chrome on Windows')],
      [headersOf('Safari on macOS', 'fetch'), brands('Chrome on macOS')],
    ] as [Record<string, string>, Changes][])
      expect([change, isImpossible({ ...headers, ...change })]).toEqual([change, true]);
    expect(isImpossible(changed('a web view on Android', NO_HINTS))).toBe(false);
  });

  // Proves IVT-01
  it('expect of older browsers what they can send, and no request of a browser that cannot run the tag', () => {
    const old = { ...headersOf('Safari on macOS', 'fetch'), ...NO_METADATA };
    expect(isImpossible({ ...old, ...safari('16.3') })).toBe(false);
    expect(isImpossible({ ...old, ...safari('16.4') })).toBe(true);
    expect(isImpossible({ ...old, ...safari('15.6') })).toBe(true);
    // A player runs in older browsers than the tag.
    expect(isImpossible({ ...old, ...safari('15.6') }, 'player')).toBe(false);
    const firefox = (version: number) => ({
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
      'accept-language': 'en-US',
    });
    expect(isImpossible(firefox(89), 'player')).toBe(false);
    expect(isImpossible(firefox(90), 'player')).toBe(true);
    expect(isImpossible({ ...headersOf('Firefox on Windows', 'fetch'), ...firefox(99) })).toBe(true);
    // An invented or unknown browser must send what all engines of today send.
    const unknown = { ...headersOf('Firefox on Windows', 'fetch'), 'user-agent': 'Ladybird/2.0' };
    expect(isImpossible(unknown)).toBe(false);
    expect(isImpossible({ ...unknown, ...NO_METADATA })).toBe(true);
    expect(
      isImpossible({ 'user-agent': 'Mozilla/4.0 (compatible; MSIE 8.0)', 'accept-language': 'en' }),
    ).toBe(true);
  });

  // Proves IVT-01
  it('do not expect over plain HTTP what browsers send only to secure addresses', () => {
    const plain = createHeaderRules({ deliveryUrl: 'http://ads.example' });
    const sent = changed('Chrome on Windows', { ...NO_METADATA, ...NO_HINTS });
    expect(isImpossible(sent, 'tag', plain)).toBe(false);
    expect(isImpossible({ ...sent, 'accept-language': undefined }, 'tag', plain)).toBe(true);
    expect(isImpossible(sent, 'tag', createHeaderRules({ deliveryUrl: 'http://localhost:3000' }))).toBe(true);
  });
});

describe('the kinds of browsers', () => {
  const kindOf = (userAgent: string) => browserOf(userAgent).userAgent.kind;
  // Proves IVT-04
  it('are few, and do not grow with invented names and versions', () => {
    const kinds = new Set(names.map((name) => kindOf(BROWSERS[name]['user-agent'])));
    expect(kinds.size).toBeGreaterThan(10);
    for (let each = 0; each < 500; each++) {
      const { 'user-agent': known } = BROWSERS[names[each % names.length] as BrowserName];
      kinds.add(kindOf(`${known} Invented${each}/1.0`));
      kinds.add(kindOf(known.replace(/\d+/g, String(each))));
      kinds.add(kindOf(`Invented${each}`));
    }
    expect(kinds.size).toBeLessThanOrEqual(40);
    expect(Math.max(...kinds)).toBeLessThan(40);
  });

  // Proves IVT-01
  it('are read from the User-Agent of each browser', () => {
    const read = (name: BrowserName) => {
      const { name: known, platform, engine, version } = browserOf(BROWSERS[name]['user-agent']).userAgent;
      return [known, platform, engine, version];
    };
    expect(read('Chrome on Windows')).toEqual(['chrome', 'windows', 'chromium', 15_000]);
    expect(read('Edge on Windows')).toEqual(['edge', 'windows', 'chromium', 15_000]);
    expect(read('Opera on Windows')).toEqual(['opera', 'windows', 'chromium', 14_800]);
    expect(read('Samsung Internet')).toEqual(['samsung', 'android', 'chromium', 13_600]);
    expect(read('a web view on Android')).toEqual(['webview', 'android', 'chromium', 15_000]);
    expect(read('an app on Android with its own User-Agent')).toEqual([
      'webview',
      'android',
      'chromium',
      15_000,
    ]);
    expect(read('Firefox on Android')).toEqual(['firefox', 'android', 'gecko', 14_800]);
    expect(read('Safari on macOS')).toEqual(['safari', 'mac', 'webkit', 2601]);
    expect(read('Safari on iOS')).toEqual(['safari', 'ios', 'webkit', 2601]);
    expect(read('Chrome on iOS')).toEqual(['chrome', 'ios', 'webkit', 1806]);
    expect(read('an app on iOS')).toEqual(['webview', 'ios', 'webkit', 1806]);
    expect(browserOf('Ladybird/2.0').userAgent).toMatchObject({ name: 'other', engine: null, version: null });
  });
});
