/**
 * `npm run -s lab rolling` restarts two servers on one database, one after the other and twice, behind HAProxy with
 * deploy/haproxy.cfg, while clients ask for ads, report 500 views a second and sign in. It prints the counts of answers by
 * status, and exits with 1 if a request failed, and with 2 if there is no HAProxy.
 * Usage: `npm run -s lab rolling -- [--views PER_SECOND]`
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../server/platform/database/embedded/embedded.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { build } from '../scripts/build.mjs';
import {
  failuresOf,
  isReady,
  sendTo,
  type Server,
  startLoad,
  startServer,
  stopServer,
  zoneWithAd,
} from './load.ts';
import { root } from '../scripts/node.mjs';

const { values } = parseArgs({ options: { views: { type: 'string', default: '500' } } });
const VIEWS_PER_SECOND = Number(values.views);
const ROUNDS = 2;
/** HAProxy sends requests to a started server after two checks. */
const SETTLE_MS = 4000;
/** As in production. */
const SHUTDOWN_DELAY_MS = 5000;
const PUBLIC_URL = 'http://localhost:3000';
const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((name) => !spawnSync(name, ['-v']).error);

if (HAPROXY) process.exitCode = (await prove(HAPROXY)) ? 0 : 1;
else {
  console.error(
    'HAProxy is missing. Install it, with `apt-get install haproxy` on Debian, and run this again.',
  );
  process.exitCode = 2;
}

async function prove(haproxy: string): Promise<boolean> {
  await build();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-rolling-'));
  const database = await startEmbedded({ dataDir: path.join(folder, 'database'), log: () => {} });
  const client = new pg.Client({ connectionString: database.ownerUrl('openslot') });
  const servers: Server[] = [];
  const start = async (port: number) =>
    await startServer(root, port, {
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: database.url('openslot'),
      DATABASE_OWNER_URL: database.ownerUrl('openslot'),
      PUBLIC_URL,
      TRUSTED_PROXIES: '127.0.0.1',
      SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
    });
  const problems: string[] = [];
  const ports = { visitors: await freePort(), a: await freePort(), b: await freePort() };
  const configuration = path.join(folder, 'haproxy.cfg');
  writeFileSync(configuration, exampleFor(ports));
  const proxy = spawn(haproxy, ['-db', '-f', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  proxy.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const proxyEnded = once(proxy, 'close');
  try {
    for (const port of [ports.a, ports.b]) servers.push(await start(port));
    await client.connect();
    const zone = await zoneWithAd(client);
    while (!(await isReady(ports.visitors))) {
      if (proxy.exitCode !== null) throw new Error(`HAProxy did not start:\n${output}`);
      await pause(100);
    }
    await pause(SETTLE_MS);
    const load = startLoad(
      sendTo(() => ports.visitors),
      { zone, viewsPerSecond: VIEWS_PER_SECOND, publicUrl: PUBLIC_URL },
    );
    const began = performance.now();
    const rate = () => Math.round((1000 * (load.counts.get('view 204') ?? 0)) / (performance.now() - began));
    const report = (what: string) =>
      console.log(`${what.padEnd(18)} ${rate()} views/s ${JSON.stringify(Object.fromEntries(load.counts))}`);
    await pause(SETTLE_MS);
    report('Two servers');
    for (let round = 1; round <= ROUNDS; round++)
      for (const [n, server] of [...servers].entries()) {
        const code = await stopServer(server);
        if (code !== 0) problems.push(`Server ${n + 1} ended with ${code}.`);
        report(`Server ${n + 1} stopped`);
        servers[n] = await start(server.port);
        await pause(SETTLE_MS);
        report(`Server ${n + 1} started`);
      }
    if (rate() < 0.9 * VIEWS_PER_SECOND)
      console.log(`This machine is too busy for ${VIEWS_PER_SECOND} views a second.`);
    await load.end();
    problems.push(...failuresOf(load.counts));
  } finally {
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
    proxy.kill('SIGTERM');
    await proxyEnded;
    await client.end();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? 'No request failed.' : 'It does not hold.');
  return problems.length === 0;
}

/** The example with other ports and without TLS, under the account of this program. */
function exampleFor(ports: { visitors: number; a: number; b: number }): string {
  return readFileSync(path.join(root, 'deploy/haproxy.cfg'), 'utf8')
    .replace(/^ {2}(?:user|group) haproxy\n/gm, '')
    .replace('bind :80', `bind 127.0.0.1:${ports.visitors}`)
    .replace(/^ {2}http-request redirect scheme https .*\n/m, '')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.a}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports.b}`);
}
