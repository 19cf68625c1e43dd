import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the built React application: hashed assets for ever, and its page for every other address that asks for
 * one. Unknown `/api/…` addresses are JSON, never the page (OP-005).
 */
export async function serveWebApp(app: FastifyInstance, root: string): Promise<void> {
  const page = path.join(root, 'index.html');
  if (existsSync(page)) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      // The build writes .br and .gz beside each file.
      preCompressed: true,
      setHeaders: (response, file) => {
        const hashed = file.startsWith(path.join(root, 'assets'));
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  const html = existsSync(page)
    ? readFileSync(page, 'utf8')
    : 'The web application is not built: run npm start.';

  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = reads && !/^\/(api|assets|ad-images|m)(?:[/?]|$)/.test(request.url);
    if (!wantsPage) return reply.code(404).send({ message: 'Not found' });
    return reply.header('cache-control', 'no-cache').type('text/html').send(html);
  });
}
