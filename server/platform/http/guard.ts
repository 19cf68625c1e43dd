import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANOTHER_USER, SHOWN_USER } from '#domain/endpoint.ts';
import { forbidden, HttpError } from './errors.ts';
import { accountAtArrival, requireInView } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route authenticates its caller by a signature or a token of its own, not by a cookie, or is public. */
    isSigned?: boolean;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const FROM_ANOTHER_SITE =
  'Requests from another site are not allowed. Open the marketplace at its own address.';

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
    const { origin } = request.headers;
    if (origin !== undefined && !isOurs(request, origin, publicUrl)) throw forbidden(FROM_ANOTHER_SITE);
  });
}

/**
 * Refuses an operator who looks at an account everything but reading, whatever the route, and an address that no route has.
 * It is the one place that does. Register it after the sessions. [OPER-200]
 */
export function refuseChangesInView(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    requireInView(request, request.session?.view ?? null);
  });
}

/**
 * Refuses changing calls of a page that shows another account than the session's. All tabs of a browser share one session,
 * so a tab that was opened before another one signed in, or switched to another account, would write into the wrong one. Clients that do not send the
 * header pass. Register it after the sessions. [EASE-01]
 */
export function refusePagesOfAnotherUser(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const shown = request.headers[SHOWN_USER];
    const accountId = accountAtArrival(request);
    // Without a session the route answers 401.
    if (SAFE_METHODS.has(request.method) || shown === undefined || accountId === undefined) return;
    if (shown !== String(accountId)) {
      throw new HttpError(409, 'You’re now signed in to another account in this browser. Reload the page.', {
        details: { code: ANOTHER_USER },
      });
    }
  });
}

/**
 * Whether a page of ours sent the request, for a GET that changes something. A typed address is sent by no page. Old
 * browsers do not send Sec-Fetch-Site, but the page's address. [SEC-12]
 */
export function isFromOurPage(request: FastifyRequest, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, referer } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  const page = origin ?? referer;
  return page !== undefined && isOurs(request, page, publicUrl);
}

/**
 * Whether a page of another site sent the request, for a GET that a user may also open by its address. A typed address is sent by no page, and clients other than browsers
 * send none of these headers.
 */
export function isFromAnotherSite(request: FastifyRequest, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, referer } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const page = origin ?? referer;
  return page !== undefined && !isOurs(request, page, publicUrl);
}

/** Whether an address is of this server: at its public address, or at the one that the request was sent to. */
function isOurs({ headers }: FastifyRequest, address: string, publicUrl: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.origin === publicUrl || url.host === headers.host);
}
