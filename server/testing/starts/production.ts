/** Servers as an operator runs them in production, each in its own process, and the sentences of those that refuse to start. */
import { expect } from 'vitest';
import { freePort } from '#server/platform/database/embedded/process.ts';
import type { TestDatabase } from '../database/database.ts';
import { ready, type ServerProcess, spawnServer } from '../server-process.ts';
import { newTemporaryFolder, removeFolder } from '../temporary.ts';

type Env = Record<string, string>;

/** No output of a server may have a part of it. */
export const PLANTED = 'unmistakable';
export const SECRET = `${PLANTED} secret of the installation`;
export const METRICS_TOKEN = `${PLANTED}-metrics-token`;

export type Started = { server: ServerProcess; url: string; errors: () => string };

/** `database` is that of the servers, unless their settings name another. */
export function productionServers(database: TestDatabase) {
  const folder = newTemporaryFolder('production');
  const servers: ServerProcess[] = [];

  async function start(env: Env = {}): Promise<Started> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const server = spawnServer({
      NODE_ENV: 'production',
      PORT: port,
      PUBLIC_URL: url,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      SESSION_SECRET: SECRET,
      SMTP_URL: 'smtp://127.0.0.1:9',
      ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
      SHUTDOWN_DELAY_MS: '0',
      METRICS_TOKEN,
      ...env,
    });
    servers.push(server);
    let errors = '';
    server.child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return { server, url, errors: () => errors };
  }

  return {
    folder,
    startReady: async (env: Env = {}): Promise<Started> => {
      const started = await start(env);
      await ready(started.server, started.url);
      return started;
    },
    /** Starts a server, expects it to refuse, and returns its sentence. */
    refusal: async (env: Env = {}): Promise<string> => {
      const { server, errors } = await start(env);
      // A server that starts all the same, or hangs, is ended, which fails the test. A machine that is busy with other
      // tests takes several times as long as the second or two of an idle one.
      const limit = setTimeout(() => server.child.kill('SIGKILL'), 45_000);
      const code = await server.ended;
      clearTimeout(limit);
      expect([code, server.output()]).toEqual([1, expect.stringContaining('did not start')]);
      expect(server.output()).not.toContain(PLANTED);
      const lines = errors().trimEnd().split('\n');
      expect(lines).toHaveLength(1);
      const { msg, err } = JSON.parse(lines[0]!) as { msg: string; err?: unknown };
      expect(err).toBeUndefined();
      return msg;
    },
    /** Ends those that still run. */
    stop: async (): Promise<void> => {
      for (const server of servers.splice(0))
        if (server.child.exitCode === null) await server.stop('SIGTERM');
    },
    close: (): void => removeFolder(folder),
  };
}

/** The reasons for which a server is not ready, in one line. */
export async function reasonsOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/health/ready`);
  return ((await answer.json()) as { reasons: string[] }).reasons.join(' ');
}
