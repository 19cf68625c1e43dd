import type { FastifyInstance } from 'fastify';
import { html } from './html.ts';

/** A field for an e-mail address. Chromium maps the domain in one of the type `email` to another (web/ui/forms/input.tsx). */
export const EMAIL_FIELD = html`type="text" inputmode="email" autocapitalize="none" autocorrect="off" spellcheck="false"`;

/** In bytes. The forms on the server's pages hold short texts only. */
const MAX_BODY = 32 * 1024;

/** The routes of this scope accept HTML forms and read them as an object of strings. All others accept only JSON. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}
