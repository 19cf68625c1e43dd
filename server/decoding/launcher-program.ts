/** The program of the small process that starts decoders for the server (launcher.ts). It reads none of their bytes. */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Order, Report } from './launcher.ts';
import { RESULT_CHANNEL, spawnDecoder } from './spawn-decoder.ts';

const MAX_ERRORS = 2000;

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
  const decoder = spawnDecoder(program);
  decoders.set(number, decoder);
  let errors = '';
  decoder.stderr!.on('data', (text: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += text.toString();
  });
  const end = (problem = '') => {
    decoders.delete(number);
    report({ ended: number, errors: errors + problem });
  };
  // Not its 'close', which would wait for the pipes that this process has handed over.
  decoder.once('exit', () => end());
  decoder.once('error', (error) => end(String(error)));
  report({ pipe: 'input', of: number }, decoder.stdin as Socket);
  report({ pipe: 'results', of: number }, decoder.stdio[RESULT_CHANNEL] as Socket);
  // Node sends this when it has closed its own ends of both, so that it takes nothing out of them.
  report({ started: number, pid: decoder.pid! });
}

function report(about: Report, pipe?: Socket): void {
  process.send!(about, pipe, undefined, () => {});
}
