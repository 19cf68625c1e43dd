/** Starts servers of a checkout and sends requests to them, for the tools that prove something under load. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { SAMPLE_PASSWORD } from '../domain/accounts/passwords.ts';
import { findNode } from '../scripts/node.mjs';

/** Each has one request under way. */
const CLIENTS = 64;
const SIGN_IN_EVERY_MS = 300;
const HEADERS = {
  origin: 'https://reader.example',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0',
};
/** The ends of requests, if none fails. */
const EXPECTED = new Set(['ad 200', 'view 204', 'sign-in 200', 'user 200']);

export type Server = { port: number; child: ChildProcess; ended: Promise<unknown> };
/** Sends a request to one of the servers. Only path and query of the address count. */
export type Send = (address: string, init?: RequestInit) => Promise<Response>;
/** How many requests ended in which way, such as `view 204` or `ad ECONNRESET`. */
export type Counts = ReadonlyMap<string, number>;

/** @returns a sender to the port that `portOf` names for each request */
export function sendTo(portOf: () => number | Promise<number>): Send {
  return async (address, init) => {
    const { pathname, search } = new URL(address, 'http://localhost');
    return await fetch(`http://127.0.0.1:${await portOf()}${pathname}${search}`, init);
  };
}

/** Where a server runs: the address that reaches it, and the command that starts a program there. */
type Place = { address: string; command: readonly string[] };
const HERE: Place = { address: '127.0.0.1', command: [] };

/**
 * Starts a server of a checkout, and waits until it is ready. It has no other settings than those of `env`.
 * @throws {Error} with what the server printed, if it ends before
 */
export async function startServer(
  checkout: string,
  port: number,
  env: NodeJS.ProcessEnv,
  { address, command }: Place = HERE,
): Promise<Server> {
  const [program, ...args] = [...command, findNode() ?? process.execPath, 'server/main.ts'];
  const child = spawn(program, args, {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      RATE_LIMIT_FACTOR: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close');
  while (!(await isReady(port, address))) {
    if (child.exitCode !== null) throw new Error(`The server in ${checkout} did not start:\n${output}`);
    await pause(100);
  }
  return { port, child, ended };
}

/** @returns the exit code */
export async function stopServer({ child, ended }: Server): Promise<number | null> {
  child.kill('SIGTERM');
  await ended;
  return child.exitCode;
}

export async function isReady(port: number, address = HERE.address): Promise<boolean> {
  return await fetch(`http://${address}:${port}/api/health/ready`, {
    signal: AbortSignal.timeout(1500),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** @returns the public id of an ad zone of the sample data that has a live ad */
export async function zoneWithAd(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ zone: string }>(
    `select z.public_id as zone from ads a join ad_zones z on z.id = a.ad_zone_id where a.status = 'active' and z.is_active limit 1`,
  );
  return rows[0]!.zone;
}

/**
 * Starts clients that ask for an ad of the zone and report its view, and, with `publicUrl`, one that signs in there and
 * uses its session. `end` stops them, and waits for the requests under way.
 */
export function startLoad(
  send: Send,
  { zone, viewsPerSecond, publicUrl }: { zone: string; viewsPerSecond: number; publicUrl?: string },
): { counts: Counts; end: () => Promise<void> } {
  const counts = new Map<string, number>();
  let isOver = false;
  const note = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  /** Sends a request, and notes how it ended. A failed one has no answer. */
  const attempt = async (what: string, ...request: Parameters<Send>) => {
    try {
      const answer = await send(...request);
      // The connection is free for the next request when the body is read.
      const text = await answer.text();
      note(`${what} ${answer.status}`);
      return answer.ok ? { text, headers: answer.headers } : null;
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      note(`${what} ${cause?.code ?? message}`);
      return null;
    }
  };
  const view = async () => {
    const answer = await attempt('ad', `/api/serve/ads?z=${zone}`, { headers: HEADERS });
    if (!answer) return;
    const { ads } = JSON.parse(answer.text) as { ads: { view?: string }[] };
    if (ads[0]?.view) await attempt('view', ads[0].view, { method: 'POST', headers: HEADERS });
    else note('answer without an ad');
  };
  const signIn = async (origin: string) => {
    const answer = await attempt('sign-in', '/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: 'ada@openslot.test', password: SAMPLE_PASSWORD }),
    });
    const cookie = answer?.headers.get('set-cookie')?.split(';')[0];
    if (cookie) await attempt('user', '/api/auth/user', { headers: { cookie } });
  };
  /** Works at a steady rate. What was late is made up for. */
  const repeat = async (everyMs: number, work: () => Promise<void>) => {
    let due = performance.now() + Math.random() * everyMs;
    while (!isOver) {
      await pause(Math.max(0, due - performance.now()));
      due += everyMs;
      await work();
    }
  };
  const clients = Array.from({ length: CLIENTS }, () => repeat((1000 * CLIENTS) / viewsPerSecond, view));
  if (publicUrl) clients.push(repeat(SIGN_IN_EVERY_MS, async () => await signIn(publicUrl)));
  return {
    counts,
    end: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** @returns a sentence for each way in which requests failed */
export function failuresOf(counts: Counts): string[] {
  return [...counts]
    .filter(([name]) => !EXPECTED.has(name))
    .map(([name, count]) => `${count} requests ended with: ${name}.`);
}
