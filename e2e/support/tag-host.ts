/**
 * Stands in for the server behind the tag. It serves the built tag and answers by the wire contract as each test
 * chooses, also with answers that a working server never gives.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import path from 'node:path';
import { expect } from 'vitest';
import { adStyle } from '#domain/delivery/ad-style.ts';
import { DELIVERY_PLACEHOLDER, type ServedAd } from '#domain/delivery/wire.ts';
import { listen, stop } from './publisher.ts';

const root = path.resolve(import.meta.dirname, '../..');
const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  mp4: 'video/mp4',
};

export type RecordedRequest = {
  method: string;
  /** Without the proof of a report, and without the number by which the address of a decision is a new one. */
  path: string;
  /** The proof that a browser rendered the ad, or undefined. */
  proof?: string;
  headers: IncomingHttpHeaders;
};

export type TagHost = {
  origin: string;
  requests: RecordedRequest[];
  /** The requests so far whose path starts with `start`. */
  to(start: string): RecordedRequest[];
  /** Waits for a request whose path ends with `end`. It may have arrived before this call. */
  got(end: string): Promise<void>;
  /** Sets the ad of a zone. A zone without an ad is answered with kind 'none'. `needs` is the first answer to the tag. */
  serve(zone: string, ad: Partial<ServedAd>): void;
  /** Answers the requests for decisions instead of `serve`. A function that does nothing simulates a slow server. */
  decide: ((response: ServerResponse) => void) | undefined;
  fixture(name: string): string;
  close(): Promise<void>;
};

/** The zone of the default embed code. */
export const DEFAULT_ZONE = { width: 300, height: 250, look: 'plain', accent: null } as const;

function styledAs({ kind }: Partial<ServedAd>): 'text' | 'media' | 'open' {
  if (kind === 'house') return 'open';
  return kind === 'image' || kind === 'video' ? 'media' : 'text';
}

export async function startTagHost(): Promise<TagHost> {
  const ads = new Map<string, Partial<ServedAd>>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    const { method = '', headers } = request;
    const [, named = '', proof] = /^(.*?)(?:[?=](\d+,[\d,]+)|&0\.\d+)?$/.exec(request.url ?? '') ?? [];
    host.requests.push({ method, path: named, ...(proof && { proof }), headers });
    response.setHeader('Access-Control-Allow-Origin', '*');
    // The host sets a cookie, which the tag must not send back.
    response.setHeader('Set-Cookie', 'login=secret; Path=/');
    if (/^\/api\/serve\/(zone\/|\w+\.js$)/.test(url.pathname)) {
      const name = url.pathname.startsWith('/api/serve/zone/') ? 'tag.js' : path.basename(url.pathname);
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
      response.end(built(name).replaceAll(DELIVERY_PLACEHOLDER, host.origin));
    } else if (url.pathname === '/api/serve/ads') {
      if (host.decide) return host.decide(response);
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Cache-Control', 'no-store');
      const zones = (url.searchParams.get('z') ?? '').split(',');
      const canAskAgain = url.search.startsWith('?n&');
      response.end(JSON.stringify({ ads: zones.map((zone) => answer(zone, canAskAgain)) }));
    } else if (url.pathname.startsWith('/fixture/')) {
      sendFixture(path.basename(url.pathname), response);
    } else if (request.method === 'POST') {
      response.writeHead(204).end();
    } else {
      response.setHeader('Content-Type', 'text/html');
      response.end('<title>Landed</title>Landed');
    }
  });

  function answer(zone: string, canAskAgain: boolean): ServedAd {
    const { needs, ...ad } = ads.get(zone) ?? { kind: 'none' };
    if (ad.kind === 'none') return { zone, kind: 'none' };
    if (needs !== undefined && canAskAgain) return { zone, kind: 'none', needs };
    return {
      zone,
      kind: 'text',
      title: 'Fresh leaf tea',
      text: 'A new harvest in your letter box every Monday.',
      site: 'tea.example',
      css: adStyle(DEFAULT_ZONE, styledAs(ad)),
      click: `${host.origin}/click/${zone}`,
      why: `${host.origin}/why/${zone}`,
      // The area of the default embed code, 300 x 250.
      area: 75_000,
      ...(ad.kind !== 'house' && { view: `${host.origin}/view/${zone}` }),
      ...ad,
    };
  }

  const host: TagHost = {
    origin: `http://127.0.0.1:${await listen(server, '127.0.0.1')}`,
    requests: [],
    to: (start) => host.requests.filter((request) => request.path.startsWith(start)),
    got: async (end) =>
      await expect
        .poll(() => host.requests.map((request) => request.path))
        .toContainEqual(expect.stringMatching(new RegExp(`${end}$`))),
    serve: (zone, ad) => ads.set(zone, ad),
    decide: undefined,
    fixture: (name) => `${host.origin}/fixture/${name}`,
    close: () => stop(server),
  };
  return host;
}

function built(name: string): string {
  return readFileSync(path.join(root, 'dist/tag', name), 'utf8');
}

function sendFixture(name: string, response: ServerResponse): void {
  const type = types[path.extname(name).slice(1)];
  readFile(path.join(root, 'e2e/fixtures', name)).then(
    (bytes) => response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes),
    () => response.writeHead(404).end(),
  );
}
