/** The program of the small process that starts decoders for the server (launcher.ts). It reads none of their bytes. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Order, Report } from './launcher.ts';
import { spawnDecoder } from './spawn-decoder.ts';

const decoders = new Map<number, ChildProcess>();

process.on('message', (order: Order) => {
  if ('start' in order) start(order.start, order.program);
  else decoders.get(order.end)?.kill('SIGKILL');
});

// The signals are for the server, which ends this process when it has answered its last request.
process.on('SIGINT', () => {}).on('SIGTERM', () => {});
// Node does not tell of every end of its own channel: not while a pipe is handed over.
process.stdin.resume().on('end', () => {
  for (const decoder of decoders.values()) decoder.kill('SIGKILL');
  process.exit();
});

function start(number: number, program: string): void {
  const { child, input, results, ended } = spawnDecoder(program);
  decoders.set(number, child);
  void reportEnd(number, ended);
  report({ pipe: 'input', of: number }, input);
  report({ pipe: 'results', of: number }, results);
  // Node sends this when it has closed its own ends of both, so that it takes nothing out of them.
  report({ started: number, pid: child.pid! });
}

async function reportEnd(number: number, ended: Promise<string>): Promise<void> {
  const errors = await ended;
  decoders.delete(number);
  report({ ended: number, errors });
}

function report(about: Report, pipe?: Socket): void {
  process.send!(about, pipe, undefined, () => {});
}
