/** The sites of all hostile pages of a file on one port, each on a host of its own. */
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, stop } from '../support/publisher.ts';
import type { SiteFile } from './hostile-page.ts';

const TYPES: Record<string, string> = { '.js': 'text/javascript', '': 'text/html' };

export type Sites = {
  /** Publishes the files of a site and returns its origin. */
  put: (host: string, files: Record<string, string | SiteFile>) => string;
  close: () => Promise<void>;
};

export async function startSites(): Promise<Sites> {
  const sites = new Map<string, Record<string, string | SiteFile>>();
  const server = createServer((request, response) => {
    const { hostname, pathname } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const file = sites.get(hostname)?.[pathname];
    if (file === undefined) return void response.writeHead(404).end();
    const { body, headers, delayMs = 0 } = typeof file === 'string' ? { body: file } : file;
    const type = `${TYPES[path.extname(pathname)]}; charset=utf-8`;
    void wait(delayMs).then(() => response.writeHead(200, { 'Content-Type': type, ...headers }).end(body));
  });
  const port = await listen(server, '127.0.0.1');
  return {
    put: (host, files) => {
      sites.set(`${host}.localhost`, files);
      return `http://${host}.localhost:${port}`;
    },
    close: () => stop(server),
  };
}
