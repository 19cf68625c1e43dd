/** Runs the examples of deploy/ for proxies in the real nginx, HAProxy and Caddy, with TLS. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, assert, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import { freePort } from '../database/embedded/process.ts';
import { type ProxyName, proxyIsHere } from '#server/testing/programs/proxies.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROOF = '/.well-known/acme-challenge/a-proof';
const MEGABYTE = 1024 ** 2;

/** `key` is a file, and `both` a file with the certificate and the key. `behind` is the port of the server. */
type Place = { home: string; plain: number; secure: number; behind: number; key: string; both: string };
type Example = {
  name: ProxyName;
  file: string;
  args: (file: string) => string[];
  /** Replaces only what needs a machine of its own: ports, accounts, and folders below /etc and /var. */
  adapt: (example: string, place: Place) => string;
  /** Caddy gets its certificates by itself. */
  hasProof: boolean;
};

const EXAMPLES: Example[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    args: (file) => ['-g', 'daemon off;', '-e', 'stderr', '-c', file],
    hasProof: true,
    adapt: (example, { home, plain, secure, behind, key, both }) => {
      writeFileSync(
        path.join(home, 'openslot-tls.conf'),
        `listen 127.0.0.1:${secure} ssl http2; ssl_certificate ${both}; ssl_certificate_key ${key};`,
      );
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      return example
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen [::]:80;', '')
        .replaceAll('/etc/nginx/', `${home}/`)
        .replaceAll('/var/www/acme', `${home}/acme`)
        .replace('/run/nginx.pid', `${home}/pid`)
        .replace('/var/log/nginx/error.log', 'stderr')
        .replace('/var/log/nginx/access.log', `${home}/access.log`)
        .replace(
          'http {\n',
          `http {\n${folders.map((each) => `${each}_temp_path ${home}/${each};\n`).join('')}`,
        )
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${behind}`);
    },
  },
  {
    name: 'haproxy',
    file: 'haproxy.cfg',
    args: (file) => ['-db', '-f', file],
    hasProof: true,
    adapt: (example, { plain, secure, behind, both }) =>
      example
        .replaceAll(/^ {2}(?:user|group) haproxy\n/gm, '')
        .replace(
          'bind :80',
          `bind 127.0.0.1:${plain}\n  bind 127.0.0.1:${secure} ssl crt ${both} alpn h2,http/1.1`,
        )
        .replaceAll(/127\.0\.0\.1:(?:300\d|8402)/g, `127.0.0.1:${behind}`),
  },
  {
    name: 'caddy',
    file: 'Caddyfile',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    hasProof: false,
    adapt: (example, { home, plain, secure, behind }) =>
      `{\nadmin off\nskip_install_trust\nstorage file_system ${home}/certificates\nhttp_port ${plain}\nhttps_port ${secure}\n}\n${example
        .replace('{$DOMAIN:localhost}', 'localhost')
        .replace('{$OPENSLOT:127.0.0.1:3000}', `127.0.0.1:${behind}`)}`,
  },
];
const found = new Map<ProxyName, Awaited<ReturnType<typeof proxyIsHere>>>();
for (const { name } of EXAMPLES) found.set(name, await proxyIsHere(name));

let certificates: { key: string; both: string };
beforeAll(() => {
  const home = newTemporaryFolder('certificates');
  const [key, certificate, both] = ['key', 'certificate', 'both'].map((name) => path.join(home, name)) as [
    string,
    string,
    string,
  ];
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${certificate}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  certificates = { key, both };
});

// Proves WARD-60
it('each example has the limit of the largest upload', () => {
  for (const { file } of EXAMPLES)
    expect([file, readFileSync(path.join(ROOT, 'deploy', file), 'utf8')]).toEqual([
      file,
      expect.stringMatching(new RegExp(`\\b${MAX_VIDEO_BYTES}\\b`)),
    ]);
});

describe.each(EXAMPLES)('$name', ({ name, file, args, adapt, hasProof }) => {
  const { found: program, note } = found.get(name)!;
  let place: Place;
  let output = '';
  let end = async (): Promise<void> => {};
  /** Bytes of bodies that have reached the server. */
  let arrived = 0;

  beforeAll(async () => {
    if (program === null) return;
    const server = http.createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        arrived += chunk.length;
      });
      request.on('end', () =>
        response.end(request.url === PROOF ? 'the proof' : JSON.stringify(request.headers)),
      );
      request.on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const home = newTemporaryFolder(name);
    // The account of nginx's workers reads the proof.
    chmodSync(home, 0o755);
    const folder = path.join(home, 'acme', path.dirname(PROOF));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'a-proof'), 'the proof');
    place = {
      home,
      plain: await freePort(),
      secure: await freePort(),
      behind: (server.address() as AddressInfo).port,
      ...certificates,
    };
    const configuration = path.join(home, file);
    writeFileSync(configuration, adapt(readFileSync(path.join(ROOT, 'deploy', file), 'utf8'), place));
    const proxy = spawn(program.program, args(configuration), {
      env: { ...program.env, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [proxy.stdout, proxy.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const ended = once(proxy, 'close');
    end = async () => {
      proxy.kill('SIGTERM');
      await ended;
      server.closeAllConnections();
      server.close();
    };
    const answers = async () =>
      await ask('/').then(
        ({ status }) => status,
        () => output,
      );
    await vi.waitFor(async () => assert.equal(await answers(), 200), 5000);
  });
  afterAll(async () => await end());

  const trusting = () => ({
    host: '127.0.0.1',
    port: place.secure,
    servername: 'localhost',
    rejectUnauthorized: false,
  });
  async function ask(address: string, { headers = {}, isPlain = false } = {}) {
    const options = { path: address, agent: false, headers: { host: 'localhost', ...headers } };
    const request = isPlain
      ? http.get({ host: '127.0.0.1', port: place.plain, ...options })
      : https.get({ ...trusting(), ...options });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }
  function upload(headers: Record<string, string | number>) {
    const request = https.request({
      ...trusting(),
      path: '/api/uploads/a-secret-key?token=a-token',
      method: 'PUT',
      agent: false,
      headers: { host: 'localhost', ...headers },
    });
    // The proxy closes the connection of a body that it does not read.
    request.on('error', () => {});
    return { request, answered: once(request, 'response') as Promise<[http.IncomingMessage]> };
  }

  // Proves OPS-51, WARD-60
  it.skipIf(program === null)(
    `passes on the headers of a visitor, but not their X-Forwarded-For, also by HTTP/2${note}`,
    async () => {
      const sent = {
        'sec-fetch-site': 'cross-site',
        'sec-ch-ua': '"Chromium";v="153"',
        'sec-gpc': '1',
        'accept-language': 'de-CH',
        referer: 'https://publisher.example/',
      };
      const headers = { ...sent, 'x-forwarded-for': '203.0.113.9' };
      const received = { ...sent, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
      for (const address of ['/', '/api/serve/ads']) {
        const { body } = await ask(address, { headers });
        expect(JSON.parse(body)).toMatchObject({ ...received, host: 'localhost' });
      }
      const session = http2.connect(`https://localhost:${place.secure}`, trusting());
      const stream = session.request({ ':path': '/', ':authority': 'localhost', ...headers });
      expect(JSON.parse(await text(stream))).toMatchObject(received);
      session.close();
    },
  );

  // Proves WARD-60
  it.skipIf(program === null)(
    `redirects http to https, but answers the proof of a certificate by http${note}`,
    async () => {
      const { status, headers } = await ask('/auth?next=%2Fa', { isPlain: true });
      expect(status).toBe(308);
      expect(headers.location?.replace(`:${place.secure}`, '').replace(`:${place.plain}`, '')).toBe(
        'https://localhost/auth?next=%2Fa',
      );
      if (hasProof) expect((await ask(PROOF, { isPlain: true })).body).toBe('the proof');
    },
  );

  // Proves WARD-60
  it.skipIf(program === null)(
    `passes a body on while it arrives, and keeps none on the disk${note}`,
    async () => {
      arrived = 0;
      const { request, answered } = upload({ 'content-length': 4 * MEGABYTE });
      request.write(Buffer.alloc(2 * MEGABYTE));
      await expect.poll(() => arrived).toBeGreaterThan(MEGABYTE);
      request.end(Buffer.alloc(2 * MEGABYTE));
      const [response] = await answered;
      expect([response.statusCode, arrived]).toEqual([200, 4 * MEGABYTE]);
      response.resume();
    },
  );

  // Proves WARD-60
  it.skipIf(program === null)(`refuses a body of 2 GB before it has arrived${note}`, async () => {
    arrived = 0;
    const { request, answered } = upload({ 'content-length': 2_000_000_000 });
    request.write(Buffer.alloc(64 * 1024));
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    expect(arrived).toBe(0);
    request.destroy();
  });

  // Proves WARD-60
  it.skipIf(program === null)(
    `logs the pages and the API, without secrets and without publishers' visitors${note}`,
    async () => {
      await ask('/api/serve/view/a-view');
      await ask('/reports/a-secret-key');
      await ask('/unsubscribe?token=a-token');
      // nginx writes to a file, and the others to their output.
      const file = path.join(place.home, 'access.log');
      const log = () => (existsSync(file) ? readFileSync(file, 'utf8') : output);
      await expect.poll(log).toMatch(/127\.0\.0\.1[^\n]*\/unsubscribe"[^\n]*\b200\b/);
      expect(log()).toContain('/reports/');
      expect(log()).not.toMatch(/a-view|a-secret-key|a-token\b/);
    },
  );
});
