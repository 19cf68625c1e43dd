import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { isFromOurPage } from '#server/platform/http/guard.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { signedInUser } from '#server/platform/http/sessions.ts';
import { endOwnSession } from './sign-in.ts';

const LOGOUT: CallDescription = {
  summary: 'Sign out by visiting. Works without a session, too',
  access: 'anyone',
  answers: { 302: 'To the landing page' },
};

/** Registers the address that a browser opens instead of calling it. */
export function registerAccountPages(app: FastifyInstance, ctx: Context): void {
  // This works without a session, too: deleting an account has already ended it. [OP-008]
  app.get('/api/logout', { config: { call: LOGOUT } }, async (request, reply) => {
    // A link or picture of another site, or in a mail, must not sign the user out. [SEC-12]
    if (isFromOurPage(request, ctx.config.publicUrl))
      await endOwnSession(ctx, await signedInUser(ctx, request), request);
    return reply.header('cache-control', 'no-store').redirect('/', 302);
  });
}
