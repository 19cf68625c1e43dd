/** A publisher's website with pages of a test, on another origin than the server. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embedSnippet } from '#domain/inventory/embed.ts';

export type Publisher = {
  /** For example `http://127.0.0.1:40123`. */
  origin: string;
  /** Publishes a page at a path and returns its URL. `body` is HTML, `headers` are for example a security policy. */
  put(path: string, body: string, headers?: Record<string, string>): string;
  /** Publishes a script at a path and returns its URL. */
  putScript(path: string, script: string): string;
  close(): Promise<void>;
};

/**
 * Starts an advertiser's website on a free port. Ads lead to public hosts only, so it has a name, which the tests' browser
 * resolves (scripts/browser.ts).
 */
export async function startAdvertiser(): Promise<Publisher> {
  return await startPublisher('127.0.0.1', 'advertiser.test');
}

/** Starts a publisher's website on a free port. To a browser, `localhost` and `127.0.0.1` are different sites. */
export async function startPublisher(host = '127.0.0.1', name = host): Promise<Publisher> {
  const pages = new Map<string, { body: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? '/', 'http://publisher').pathname);
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.body ?? '');
  });
  const port = await listen(server, host);
  const origin = `http://${name}:${port}`;
  return {
    origin,
    put(path, body, headers = {}) {
      pages.set(path, {
        headers,
        body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A publisher</title></head><body>${body}</body></html>`,
      });
      return origin + path;
    },
    putScript(path, script) {
      pages.set(path, { headers: { 'Content-Type': 'text/javascript' }, body: script });
      return origin + path;
    },
    close: () => stop(server),
  };
}

/** The embed code as the 'Get code' dialog shows it, in one line. */
export function snippet(host: string, zone: string, width = 300, height = 250): string {
  return embedSnippet({ publicId: zone, width, height }, host).replace('\n', '');
}

export async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
