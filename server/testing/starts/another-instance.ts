import { type App, buildApp } from '#server/app/app.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { SESSION_SECRET } from '../accounts/sign-in.ts';
import type { TestServer } from '../server.ts';

/** `url` is where it listens. */
export type Instance = { app: App; url: string; close: () => Promise<void> };

type Options = { env?: Record<string, string>; sessionSecrets?: Secrets };

/**
 * One more instance of the product on the database of `server`, by its clock and with its settings, as behind a load
 * balancer: its pages and mails name the address of `server`. Have it end with the test: `await untilTestEnds(anotherInstance(server))`.
 */
export async function anotherInstance(
  server: Pick<TestServer, 'env' | 'url' | 'databaseUrl' | 'clock'>,
  { env = {}, sessionSecrets = [SESSION_SECRET] }: Options = {},
): Promise<Instance> {
  const port = await freePort();
  const { url, databaseUrl, clock } = server;
  const config = readConfig({ ...server.env, PORT: String(port), PUBLIC_URL: url, ...env });
  const app = await buildApp({ config, databaseUrl, sessionSecrets, now: clock.now, logger: false });
  await app.fastify.listen({ port, host: '127.0.0.1' });
  return { app, url: `http://127.0.0.1:${port}`, close: app.close };
}
