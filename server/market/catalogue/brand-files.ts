/** The logo and the icon of the marketplace, at addresses that never change their content. */
import type { FastifyInstance } from 'fastify';
import { typeOf } from '#server/platform/brand/pictures.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';

/** An SVG that is opened as a page may use its own styles, and nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function registerBrandFiles(app: FastifyInstance, { db }: Context): void {
  app.get<{ Params: { name: string } }>(
    '/brand/:name',
    {
      config: {
        isSigned: true,
        call: {
          summary: 'A file of the marketplace’s logo or icon',
          access: 'anyone',
          answers: { 200: 'An SVG or a PNG', 404: 'There is no such file' },
        },
      },
    },
    async ({ params: { name } }, reply) => {
      const file = await db
        .selectFrom('brandFiles')
        .select('bytes')
        .where('name', '=', name.replaceAll('\0', ''))
        .executeTakeFirst();
      if (!file) throw notFound();
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', POLICY)
        .header('x-content-type-options', 'nosniff')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        .type(typeOf(name))
        .send(file.bytes);
    },
  );
}
