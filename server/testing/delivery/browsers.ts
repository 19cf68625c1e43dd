/** The headers of requests that today's browsers send to the ad server, for tests of the traffic rules. */
import { once } from 'node:events';
import http from 'node:http';
import { SITE } from './running-ads.ts';

/** How a browser makes a request: the tag's fetch(), an image of a video player, or a click. */
export type SentAs = 'fetch' | 'image' | 'navigation';

type Browser = {
  'user-agent': string;
  'accept-language': string;
  hints?: [brands: string, platform: string];
};

const chromium = (version: number, own: string, ownVersion = version) =>
  `"Chromium";v="${version}", "${own}";v="${ownVersion}", "Not/A)Brand";v="24"`;
const windows = (rest: string) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${rest}`;
const blink = (version: number, mobile = '') =>
  `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0${mobile} Safari/537.36`;
const iphone = (rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`;
const ENGLISH = 'en-US,en;q=0.9';

/** The browsers of most visitors, as they identify themselves. */
export const BROWSERS = {
  'Chrome on Windows': {
    'user-agent': windows(blink(150)),
    'accept-language': ENGLISH,
    hints: [chromium(150, 'Google Chrome'), '"Windows"'],
  },
  'Chrome on macOS': {
    'user-agent': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink(149)}`,
    'accept-language': 'de-DE,de;q=0.9',
    hints: [chromium(149, 'Google Chrome'), '"macOS"'],
  },
  'Chrome on Android': {
    'user-agent': `Mozilla/5.0 (Linux; Android 10; K) ${blink(150, ' Mobile')}`,
    'accept-language': ENGLISH,
    hints: [chromium(150, 'Google Chrome'), '"Android"'],
  },
  'Edge on Windows': {
    'user-agent': windows(`${blink(150)} Edg/150.0.0.0`),
    'accept-language': ENGLISH,
    hints: [chromium(150, 'Microsoft Edge'), '"Windows"'],
  },
  'Brave on Linux': {
    'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${blink(150)}`,
    'accept-language': 'en-US,en;q=0.5',
    hints: [chromium(150, 'Brave'), '"Linux"'],
  },
  'Opera on Windows': {
    'user-agent': windows(`${blink(148)} OPR/134.0.0.0`),
    'accept-language': ENGLISH,
    hints: [chromium(148, 'Opera', 134), '"Windows"'],
  },
  'Samsung Internet': {
    'user-agent':
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'accept-language': 'ko-KR,ko;q=0.9',
    hints: [chromium(136, 'Samsung Internet', 29), '"Android"'],
  },
  'a web view on Android': {
    'user-agent':
      'Mozilla/5.0 (Linux; Android 10; K; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/150.0.0.0 Mobile Safari/537.36',
    'accept-language': ENGLISH,
    hints: [chromium(150, 'Android WebView'), '"Android"'],
  },
  'an app on Android with its own User-Agent': {
    'user-agent': `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${blink(150, ' Mobile')} [FB_IAB/FB4A;FBAV/500.0.0;]`,
    'accept-language': ENGLISH,
  },
  'Firefox on Windows': {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:148.0) Gecko/20100101 Firefox/148.0',
    'accept-language': 'en-US,en;q=0.5',
  },
  'Firefox on Android': {
    'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:148.0) Gecko/148.0 Firefox/148.0',
    'accept-language': 'fr,fr-FR;q=0.8',
  },
  'Safari on macOS': {
    'user-agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'accept-language': 'en-GB,en;q=0.9',
  },
  'Safari on iOS': {
    'user-agent': iphone('Version/26.1 Mobile/15E148 Safari/604.1'),
    'accept-language': 'en-GB,en;q=0.9',
  },
  'Chrome on iOS': {
    'user-agent': iphone('CriOS/150.0.7200.0 Mobile/15E148 Safari/604.1'),
    'accept-language': 'en-GB,en;q=0.9',
  },
  'an app on iOS': { 'user-agent': iphone('Mobile/15E148 Instagram 400.0'), 'accept-language': 'it-IT' },
} as const satisfies Record<string, Browser>;
export type BrowserName = keyof typeof BROWSERS;

const METADATA: Record<SentAs, Record<string, string>> = {
  fetch: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  image: { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  navigation: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
};

/** The headers with which a page of `site` makes this browser send a request to the ad server at another address. */
export function headersOf(name: BrowserName, as: SentAs, site: string = SITE): Record<string, string> {
  const { hints, ...own }: Browser = BROWSERS[name];
  return {
    ...own,
    ...(hints && {
      'sec-ch-ua': hints[0],
      'sec-ch-ua-platform': hints[1],
      'sec-ch-ua-mobile': own['user-agent'].includes('Mobile') ? '?1' : '?0',
    }),
    'sec-fetch-site': 'cross-site',
    ...METADATA[as],
    ...(as === 'fetch' ? { origin: site } : { referer: `${site}/` }),
  };
}

/**
 * Sends a request with exactly these headers, and Host. fetch() of Node would send its own Sec-Fetch-Mode. Returns the
 * status, the address of a redirect and the body.
 */
export async function sendExactly(
  url: string,
  method: 'GET' | 'POST',
  headers: Record<string, string>,
): Promise<{ status: number; location: string | null; text: string }> {
  const request = http.request(url, { method, headers });
  request.end();
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return { status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text };
}
