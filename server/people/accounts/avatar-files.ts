import type { FastifyInstance } from 'fastify';
import { setPicture } from '#domain/accounts/contract.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type CallDescription, FILE } from '#server/platform/http/openapi.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import { openPicture } from '#server/platform/media/square-picture.ts';
import { setOwnAvatar } from './avatar.ts';

const SET_AVATAR: CallDescription = {
  summary: 'Set the caller’s profile picture. The body is the image file',
  access: 'user',
  right: 'owner',
  answers: {
    200: 'The user with the new picture',
    400: 'Empty or incomplete',
    401: 'No session',
    413: 'Too large',
    415: 'Not an image',
    429: 'Too many uploads from this account',
  },
};

const AVATAR: CallDescription = { summary: 'A profile picture', access: 'anyone', answers: FILE };

/** Registers the two addresses of profile pictures whose bodies are files instead of JSON. */
export function registerAvatars(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    // A body of any type stays an unparsed stream. Its bytes are counted while it is read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    scope.put(setPicture.path, { config: { call: SET_AVATAR } }, async (request, reply) => {
      const who = await admitUser(ctx, request);
      const declaredLength = Number(request.headers['content-length'] ?? 0);
      const user = await setOwnAvatar(ctx, who, { body: request.raw, declaredLength });
      return reply.header('cache-control', 'no-store').send(setPicture.reply.parse(user));
    });
  });

  app.get<{ Params: { name: string } }>(
    '/avatars/:name',
    { config: { call: AVATAR } },
    async (request, reply) => {
      const file = await openPicture(ctx, 'person', request.params.name);
      if (!file) throw notFound('Picture not found');
      return reply
        .code(file.status)
        .headers(file.headers)
        .send(file.body ?? '');
    },
  );
}
