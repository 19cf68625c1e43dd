/** Asks a server with many ad zones for those that are in its memory, for others and for invented ones. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Row } from './delivery.ts';
import { ask, start, stop } from './process.ts';
import type { Figures, Started } from './snapshot.ts';

/** As many as a server remembers. Ten times as many follow. */
const UNKNOWN_NAMES = 100_000;
const NAMES_PER_REQUEST = 10;
const CONNECTIONS = 16;

export async function measureZones(dataDir: string, zones: number): Promise<Row[]> {
  const { child, ready } = await start('snapshot.ts', dataDir, String(zones));
  const { port, ads, websites, listensMs, readyMs, busyMs, coldZones } = ready as Started;
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const figures = async () => (await ask(child, { ask: 'figures' })) as Figures;
  try {
    const atStart = await figures();
    const cold: number[] = [];
    for (const zone of coldZones) cold.push(await timeOf(agent, port, [zone]));
    cold.sort((a, b) => a - b);
    await askUnknown(agent, port, UNKNOWN_NAMES);
    const few = await figures();
    await askUnknown(agent, port, 10 * UNKNOWN_NAMES);
    const many = await figures();
    const changeMs = (await ask(child, { ask: 'change' })) as number;
    const changed = await figures();
    const what = [`${count(websites)} websites`, `${count(zones)} zones`, `${count(ads)} live ads`].join(
      ', ',
    );
    const row = (of: string, value: number, unit: string, goal = ''): Row => ({
      what: `${what}: ${of}`,
      value,
      unit,
      goal,
    });
    const pauses = (...all: Figures[]) => [
      row('longest pause meanwhile', Math.max(...all.map(({ pauseMs }) => pauseMs)), 'ms', '≤ 50'),
      row('most processor time of a turn', Math.max(...all.map(({ turnMs }) => turnMs)), 'ms', '≤ 50'),
    ];
    return [
      row('listens after', listensMs, 'ms'),
      row('ready after', readyMs, 'ms', '≤ 10,000'),
      row('processor time of the server until then', busyMs, 'ms'),
      ...pauses(atStart),
      row('heap', atStart.heapMiB, 'MiB', '≤ 600'),
      row('resident', atStart.residentMiB, 'MiB'),
      row('a cold zone, median', cold[Math.floor(cold.length / 2)]!, 'ms'),
      row('a cold zone, slowest of 1,000', cold.at(-1)!, 'ms', '≤ 50'),
      row(`heap after ${count(UNKNOWN_NAMES)} unknown names`, few.heapMiB, 'MiB'),
      row('heap after ten times as many', many.heapMiB, 'MiB', 'flat'),
      ...pauses(few, many),
      row('a tenth of the zones change', changeMs, 'ms'),
      ...pauses(changed),
    ];
  } finally {
    agent.destroy();
    await stop(child);
  }
}

async function askUnknown(agent: http.Agent, port: number, names: number): Promise<void> {
  let left = names;
  const client = async () => {
    while (left > 0) {
      left -= NAMES_PER_REQUEST;
      await timeOf(
        agent,
        port,
        Array.from({ length: NAMES_PER_REQUEST }, () => randomUUID()),
      );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

/** How long the answer for these zones takes, in milliseconds. */
async function timeOf(agent: http.Agent, port: number, zones: string[]): Promise<number> {
  const from = performance.now();
  await new Promise<void>((resolve, reject) => {
    const request = http.get({ agent, port, host: '127.0.0.1', path: `/api/serve/ads?z=${zones.join(',')}` });
    request.on('error', reject);
    request.on('response', (response) => {
      response.resume();
      response.on('end', resolve);
    });
  });
  return performance.now() - from;
}

const count = (value: number) => value.toLocaleString('en-US');
