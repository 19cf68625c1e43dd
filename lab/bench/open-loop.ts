/**
 * Sends requests at a fixed rate, no matter how long the answers take. Latency is measured from the time at which a
 * request was due. So the delay of requests that had to wait for a stalled server counts ('coordinated omission').
 */
import net from 'node:net';
import { performance } from 'node:perf_hooks';

/** Usage: `node open-loop.ts PORT PATH ORIGIN RATE SECONDS`. Prints `{ p50Ms, p99Ms, answered }` as JSON. */
const [port = '', path = '/', origin = '', rate = '1000', seconds = '3'] = process.argv.slice(2);
const CONNECTIONS = 64;
const request = Buffer.from(
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nUser-Agent: Mozilla/5.0 Chrome/150.0\r\n\r\n`,
);
const END_OF_HEAD = Buffer.from('\r\n\r\n');

const idle: Connection[] = [];
const due: number[] = [];
const latencies: number[] = [];

/** A connection with at most one request under way. */
class Connection {
  readonly socket: net.Socket;
  dueAt = 0;
  received = 0;
  expected = 0;

  constructor() {
    this.socket = net.connect(Number(port), '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk: Buffer) => this.take(chunk));
    this.socket.on('error', (error) => {
      throw error;
    });
  }

  send(dueAt: number): void {
    this.dueAt = dueAt;
    this.received = 0;
    this.expected = 0;
    this.socket.write(request);
  }

  take(chunk: Buffer): void {
    if (this.expected === 0) {
      const head = chunk.indexOf(END_OF_HEAD);
      const length = /content-length: (\d+)/i.exec(chunk.toString('latin1', 0, head))?.[1];
      if (head < 0 || !length) throw new Error('The first packet of an answer contained no Content-Length');
      this.expected = head + END_OF_HEAD.length + Number(length);
    }
    this.received += chunk.length;
    if (this.received < this.expected) return;
    latencies.push(performance.now() - this.dueAt);
    const next = due.shift();
    if (next === undefined) idle.push(this);
    else this.send(next);
  }
}

const connections = Array.from({ length: CONNECTIONS }, () => new Connection());
await Promise.all(connections.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
idle.push(...connections);

const from = performance.now();
const total = Number(rate) * Number(seconds);
let sent = 0;
await new Promise<void>((resolve) => {
  function tick(): void {
    const elapsed = performance.now() - from;
    const wanted = Math.min(total, Math.floor((elapsed / 1000) * Number(rate)));
    for (; sent < wanted; sent += 1) {
      const at = from + (sent / Number(rate)) * 1000;
      const connection = idle.pop();
      if (connection) connection.send(at);
      else due.push(at);
    }
    if (sent < total || latencies.length < total) setImmediate(tick);
    else resolve();
  }
  tick();
});
for (const { socket } of connections) socket.destroy();

latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] as number;
console.log(JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99), answered: latencies.length }));
