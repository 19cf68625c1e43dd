/**
 * The parts of the fraud exercise's players: addresses, the headers that real browsers send, and the habits of readers.
 * Everything is drawn from one seeded generator, so that a seed repeats a day exactly.
 *
 * Sources of the habits:
 * - Click-through rate of display ads: 0.05% to 0.1% (DoubleClick, through eMarketer's benchmarks, 2017,
 *   https://benchmarks.emarketer.com/channel/58fe4fd6d2670009840a9ee3/58eb690adc3d370d90af58ce). Readers here click on
 *   0.3%, because small sites that sell their zones themselves have higher rates.
 * - Viewability: 60% of the impressions that are bought from publishers (Integral Ad Science, H2 2016,
 *   https://www.marketingcharts.com/digital-76404).
 */
import type { Headers } from './visit.ts';

export type Random = () => number;

/** A value of a log-normal distribution, as reading and reaction times have. `spread` is the sigma of its log. */
export function logNormal(random: Random, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(spread * normal);
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** The index of a weighted choice. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => (left -= weight) < 0);
  return found < 0 ? weights.length - 1 : found;
}

/** Visits per hour of the day, UTC, of a site with readers in one part of the world: a low at night, a high at 20:00. */
export const READING_HOURS = [
  20, 12, 8, 6, 6, 9, 18, 32, 45, 52, 55, 56, 60, 58, 56, 55, 58, 64, 72, 82, 88, 80, 60, 36,
];
/** One shift of paid work. */
export const WORKING_HOURS = [
  0, 0, 0, 0, 0, 0, 0, 10, 50, 60, 60, 60, 20, 60, 60, 60, 55, 15, 0, 0, 0, 0, 0, 0,
];

/** First bytes of home and mobile connections, with next to no networks on the list of data centers. */
const HOME = [24, 67, 68, 73, 79, 82, 86, 90];

/** An IPv4 /24 of a home or mobile connection, such as '73.12.200'. */
export function network(random: Random): string {
  return `${pick(random, HOME)}.${1 + Math.floor(random() * 250)}.${1 + Math.floor(random() * 250)}`;
}

export function addressIn(random: Random, of: string): string {
  return `${of}.${1 + Math.floor(random() * 250)}`;
}

/** The headers of a browser, without those that depend on the request. */
export type Browser = { userAgent: string; fixed: Headers };

const LANGUAGES = [
  'en-US,en;q=0.9',
  'en-GB,en-US;q=0.9,en;q=0.8',
  'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'es-ES,es;q=0.9,en;q=0.8',
  'fr-FR,fr;q=0.9,en-US;q=0.8,en;q=0.7',
];

const chromium = (platform: string, system: string, version: number, mobile: boolean): Browser => ({
  userAgent: `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${mobile ? 'Mobile ' : ''}Safari/537.36`,
  fixed: {
    'sec-ch-ua': `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not?A_Brand";v="24"`,
    'sec-ch-ua-mobile': mobile ? '?1' : '?0',
    'sec-ch-ua-platform': `"${platform}"`,
    'accept-encoding': 'gzip, deflate, br, zstd',
  },
});
const edge = (version: number): Browser => {
  const { userAgent, fixed } = chromium('Windows', 'Windows NT 10.0; Win64; x64', version, false);
  return {
    userAgent: `${userAgent} Edg/${version}.0.0.0`,
    fixed: {
      ...fixed,
      'sec-ch-ua': `"Chromium";v="${version}", "Microsoft Edge";v="${version}", "Not?A_Brand";v="24"`,
    },
  };
};
const plain = (userAgent: string): Browser => ({
  userAgent,
  fixed: { 'accept-encoding': 'gzip, deflate, br' },
});
const firefox = (system: string, version: number): Browser => ({
  userAgent: `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
  fixed: { 'accept-encoding': 'gzip, deflate, br, zstd' },
});
const safari = (system: string, version: string): Browser =>
  plain(
    `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`,
  );
const iPhone = (version: string): Browser =>
  plain(
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${version.replace('.', '_')} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`,
  );

const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';
/** The newest version of Chromium and the versions before it. */
const VERSIONS = [150, 149, 148, 147];

/** Mobile browsers with their rough shares. Android's Chromium names no device since 2023 ('Android 10; K'). */
const MOBILE: readonly (readonly [share: number, Browser])[] = [
  ...VERSIONS.map(
    (version, at) =>
      [[28, 9, 3, 2][at]!, chromium('Android', 'Linux; Android 10; K', version, true)] as const,
  ),
  ...['26.1', '26.0', '18.7', '18.6', '17.6'].map(
    (version, at) => [[16, 10, 8, 5, 3][at]!, iPhone(version)] as const,
  ),
  [4, firefox('Android 15; Mobile', 145)],
];
const DESKTOP: readonly (readonly [share: number, Browser])[] = [
  ...VERSIONS.map(
    (version, at) => [[24, 9, 4, 2][at]!, chromium('Windows', WINDOWS, version, false)] as const,
  ),
  ...VERSIONS.slice(0, 2).map(
    (version, at) => [[9, 4][at]!, chromium('macOS', MAC, version, false)] as const,
  ),
  [3, chromium('Linux', 'X11; Linux x86_64', 150, false)],
  [9, edge(150)],
  [3, edge(149)],
  [7, safari(MAC, '26.1')],
  [4, safari(MAC, '18.6')],
  [4, firefox('Windows NT 10.0; Win64; x64', 145)],
  [2, firefox('X11; Linux x86_64', 145)],
  [2, firefox('Macintosh; Intel Mac OS X 10.15', 144)],
];

function browserOf(random: Random, among: readonly (readonly [number, Browser])[]): Browser {
  const [, browser] =
    among[
      weighted(
        random,
        among.map(([share]) => share),
      )
    ]!;
  // Three of five readers of a site share its language.
  const language = random() < 0.6 ? LANGUAGES[0]! : pick(random, LANGUAGES);
  return { ...browser, fixed: { ...browser.fixed, 'accept-language': language } };
}

export const phone = (random: Random): Browser => browserOf(random, MOBILE);
export const anyBrowser = (random: Random): Browser => browserOf(random, random() < 0.55 ? MOBILE : DESKTOP);

/**
 * A browser that makes all of its users alike: Firefox with `privacy.resistFingerprinting` names one system, one
 * language and a long-term version.
 */
export const PRIVACY_BROWSER: Browser = {
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
  fixed: {
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': 'en-US,en;q=0.5',
    'sec-gpc': '1',
  },
};

/** Chromium with the usual 'stealth' patches: its headers are those of the same Chrome with a window. */
export const HEADLESS: Browser = (() => {
  const browser = chromium('Linux', 'X11; Linux x86_64', 149, false);
  return { ...browser, fixed: { ...browser.fixed, 'accept-language': 'en-US,en;q=0.9' } };
})();

export const GOOGLEBOT: Browser = {
  userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  fixed: {},
};
