import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '#domain/time.ts';
import type { Config } from '../../settings/config.ts';

/** Researchers should not trust an old file, so it expires within a year (RFC 9116, 2.5.5). */
const EXPIRES_MS = 180 * DAY_MS;

/** Registers the addresses that programs try on every site. */
export function registerWellKnown(app: FastifyInstance, config: Config, now: () => Date): void {
  app.get('/.well-known/security.txt', (_request, reply) => {
    // The whole day, so that the file and its ETag change once a day.
    const expires = new Date(Math.floor((now().getTime() + EXPIRES_MS) / DAY_MS) * DAY_MS);
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(
        [
          `Contact: ${config.securityContact ?? `mailto:${config.contactEmail}`}`,
          `Expires: ${expires.toISOString()}`,
          'Preferred-Languages: en',
          `Canonical: ${config.publicUrl}/.well-known/security.txt`,
          '',
        ].join('\n'),
      );
  });

  // Password managers open this address (https://w3c.github.io/webappsec-change-password-url/).
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.header('cache-control', 'no-store').redirect('/settings?tab=security', 303),
  );
}
