/** The NATS servers with which a server in production starts and stays ready, and those that it refuses. */
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../server/platform/database/embedded/process.ts';
import { createTestDatabase, type TestDatabase } from '../../server/testing/database/database.ts';
import { spawnOpenslot } from '../../server/testing/openslot.ts';
import { natsCanSync, natsIsHere, type NatsServer, startNats } from './testing/nats-server.ts';
import {
  METRICS_TOKEN,
  PLANTED,
  productionServers,
  reasonsOf,
} from '../../server/testing/starts/production.ts';
import { newTemporaryFolder, removeFolder } from '../../server/testing/temporary.ts';
import { ASIDE_SUBJECT, openStream, STREAM, subjectOf } from './stream.ts';

const { here, note } = await natsIsHere();
const canSync = await natsCanSync();
const MIB = 1024 ** 2;

/**
 * Stands for the monitoring of a NATS server with this name that syncs each message. Its answers are those fields of 2.10.27
 * that the server reads. Debian's NATS 2.9 cannot sync; with 2.10 in NATS_SERVER_PATH, a test below has the real one.
 */
async function startMonitor(serverName: string) {
  let syncs = true;
  const server = http.createServer((request, response) => {
    const config = {
      store_dir: '/data',
      sync_interval: 120_000_000_000,
      ...(syncs && { sync_always: true }),
    };
    response.statusCode = request.url === '/varz' ? 200 : 404;
    response.end(JSON.stringify({ server_name: serverName, version: '2.10.27', jetstream: { config } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    say: (answer: boolean) => (syncs = answer),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.skipIf(!here)(`a start with NATS${note}`, () => {
  let database: TestDatabase;
  let servers: ReturnType<typeof productionServers>;
  let nats: NatsServer;
  let monitor: Awaited<ReturnType<typeof startMonitor>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    servers = productionServers(database);
    nats = await startNats(['-js', '-n', 'solo']);
    monitor = await startMonitor('solo');
  });
  afterEach(async () => await servers.stop());
  afterAll(async () => {
    monitor.close();
    await nats.close();
    await database.drop();
    servers.close();
  });

  const settings = (env: Record<string, string> = {}) => ({
    EVENT_LOG_URL: nats.url,
    EVENT_LOG_MONITOR_URL: monitor.url,
    ...env,
  });
  const unsynced = async (url: string) => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    return /^openslot_event_log_unsynced (\d)$/m.exec(await answer.text())?.[1];
  };
  const doctor = async (env: Record<string, string>) =>
    (
      await spawnOpenslot(['doctor'], {
        DATABASE_URL: database.url,
        DATA_DIR: servers.folder,
        SESSION_SECRET: 'a secret of the test with 32 characters',
        ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
        SMTP_URL: 'smtp://127.0.0.1:9',
        PUBLIC_URL: 'http://127.0.0.1:9',
        ...env,
      })
    ).out;

  it('is refused in production if the single server does not sync each message, or is not known to', async () => {
    const unknown = await servers.refusal(settings({ EVENT_LOG_MONITOR_URL: '' }));
    expect(unknown).toMatch(/No address of EVENT_LOG_MONITOR_URL says whether the single NATS server solo/);
    expect(unknown).toMatch(/Set sync_interval to always .* or run three NATS servers as one cluster\.$/);
    // It is the address of another server.
    const another = await startNats(['-js', '-n', 'another']);
    expect(await servers.refusal(settings({ EVENT_LOG_MONITOR_URL: another.monitorUrl }))).toBe(unknown);
    await another.close();
    const wrong = { EVENT_LOG_MONITOR_URL: nats.monitorUrl };
    expect(await servers.refusal(settings(wrong))).toMatch(
      /solo does not sync each message to its disk, as EVENT_LOG_MONITOR_URL says.* Set sync_interval to always/,
    );
    const production = { ...settings(wrong), NODE_ENV: 'production' };
    expect(await doctor(production)).toMatch(/^fail +event log +The single NATS server solo does not sync/m);
    expect(await doctor({ ...production, NODE_ENV: 'development' })).toMatch(
      /^warn +event log +NATS answers\. Not every server/m,
    );
  });

  it('is served while the single server syncs, and is not ready when that changes', async () => {
    const { server, url } = await servers.startReady(settings());
    expect([await unsynced(url), await reasonsOf(url)]).toEqual(['0', '']);
    expect(await doctor({ ...settings(), NODE_ENV: 'production' })).toMatch(
      /^ok +event log +NATS answers, and syncs each message/m,
    );
    monitor.say(false);
    await vi.waitFor(
      async () => expect(await reasonsOf(url)).toMatch(/EVENT_LOG_MONITOR_URL says.* Set sync_interval/),
      30_000,
    );
    expect([await unsynced(url), (await fetch(`${url}/api/health/delivery`)).status]).toEqual(['1', 200]);
    expect(server.output().match(/EVENT_LOG_MONITOR_URL says/g)).toHaveLength(1);
    monitor.say(true);
    await vi.waitFor(async () => expect(await reasonsOf(url)).toBe(''), 30_000);
  });

  it.skipIf(!canSync)(
    `starts with a real server that has sync_interval always${canSync ? '' : ' (NOT RUN: needs nats-server 2.10)'}`,
    async () => {
      const folder = newTemporaryFolder('nats-sync');
      const config = path.join(folder, 'nats.conf');
      writeFileSync(config, 'jetstream { sync_interval: always }');
      const synced = await startNats(['-c', config]);
      try {
        const env = { EVENT_LOG_URL: synced.url, EVENT_LOG_MONITOR_URL: synced.monitorUrl };
        const { url } = await servers.startReady(env);
        expect(await unsynced(url)).toBe('0');
      } finally {
        await servers.stop();
        await synced.close();
        removeFolder(folder);
      }
    },
    120_000,
  );

  it('is refused with the stream of another installation, and is not ready when the stream becomes that', async () => {
    const { url } = await servers.startReady(settings());
    const another = await createTestDatabase();
    const others = productionServers(another);
    const owner = new pg.Client({ connectionString: another.ownerUrl });
    await owner.connect();
    // The databases of tests are copies of one, as is a restored backup: it is the same installation.
    const { server } = await others.startReady(settings());
    await server.stop('SIGTERM');
    await owner.query('update installation set id = gen_random_uuid()');
    const { rows } = await owner.query<{ id: string }>('select id from installation');
    await owner.end();
    expect(await others.refusal(settings())).toMatch(
      /did not start\. EVENT_LOG_URL leads to the stream OPENSLOT_EVENTS of another installation of Openslot\. Set EVENT_LOG_URL to NATS servers or an account of its own\./,
    );
    others.close();
    await another.drop();
    const { connection, jsm } = await openStream(nats.url);
    const { config } = await jsm.streams.info(STREAM);
    await jsm.streams.update(STREAM, { description: `Installation ${rows[0]!.id}` });
    await vi.waitFor(
      async () => expect(await reasonsOf(url)).toContain('of another installation of Openslot'),
      30_000,
    );
    await jsm.streams.update(STREAM, { description: config.description! });
    await vi.waitFor(async () => expect(await reasonsOf(url)).toBe(''), 30_000);
    await connection.close();
  });

  it('takes a stream over that has no owner, and keeps what its operator has set', async () => {
    const own = await startNats(['-js', '-n', 'solo']);
    const { connection, jsm } = await openStream(own.url, { bytes: 5 * MIB });
    await jsm.streams.update(STREAM, { description: 'Ours.' });
    const { url } = await servers.startReady(settings({ EVENT_LOG_URL: own.url }));
    const { config } = await jsm.streams.info(STREAM);
    expect([config.description, config.max_bytes]).toEqual([
      expect.stringMatching(/^Ours\. Installation [0-9a-f-]{36}$/),
      5 * MIB,
    ]);
    expect(await reasonsOf(url)).toBe('');
    await connection.close();
    await servers.stop();
    await own.close();
  });

  it('gives the stream its size, and refuses one that is too small for its events or too large for NATS', async () => {
    const own = await startNats(['-js', '-n', 'solo']);
    const env = (bytes: string) => settings({ EVENT_LOG_URL: own.url, EVENT_LOG_BYTES: bytes });
    const { connection, jsm } = await openStream(own.url);
    const size = async () => (await jsm.streams.info(STREAM)).config.max_bytes;
    expect(await size()).toBe(1024 * MIB);
    for (const bytes of [3 * MIB, 2 * MIB]) {
      const { server } = await servers.startReady(env(String(bytes)));
      expect(await size()).toBe(bytes);
      await server.stop('SIGTERM');
    }
    const js = jsm.jetstream();
    await js.publish(subjectOf(0), new Uint8Array(700_000));
    await js.publish(subjectOf(0), new Uint8Array(700_000));
    await expect(js.publish(subjectOf(0), new Uint8Array(700_000))).rejects.toThrow(/maximum bytes exceeded/);
    expect(await servers.refusal(env(String(MIB)))).toMatch(
      /EVENT_LOG_BYTES is 1048576, but the stream OPENSLOT_EVENTS holds 14\d+ bytes of events that are not counted yet/,
    );
    expect([await size(), (await jsm.streams.info(STREAM)).state.messages]).toEqual([2 * MIB, 2]);
    await connection.close();
    expect(await servers.refusal(env(String(1024 ** 5)))).toMatch(
      /EVENT_LOG_URL cannot be used: .*; lower EVENT_LOG_BYTES, or raise max_file_store/,
    );
    await own.close();
  });

  it('is served by three servers with nats.conf, also when one of them is gone', async () => {
    const text = readFileSync(path.join(import.meta.dirname, 'nats.conf'), 'utf8');
    const folder = newTemporaryFolder('nats-conf');
    const ports = await Promise.all([1, 2, 3].map(async () => await freePort()));
    const env = { NATS_PASSWORD: 'unmistakable-nats-password' };
    const nodes = await Promise.all(
      ports.map(async (port, index) => {
        const file = path.join(folder, `nats-${index + 1}.conf`);
        // Only addresses and the folder differ, which the test gives, and `sync_interval` is on where the program knows it.
        let own = text
          .replace('server_name: nats-1', `server_name: nats-${index + 1}`)
          .replace('store_dir: /var/lib/nats', '')
          .replace('listen: 0.0.0.0:6222', `listen: 127.0.0.1:${port}`)
          .replaceAll(/nats-(\d)\.internal:6222/g, (_all, n: string) => `127.0.0.1:${ports[Number(n) - 1]}`);
        if (canSync) own = own.replace('# sync_interval', 'sync_interval');
        writeFileSync(file, own);
        return await startNats(['-c', file], env);
      }),
    );
    const withPassword = (url: string) => url.replace('//', `//openslot:${env.NATS_PASSWORD}@`);
    const cluster = {
      EVENT_LOG_URL: nodes.map(({ url }) => withPassword(url)).join(','),
      EVENT_LOG_MONITOR_URL: nodes.map(({ monitorUrl }) => monitorUrl).join(','),
    };
    try {
      // The nodes find each other and elect a leader.
      const opened = await vi.waitFor(async () => await openStream(cluster.EVENT_LOG_URL), 60_000);
      const { url, server } = await servers.startReady(cluster);
      const { config } = await opened.jsm.streams.info(STREAM);
      expect([config.num_replicas, config.max_bytes]).toEqual([3, 1024 * MIB]);
      expect([await unsynced(url), await reasonsOf(url)]).toEqual([canSync ? '0' : '1', '']);
      await nodes[1]!.signal('SIGKILL');
      // A message that is acknowledged by the two that are left.
      await vi.waitFor(async () => await opened.jsm.jetstream().publish(ASIDE_SUBJECT, 'a message'), 60_000);
      expect(await reasonsOf(url)).toBe('');
      await opened.connection.close();
      await server.stop('SIGTERM');
      // The two that are left may still elect the leaders of what the third one led.
      const again = await vi.waitFor(async () => await openStream(cluster.EVENT_LOG_URL), 60_000);
      await again.connection.close();
      const { url: without } = await servers.startReady({ ...cluster, EVENT_LOG_MONITOR_URL: '' });
      expect([await unsynced(without), await reasonsOf(without)]).toEqual(['1', '']);
      expect(server.output()).not.toContain(PLANTED);
    } finally {
      await servers.stop();
      for (const node of nodes) await node.close();
      removeFolder(folder);
    }
  });
});
