/** The web application during `npm run dev`: from its source, through Vite's own server. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fillPage, type PageSettings } from './built-pages.ts';

export type SendSource = (
  request: FastifyRequest,
  reply: FastifyReply,
  settings: PageSettings,
  /** A module of web/ in the place of the application. */
  script?: string,
) => Promise<FastifyReply>;

/** The module that index.html loads. */
const MAIN = '/main.tsx';

/** Shows each screen in each of its states. Its data are made up, so it needs no account. */
export function registerGallery(
  rooms: FastifyInstance,
  sendSource: SendSource,
  settings: () => Promise<PageSettings>,
): void {
  rooms.get(
    '/dev/gallery',
    { config: { page: true } },
    async (request, reply) =>
      await sendSource(request, reply, await settings(), '/testing/gallery/gallery.tsx'),
  );
}

/**
 * Lets Vite answer the requests for modules, and connects it with open pages by a WebSocket of this server, through which
 * a changed component replaces itself. Returns the function that sends the document. `root` is the repository.
 */
export async function serveWebSource(app: FastifyInstance, root: string): Promise<SendSource> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    // The default loader writes a file, for which `node --watch` would restart the server.
    configLoader: 'native',
    root: path.join(root, 'web'),
    appType: 'custom',
    html: { cspNonce: '%NONCE%' },
    // The server answers the preflights of other sites itself.
    server: { middlewareMode: true, cors: false, ws: { server: app.server } },
  });
  // Before the server waits for its connections to close, because Vite keeps one open for each page.
  app.addHook('preClose', async () => await vite.close());
  app.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, done);
  });

  return async (request, reply, settings, script = MAIN) => {
    const template = fillPage(
      readFileSync(path.join(root, 'web/index.html'), 'utf8').replace(MAIN, script),
      settings,
    );
    const marked = request.session === null ? template : template.replace('<html', '<html data-session');
    const html = await vite.transformIndexHtml(request.url, marked);
    // Vite adds a script to the document and style sheets to the page.
    const nonce = randomBytes(16).toString('base64');
    const policy = String(reply.getHeader('content-security-policy'));
    return reply
      .header('content-security-policy', policy.replaceAll(/(?:script|style)-src /g, `$&'nonce-${nonce}' `))
      .header('cache-control', 'no-store')
      .type('text/html')
      .send(html.replaceAll('%NONCE%', nonce));
  };
}
