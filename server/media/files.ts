import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { type CallDescription, FILE, UNKNOWN } from '../http/openapi.ts';
import { receiveFile } from './receive.ts';
import { openUploaded } from './serve.ts';

const UPLOAD: CallDescription = {
  summary:
    'Uploads the one file of an upload address, as the body; knowing the address is the right to use it once',
  access: 'anyone',
  answers: {
    200: 'The stored file',
    400: 'Empty or incomplete',
    ...UNKNOWN,
    409: 'Used already',
    413: 'Too large',
    415: 'Not a JPEG, PNG, GIF or MP4',
    429: 'Too many uploads of this account at once',
  },
};

const UPLOADED_FILE: CallDescription = {
  summary: 'An uploaded file, byte for byte',
  access: 'anyone',
  answers: FILE,
};

/** The two addresses whose bodies are files instead of JSON: the PUT of an upload, and the file itself. */
export function registerFiles(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    // Any type is taken as a bare stream here, and counted while it is read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    scope.put<{ Params: { name: string } }>('/api/uploads/:name', { config: { call: UPLOAD } }, (request) =>
      receiveFile(ctx, request.params.name, {
        body: request.raw,
        declaredType: (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
        declaredLength: Number(request.headers['content-length'] ?? 0),
      }),
    );
  });

  app.get<{ Params: { name: string } }>(
    '/ad-images/:name',
    { config: { page: true, call: UPLOADED_FILE } },
    async (request, reply) => {
      const file = await openUploaded(ctx, request.params.name, request.headers.range);
      if (!file) throw notFound('Image not found');
      return reply
        .code(file.status)
        .headers(file.headers)
        .send(file.body ?? '');
    },
  );
}
