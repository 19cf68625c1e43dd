import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { findPage, readPages, sendPage } from './built-pages.ts';
import { registerRobots } from './robots.ts';

/**
 * Serves the built React application: hashed assets for ever, and a page for every other address that asks for one.
 * Unknown `/api/…` addresses are JSON, never a page (OP-005).
 */
export async function serveWebApp(
  app: FastifyInstance,
  { root, publicUrl }: { root: string; publicUrl: string },
): Promise<void> {
  const files = path.join(root, 'static');
  if (existsSync(files)) {
    await app.register(fastifyStatic, {
      root: files,
      wildcard: false,
      index: false,
      // The build writes .br and .gz beside each file.
      preCompressed: true,
      setHeaders: (response, file) => {
        const hashed = file.startsWith(path.join(files, 'assets'));
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  const pages = readPages(root, publicUrl);
  registerRobots(app, pages, publicUrl);

  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = reads && !/^\/(api|assets|ad-images|m)(?:[/?]|$)/.test(request.url);
    if (!wantsPage) return reply.code(404).send({ message: 'Not found' });
    const [address = '/'] = request.url.split('?', 1);
    const page = findPage(pages, address, request.session.userId === undefined ? 'visitor' : 'user');
    if (!page) return reply.type('text/html').send('The web application is not built: run npm start.');
    return sendPage(page, request, reply);
  });
}
