/** Pages and files as the server sends them, read without a browser. */
import { get } from 'node:http';
import type { Fixture } from './fixture.ts';

/** The pages that the server prerenders for visitors. */
export const PUBLIC = ['/', '/demo'] as const;
/** The pages that only a signed-in user can open. */
export const PROTECTED = [
  '/dashboard',
  '/marketplace',
  '/create-ad',
  '/ad-zones',
  '/transactions',
  '/earnings',
  '/results',
  '/billing',
  '/settings',
  '/checkout/x',
];
/** The pages that are not for visitors, and an unknown one. */
export const OWN = [...PROTECTED, '/nope'];

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

export type RawPages = {
  /** Reads a page with exactly these headers. */
  read: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  html: (path: string, headers?: Record<string, string>) => Promise<string>;
};

/** Reads the pages of this fixture's server, which may start later. */
export function rawPagesOf(fixture: () => Fixture): RawPages {
  const read: RawPages['read'] = (path, headers = {}) =>
    new Promise((resolve, reject) => {
      get(fixture().server.url + path, { headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      }).on('error', reject);
    });
  return { read, html: async (path, headers) => (await read(path, headers)).body.toString() };
}
