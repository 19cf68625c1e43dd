import type { FastifyInstance } from 'fastify';

/** The pages' forms are short texts. */
const MAX_BODY = 32 * 1024;

/** Routes of this scope take what a browser's form sends, as an object of strings; elsewhere only JSON is taken. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}
