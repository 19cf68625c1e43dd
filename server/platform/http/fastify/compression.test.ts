import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';

const server = useServer();
let seller: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  // More than a thousand bytes in one answer.
  await makeWebsite(seller, { description: 'Reviews of keyboards. '.repeat(45) });
});

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Reads an answer as it is sent, with exactly these headers. */
async function read(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    get(server.url + path, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).on('error', reject);
  });
}

const PUBLIC = [
  '/api/openapi.json',
  '/measurement',
  '/verify-ledger',
  '/ad-archive',
  '/global-privacy-control',
];

describe('pages and JSON answers', () => {
  it.each([...PUBLIC, '/api/websites'])('are compressed: %s', async (path) => {
    const cookie: Record<string, string> = path === '/api/websites' ? { cookie: seller.cookie } : {};
    const plain = await read(path, cookie);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await read(path, { ...cookie, 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers.vary).toContain('Accept-Encoding');
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(body.length).toBeLessThan(plain.body.length / 2);
      expect(decode(body).toString()).toBe(plain.body.toString());
    }
  });

  it('are sent plain to a page of another site, which could guess a secret by their length', async () => {
    const call = async (site: string) =>
      (
        await read('/api/websites', {
          cookie: seller.cookie,
          'accept-encoding': 'br',
          'sec-fetch-site': site,
        })
      ).headers['content-encoding'];
    expect(await call('cross-site')).toBeUndefined();
    expect(await call('same-site')).toBeUndefined();
    expect(await call('same-origin')).toBe('br');
    expect(await call('none')).toBe('br');
    // Without a session there is no secret.
    const { headers } = await read('/measurement', {
      'accept-encoding': 'br',
      'sec-fetch-site': 'cross-site',
    });
    expect(headers['content-encoding']).toBe('br');
  });

  it.each(PUBLIC)('have an ETag where they are public, and are not sent again: %s', async (path) => {
    const first = await read(path, { 'accept-encoding': 'br' });
    expect(first.headers['cache-control']).toMatch(/^public/);
    const { etag = '' } = first.headers;
    const again = await read(path, { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    expect(again.headers.vary).toBe(first.headers.vary);
    expect((await read(path, { 'if-none-match': 'W/"another"' })).status).toBe(200);
  });

  it('have no ETag where they are private', async () => {
    const { headers } = await read('/api/websites', { cookie: seller.cookie });
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
  });

  it('are not compressed where that saves nothing, and not at all by the ad server', async () => {
    const small = await read('/api/health', { 'accept-encoding': 'br' });
    expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined]);
    const ads = await read(`/api/serve/ads?z=${'0'.repeat(36)}`, { 'accept-encoding': 'br' });
    expect([ads.status, ads.headers['content-encoding']]).toEqual([200, undefined]);
  });
});
