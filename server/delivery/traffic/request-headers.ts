import type http from 'node:http';
import { isLoopback } from '#server/platform/net/networks.ts';
import { type Browser, MAX_LENGTH, pageOf, siteOf } from './traffic.ts';
import type { Engine } from './user-agent.ts';

/**
 * How a browser makes a request to the ad server: the tag's fetch() for an ad or a report, a player's fetch() for a VAST
 * document, a player's report, usually an image, or a click.
 */
export type RequestUse = 'tag' | 'player' | 'pixel' | 'click';

/**
 * The first versions that send these headers (MDN browser-compat-data), as in UserAgent.version. `tag` is the first
 * version that can run our tag, which needs AbortSignal.timeout and the syntax of ES2022. Platform and mobile hints came
 * later than the brands, so `hints` is the first version that sends all three.
 */
const FIRST_VERSION: Record<Engine, { metadata: number; hints: number; tag: number }> = {
  chromium: { metadata: 8000, hints: 9600, tag: 10_300 },
  gecko: { metadata: 9000, hints: Infinity, tag: 10_000 },
  webkit: { metadata: 1604, hints: Infinity, tag: 1600 },
};

/**
 * Finds requests that the browser named in their User-Agent would never send: `Sec-Fetch-*`, `Sec-CH-UA*` or
 * `Accept-Language` are missing or contradict it. Browsers send the first two to https and loopback addresses only, so
 * behind another DELIVERY_URL they may be missing. A browser with an unknown engine must send what all engines of today
 * send. Apps on Android that replace the User-Agent send no client hints, so a web view may omit them. [IVT-01]
 */
export function createHeaderRules({ deliveryUrl }: { deliveryUrl: string }) {
  const delivery = { origin: new URL(deliveryUrl).origin, site: siteOf(deliveryUrl) };
  const isSecure = deliveryUrl.startsWith('https:') || isLoopback(deliveryUrl);

  /** Whether Sec-Fetch-Site is possible for a request of a page with this origin. */
  function isPossibleSite(use: RequestUse, site: string, origin: string | undefined): boolean {
    if (use === 'click') return true;
    // Only a person's own navigation has no initiator.
    if (site === 'none') return false;
    if (origin === undefined || site === 'cross-site') return true;
    return site === 'same-origin' ? origin === delivery.origin : pageOf(origin).site === delivery.site;
  }

  function hasPossibleMetadata(headers: http.IncomingHttpHeaders, use: RequestUse, must: boolean): boolean {
    const site = headers['sec-fetch-site'];
    const mode = headers['sec-fetch-mode'];
    const destination = headers['sec-fetch-dest'];
    if (site === undefined && mode === undefined && destination === undefined) return !must;
    if (typeof site !== 'string' || mode === undefined || destination === undefined) return false;
    if (use === 'click') return mode === 'navigate' && destination === 'document';
    if (!isPossibleSite(use, site, headers.origin)) return false;
    if (use === 'pixel')
      return (mode === 'no-cors' || mode === 'cors') && (destination === 'image' || destination === 'empty');
    return mode === 'cors' && destination === 'empty';
  }

  function hasPossibleHints(headers: http.IncomingHttpHeaders, browser: Browser, must: boolean): boolean {
    const { userAgent } = browser;
    const brands = headers['sec-ch-ua'];
    const platform = headers['sec-ch-ua-platform'];
    const mobile = headers['sec-ch-ua-mobile'];
    if (!brands) return !must;
    // Gecko and WebKit have no client hints.
    if (userAgent.brand === null) return userAgent.engine === null;
    if (typeof brands !== 'string' || !hasPossibleBrands(browser, brands)) return false;
    if (platform === undefined || mobile === undefined) return !must;
    if ((mobile === '?1') !== userAgent.mobile) return false;
    return (
      (platform === '"Windows"') === (userAgent.platform === 'windows') &&
      (platform === '"macOS"') === (userAgent.platform === 'mac')
    );
  }

  return {
    isImpossible(headers: http.IncomingHttpHeaders, browser: Browser, use: RequestUse): boolean {
      const { engine, version, name } = browser.userAgent;
      if (!headers['accept-language']) return true;
      const first = engine === null ? null : FIRST_VERSION[engine];
      const atLeast = (since: number) => version !== null && version >= since;
      if (use === 'tag' && first !== null && version !== null && version < first.tag) return true;
      const mustTell = isSecure && (first === null || atLeast(first.metadata));
      if (!hasPossibleMetadata(headers, use, mustTell)) return true;
      const mustHint = isSecure && first !== null && atLeast(first.hints) && name !== 'webview';
      return !hasPossibleHints(headers, browser, mustHint);
    },
  };
}

/**
 * Whether this browser can send these brands. It repeats them with every request, so the last text is compared before
 * it is searched.
 */
function hasPossibleBrands(browser: Browser, text: string): boolean {
  if (browser.lastBrands?.text === text) return browser.lastBrands.possible;
  const { brand, ownBrand, name } = browser.userAgent;
  const possible =
    (brand === null || text.includes(brand)) &&
    (ownBrand === null || text.includes(ownBrand)) &&
    !text.includes('Headless') &&
    !(name === 'chrome' && text.includes('"Microsoft Edge"'));
  if (text.length <= MAX_LENGTH) browser.lastBrands = { text, possible };
  return possible;
}
export type HeaderRules = ReturnType<typeof createHeaderRules>;
