import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { type CallDescription, FILE, UNKNOWN } from '../http/openapi.ts';
import { receiveFile } from './receive.ts';
import { openUploaded } from './serve.ts';

const UPLOAD: CallDescription = {
  summary:
    'Upload the one file of an upload address. The body is the file. Any client that knows the address may use it once',
  access: 'anyone',
  answers: {
    200: 'The stored file',
    400: 'Empty or incomplete',
    ...UNKNOWN,
    409: 'Already used',
    413: 'Too large',
    415: 'Not a JPEG, PNG, GIF or MP4',
    429: 'Too many parallel uploads from this account',
  },
};

const UPLOADED_FILE: CallDescription = {
  summary: 'An uploaded file, unchanged',
  access: 'anyone',
  answers: FILE,
};

/** Registers the two addresses whose bodies are files instead of JSON: the PUT of an upload, and the file itself. */
export function registerFiles(app: FastifyInstance, ctx: Context): void {
  void app.register(async (scope) => {
    // A body of any type stays an unparsed stream. Its bytes are counted while it is read.
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
