import { existsSync, readFileSync } from 'node:fs';
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
    // The build writes .br and .gz beside each file.
    const options = { index: false, preCompressed: true } as const;
    await app.register(fastifyStatic, {
      ...options,
      root: path.join(files, 'assets'),
      prefix: '/assets/',
      maxAge: '365d',
      immutable: true,
    });
    await app.register(fastifyStatic, {
      ...options,
      root: files,
      // Every other address may be a page's.
      wildcard: false,
      globIgnore: ['assets/**'],
      decorateReply: false,
      setHeaders: (response) => void response.header('cache-control', 'no-cache'),
    });
  }
  const pages = readPages(root, publicUrl);
  // While `npm run dev` watches there is Vite's own document, which names what it has just built. A build uses it up.
  const watched = path.join(files, 'index.html');
  registerRobots(app, pages, publicUrl);

  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = reads && !/^\/(api|assets|ad-images|m)(?:[/?]|$)/.test(request.url);
    if (!wantsPage) return reply.code(404).send({ message: 'Not found' });
    if (existsSync(watched)) {
      return reply.header('cache-control', 'no-store').type('text/html').send(readFileSync(watched));
    }
    const [address = '/'] = request.url.split('?', 1);
    const page = findPage(pages, address, request.session.userId === undefined ? 'visitor' : 'user');
    if (!page) return reply.type('text/html').send('The web application is not built: run npm start.');
    return sendPage(page, request, reply);
  });
}
