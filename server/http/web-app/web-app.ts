import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fillPage, findPage, hasPage, readPages, sendPage, type PageSettings } from './built-pages.ts';
import { registerRobots } from './robots.ts';

/** What programs request: files, the API, and the addresses at which monitors ask servers how they are. */
const FOR_PROGRAMS =
  /^\/(?:(?:api|assets|ad-images|m|\.well-known)(?:\/|$)|(?:metrics|health|healthz|livez|readyz|ready|status|ping)\/?$)|\.[a-z\d]+$/i;

/**
 * Serves the pages of the built React application, at every address without a route of its own. At an unknown address
 * people see the application's page with status 404, and programs get JSON. [OP-005] [FND-11]
 */
export async function serveWebApp(
  app: FastifyInstance,
  { root, ...settings }: PageSettings & { root: string },
): Promise<void> {
  const files = path.join(root, 'static');
  if (existsSync(files)) {
    await app.register(fastifyStatic, {
      root: files,
      index: false,
      // The build writes .br and .gz beside each file.
      preCompressed: true,
      decorateReply: false,
      // Only existing files get a route, because any other address may be that of a page.
      wildcard: false,
      globIgnore: ['assets/**'],
      setHeaders: (response) => void response.header('cache-control', 'no-cache'),
    });
  }
  const pages = readPages(root, settings);
  // This file exists only during `npm run dev`: Vite writes it and names the latest scripts in it. A full build turns
  // it into pages and removes it.
  const devPage = path.join(files, 'index.html');
  registerRobots(app, pages, settings.publicUrl);

  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const address = request.url.split('?', 1)[0] ?? '';
    const isPage = hasPage(pages, address);
    if (!isRead || (!isPage && FOR_PROGRAMS.test(address)))
      return reply.code(404).send({ message: 'Not found' });
    if (!isPage && pages.length > 0) void reply.code(404);
    if (existsSync(devPage)) {
      return reply
        .header('cache-control', 'no-store')
        .type('text/html')
        .send(fillPage(readFileSync(devPage, 'utf8'), settings));
    }
    const page = findPage(pages, request.url, request.session.userId === undefined ? 'visitor' : 'user');
    if (!page) return reply.type('text/html').send('The web application has not been built. Run npm start.');
    return await sendPage(page, request, reply);
  });
}
