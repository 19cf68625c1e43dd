/** Visits of many browsers to a page with an ad zone, as the server sees them behind a proxy. */
import { renderProof } from '#domain/delivery/render-proof.ts';
import { type BrowserName, BROWSERS, headersOf, sendExactly } from './browsers.ts';

export const BROWSER_NAMES = Object.keys(BROWSERS) as BrowserName[];

export type Visits = {
  visitors: number;
  /** The headers of each visitor, beside those of their browser; null leaves one out. */
  headers?: (index: number) => Record<string, string | null>;
  /** The query of each report, by its address. */
  query?: (view: string) => string;
  /** How often each view is reported. */
  times?: number;
  /** The browser of all. */
  browser?: BrowserName;
};

type Place = { url: string; zone: string; clock: { advance: (ms: number) => void } };

/** Each visitor has a browser and a network, requests an ad and reports its view two seconds later. */
export async function sendVisits(
  { url, zone, clock }: Place,
  { visitors, headers = () => ({}), query = renderProof, times = 1, browser }: Visits,
): Promise<void> {
  const sent = Array.from({ length: visitors }, (_, index) => {
    const all = {
      ...headersOf(browser ?? BROWSER_NAMES[index % BROWSER_NAMES.length]!, 'fetch'),
      'x-forwarded-for': `91.64.${index % 250}.1`,
      ...headers(index),
    };
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    );
  });
  const views: string[] = [];
  for (const own of sent) {
    const { text } = await sendExactly(`${url}/api/serve/ads?z=${zone}`, 'GET', own);
    views.push((JSON.parse(text) as { ads: { view?: string }[] }).ads[0]?.view ?? '');
  }
  clock.advance(2000);
  for (const [index, view] of views.entries())
    for (let time = 0; time < times; time++)
      await sendExactly(`${view}?${query(view)}`, 'POST', sent[index]!);
}

/** The proof of a page on which Prototype has replaced Array.from. */
export const PROTOTYPE_PROOF = ',,,,,,,,,,,,,,,';

/** The headers of a browser behind CloudFront with its default policy. */
export const CLOUDFRONT_HEADERS: Record<string, string | null> = {
  'user-agent': 'Amazon CloudFront',
  origin: null,
  'accept-language': null,
  'sec-fetch-site': null,
  'sec-fetch-mode': null,
  'sec-fetch-dest': null,
  'sec-ch-ua': null,
  'sec-ch-ua-platform': null,
  'sec-ch-ua-mobile': null,
};

/** Ad requests of Google's IMA player, which come from the page of Google's script. */
export async function sendImaRequests({ url, zone }: Pick<Place, 'url' | 'zone'>, requests: number) {
  for (let request = 0; request < requests; request++) {
    const headers = {
      ...headersOf(BROWSER_NAMES[request % BROWSER_NAMES.length]!, 'fetch', 'https://imasdk.googleapis.com'),
      'x-forwarded-for': `91.64.${request}.1`,
    };
    await sendExactly(`${url}/api/serve/vast/${zone}`, 'GET', headers);
  }
}
