import type { FastifyInstance } from 'fastify';
import { ANOTHER_USER, SHOWN_USER } from '#domain/endpoint.ts';
import { forbidden, HttpError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route authenticates its caller by a signature over the body, not by a cookie. */
    isSigned?: boolean;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const FROM_ANOTHER_SITE = 'Requests from another site are not allowed. Open Openslot at its own address.';

/**
 * Refuses changing calls that another site makes with the cookie of our user. JSON-only bodies and the SameSite cookie
 * already prevent them; this check is the third defense (OWASP ASVS 5.0, 3.5.1). Clients other than browsers send
 * neither header and pass.
 */
export function refuseCrossSiteCalls(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || request.routeOptions.config.isSigned) return;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw forbidden(FROM_ANOTHER_SITE);
    const origin = request.headers.origin;
    if (origin !== undefined && origin !== publicUrl && hostOf(origin) !== request.headers.host) {
      throw forbidden(FROM_ANOTHER_SITE);
    }
  });
}

/**
 * Refuses changing calls of a page that shows another user than the session's. All tabs of a browser share one session,
 * so a tab that was opened before another one signed in would write into the wrong account. Clients that do not send the
 * header pass. Register it after the sessions. [EASE-01]
 */
export function refusePagesOfAnotherUser(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const shown = request.headers[SHOWN_USER];
    const { userId } = request.session;
    // Without a session the route answers 401.
    if (SAFE_METHODS.has(request.method) || shown === undefined || userId === undefined) return;
    if (shown !== String(userId)) {
      throw new HttpError(409, 'You’re now signed in to another account in this browser. Reload the page.', {
        details: { code: ANOTHER_USER },
      });
    }
  });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
