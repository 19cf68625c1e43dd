/** A real S3 server, and a proxy before it that breaks calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { newTemporaryFolder } from '../temporary.ts';

/** What happens to a call: nothing, a later answer, an error, a broken connection, or half an answer and then the end. */
export type Fault =
  | 'none'
  | { delayMs: number }
  | { until: Promise<unknown> }
  | { status: number }
  | 'refuse'
  | 'cut'
  | 'stall';

export type TestBucket = {
  endpoint: string;
  /** The settings of a server that keeps its files here. */
  settings: Record<string, string>;
  /** Every call from now on has this fault, or only those with `method`, without the first `after` of them. */
  break: (fault: Fault, which?: { method?: string; after?: number }) => void;
  /** The methods and paths of the calls since the last `break`. */
  calls: () => string[];
  close: () => Promise<void>;
};

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Prints the port, and ends with the test. */
const S3_SERVER = `
  const S3rver = require('@20minutes/s3rver');
  process.stdin.resume().on('end', () => process.exit());
  new S3rver(JSON.parse(process.argv[1])).run().then(({ port }) => console.log(port));`;
export const BUCKET = 'openslot-test';

/** The settings of a server that keeps its files in the bucket at this address. */
export const settingsOfBucket = (endpoint: string): Record<string, string> => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: BUCKET,
  // The keys that this S3 server knows.
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
});

/** Starts a real S3 server that keeps the bucket in `directory`, on this port or a free one. */
export async function startS3(directory: string, wanted = 0): Promise<{ child: ChildProcess; port: number }> {
  const options = {
    address: '127.0.0.1',
    port: wanted,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  };
  // It enciphers the tokens of long lists with DES, which OpenSSL 3 has as a legacy only.
  const child = spawn(
    process.execPath,
    ['--openssl-legacy-provider', '-e', S3_SERVER, JSON.stringify(options)],
    {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line) };
}

export async function startBucket(): Promise<TestBucket> {
  const { child: s3, port } = await startS3(newTemporaryFolder('s3'));

  let fault: Fault = 'none';
  let which: { method?: string; after?: number } = {};
  let calls: string[] = [];

  const proxy = http.createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    const { method = request.method, after = 0 } = which;
    const alike = calls.filter((call) => call.startsWith(`${method} `)).length;
    void pass(request, response, method === request.method && alike > after ? fault : 'none');
  });

  async function pass(request: http.IncomingMessage, response: http.ServerResponse, how: Fault) {
    if (how === 'refuse') return request.destroy();
    if (typeof how === 'object' && 'delayMs' in how) await pause(how.delayMs);
    if (typeof how === 'object' && 'until' in how) await how.until;
    if (typeof how === 'object' && 'status' in how) {
      request.resume();
      response.writeHead(how.status, { 'content-type': 'application/xml' });
      return response.end(`<Error><Code>${how.status === 403 ? 'AccessDenied' : 'SlowDown'}</Code></Error>`);
    }
    const { method, url, headers } = request;
    const call = http.request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (how !== 'cut' && how !== 'stall') return pipeline(answer, response, () => {});
      answer.once('data', (chunk: Buffer) => {
        answer.destroy();
        response.write(chunk.subarray(0, chunk.length / 2), () => {
          if (how === 'cut') response.destroy();
        });
      });
      answer.once('end', () => response.end());
    });
    call.on('error', () => response.destroy());
    return pipeline(request, call, () => {});
  }

  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    endpoint,
    settings: settingsOfBucket(endpoint),
    break: (next, some = {}) => {
      fault = next;
      which = some;
      calls = [];
    },
    calls: () => calls,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      s3.kill();
      await once(s3, 'exit');
    },
  };
}
