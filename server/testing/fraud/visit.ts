/** One page that a player loads, or pretends to load. */
import type { Browser } from './people.ts';

export type Headers = Record<string, string>;

export type Visit = {
  atMs: number;
  address: string;
  browser: Browser;
  /** 'browser' adds the headers that a browser adds to each kind of request; 'script' sends a user agent and an origin. */
  sends: 'browser' | 'script';
  /** Whether this client loads the tag first. A browser that has it in its cache, and a script, do not. */
  loadsTag: boolean;
  /** After the decision, in milliseconds; null if the client reports none. */
  viewAfterMs: number | null;
  renderedAfterMs: number | null;
  clickAfterMs: number | null;
  /** Whether a layout engine places the boxes of the proof. A script that only sends requests has none. */
  laysOut: boolean;
  /** Whether the client waits for the page that a click leads to, and runs its script. */
  lands?: boolean;
  /** How many invented orders the client reports with the token of its click. */
  fakesOrders?: number;
};

/** The headers of the requests that the tag and a click cause. Names are in the order of Chromium. */
export function headersOf(visit: Visit, site: string, request: 'tag' | 'ad' | 'report' | 'click'): Headers {
  const { browser, address } = visit;
  const base: Headers = { 'x-forwarded-for': address, 'user-agent': browser.userAgent };
  if (visit.sends === 'script') return request === 'click' ? base : { ...base, origin: site };
  const fetched = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', referer: `${site}/` };
  const headers = { ...base, ...browser.fixed };
  switch (request) {
    case 'tag':
      return { ...headers, ...fetched, accept: '*/*', origin: site, 'sec-fetch-dest': 'script' };
    case 'ad':
    case 'report':
      return { ...headers, ...fetched, accept: '*/*', origin: site, 'sec-fetch-dest': 'empty' };
    case 'click':
      return {
        ...headers,
        'upgrade-insecure-requests': '1',
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-user': '?1',
        'sec-fetch-dest': 'document',
        referer: `${site}/`,
      };
  }
}
