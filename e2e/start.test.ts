import { readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../server/db/free-port.ts';
import { newDataDir } from '../server/testing/data-dir.ts';
import { ready, type ServerProcess, spawnServer } from './support/server-process.ts';

let dataDir: string;
const servers: ServerProcess[] = [];

beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(async () => {
  for (const server of servers.splice(0)) if (server.child.exitCode === null) await server.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

function start(env: Record<string, string>): ServerProcess {
  const server = spawnServer({ DATA_DIR: dataDir, ...env });
  servers.push(server);
  return server;
}

it('RUN-02 a taken port stops the start with a message and nothing half started', async () => {
  const holder = net.createServer().listen(0, '127.0.0.1');
  const port = await new Promise<number>((resolve) => {
    holder.on('listening', () => resolve((holder.address() as net.AddressInfo).port));
  });
  const server = start({ PORT: String(port) });
  expect(await server.ended).toBe(1);
  holder.close();
  expect(server.output()).toContain(`Port ${port} is already taken`);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('RUN-03 RUN-07 a second start over the same data is refused and the first goes on; Ctrl-C ends it cleanly', async () => {
  const [first, second] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${first}`;
  const running = start({ PORT: String(first), SAMPLE_DATA: '0' });
  await ready(running, url);

  const refused = start({ PORT: String(second), SAMPLE_DATA: '0' });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain(`process ${running.child.pid}`);
  expect(refused.output()).toContain('DATA_DIR');

  const health = await fetch(`${url}/api/health`);
  expect([health.status, await health.text()]).toEqual([200, '{"status":"ok"}']);
  expect(await running.stop('SIGINT')).toBe(0);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed');
});

it.each([
  [{ PORT: 'eighty' }, 'PORT must be a port number'],
  [{ PUBLIC_URL: 'ads.example.com' }, 'PUBLIC_URL must be a whole address'],
  [{ DATABASE_URL: 'mysql://host/db' }, 'DATABASE_URL must be a postgres:// address'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_SECRET_KEY'],
  [{ NODE_ENV: 'production' }, 'SESSION_SECRET is required in production'],
])('RUN-05 RUN-06 the start with %o is stopped by a sentence', async (env, sentence) => {
  const server = start(env);
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain(sentence);
  expect(server.output()).not.toContain('    at ');
});
