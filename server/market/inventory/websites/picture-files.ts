import type { FastifyInstance } from 'fastify';
import { referenceParams } from '#domain/fields.ts';
import { setSitePicture } from '#domain/inventory/contract.ts';
import { SITE_PICTURES } from '#domain/inventory/site-pictures.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type CallDescription, FILE } from '#server/platform/http/openapi.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import { openPicture } from '#server/platform/media/square-picture.ts';
import { setOwnSitePicture } from './site-picture.ts';

const SET_PICTURE: CallDescription = {
  summary: setSitePicture.summary,
  access: 'seller',
  right: 'change',
  answers: {
    200: 'The website with the new picture',
    400: 'Empty or incomplete',
    401: 'No session',
    403: 'Not a publisher',
    404: 'Not one of your own websites',
    413: 'Too large',
    415: 'Not an image',
    429: 'Too many uploads from this account',
  },
};

const PICTURE: CallDescription = { summary: 'The picture of a website', access: 'anyone', answers: FILE };

/** Registers the two addresses of websites' pictures whose bodies are files instead of JSON. */
export function registerSitePictures(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    // A body of any type stays an unparsed stream. Its bytes are counted while it is read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    scope.put(setSitePicture.path, { config: { call: SET_PICTURE } }, async (request, reply) => {
      const who = await admitUser(ctx, request);
      const params = referenceParams.safeParse(request.params);
      if (!params.success) throw notFound();
      const declaredLength = Number(request.headers['content-length'] ?? 0);
      const website = await setOwnSitePicture(ctx, who, params.data.ref, {
        body: request.raw,
        declaredLength,
      });
      return reply.header('cache-control', 'no-store').send(setSitePicture.reply.parse(website));
    });
  });

  app.get<{ Params: { name: string } }>(
    `${SITE_PICTURES}:name`,
    { config: { call: PICTURE } },
    async (request, reply) => {
      const file = await openPicture(ctx, 'website', request.params.name);
      if (!file) throw notFound('Picture not found');
      return reply
        .code(file.status)
        .headers(file.headers)
        .send(file.body ?? '');
    },
  );
}
