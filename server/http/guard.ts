import type { FastifyInstance } from 'fastify';
import { forbidden } from './errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changing calls that another site makes with our user's cookie: with the JSON-only bodies and the SameSite
 * cookie the third lock on the same door (OWASP ASVS 3.5.1). Callers that are no browsers send neither header.
 */
export function refuseCrossSiteCalls(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method)) return;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      throw forbidden('Calls from another site are refused');
    const origin = request.headers.origin;
    if (origin !== undefined && origin !== publicUrl && hostOf(origin) !== request.headers.host) {
      throw forbidden('Calls from another site are refused');
    }
  });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
