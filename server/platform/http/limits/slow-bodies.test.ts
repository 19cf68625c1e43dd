import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../settings/config.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { refuseOnSocket } from '../answers.ts';
import { endSlowBody } from './slow-bodies.ts';

let patient: http.Server;
let port: number;
beforeAll(async () => {
  const config = readConfig({});
  patient = http.createServer((request, response) => {
    const refuse = (message: string) => refuseOnSocket(config, request.socket, 408, message);
    endSlowBody(request, response, refuse, { windowMs: 200, minBytes: 1000 });
    request.resume().once('end', () => response.end('whole'));
  });
  patient.listen(0, '127.0.0.1');
  await once(patient, 'listening');
  port = (patient.address() as AddressInfo).port;
});
afterAll(async () => {
  patient.closeAllConnections();
  await new Promise((resolve) => patient.close(resolve));
});

/**
 * Sends `bytes` every `pauseMs` until the server answers or the body is complete. A write to a connection that the server has
 * closed loses its answer, so those of ten seconds are few.
 */
async function trickle(
  to: number,
  path: string,
  bytes: number,
  total: number,
  pauseMs = 20,
): Promise<string> {
  const socket = net.connect(to, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${total}\r\n\r\n`,
  );
  for (let sent = 0; sent < total && !socket.destroyed && answer === ''; sent += bytes) {
    socket.write(Buffer.alloc(Math.min(bytes, total - sent)));
    await pause(pauseMs);
  }
  await closed;
  return answer;
}

// Proves DOOR-13
it('ends a body that trickles with 408, and lets one through that keeps the rate', async () => {
  const slow = await trickle(port, '/', 1, 100_000);
  expect(slow).toMatch(/^HTTP\/1\.1 408 /);
  expect(slow).toContain('The upload is too slow.');
  expect(await trickle(port, '/', 2000, 100_000)).toMatch(/whole$/);
});

// Proves DOOR-13
it('ends a body that stops, and leaves a request without a body alone', async () => {
  const socket = net.connect(port, '127.0.0.1');
  socket.write('PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
  expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1\.1 408 /);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('whole');
});

// Proves DOOR-13
it('the server ends a slow upload', async () => {
  const server = await untilTestEnds(startTestServer());
  const { uploadURL } = (await (await server.signIn()).post('/api/ad-images/upload')).body as {
    uploadURL: string;
  };
  const { pathname, port: own } = new URL(uploadURL);
  expect(await trickle(Number(own), pathname, 1, 50_000, 3000)).toMatch(/^HTTP\/1\.1 408 /);
});
