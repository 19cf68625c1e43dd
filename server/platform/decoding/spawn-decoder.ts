import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';

/** A decoder process ends after this many files, which bounds what a leak or a hostile file leaves behind. */
export const FILES = 50;
/** Results leave by a channel of their own, so that a library that prints something cannot disturb them. */
export const RESULT_CHANNEL = 3;

/** The most that libvips uses, for 25 million pixels, is 400 MB. JavaScript has a part of it to itself. */
const MEMORY_MB = 1024;
const HEAP_MB = 256;
/** Processor seconds, for all files of a process. It ends a process whose server was killed while a file made it loop. */
const PROCESSOR_SECONDS = 2 * FILES;

/** On Linux, the kernel ends a decoder before the server or its database if the machine has no memory left. */
const OOM_SCORE = 500;

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The longest error output of a process that is kept. */
const MAX_ERRORS = 2000;

export type Spawned = {
  child: ChildProcess;
  input: Socket;
  results: Socket;
  /** Resolves when the process has ended, with what it wrote about errors. */
  ended: Promise<string>;
};

/** Starts a process that has no secret and no network, may write no file, and has limits of memory and processor time. */
export function spawnDecoder(program: string): Spawned {
  const readable = ['node_modules', 'server', 'domain', 'package.json'].map((name) =>
    realpathSync(path.join(ROOT, name)),
  );
  const node = [
    process.execPath,
    // Refuses the network, other processes, and all files but the code. Images need native code.
    '--permission',
    '--allow-addons',
    ...readable.map((name) => `--allow-fs-read=${name}`),
    '--disable-warning=PERM0001',
    `--max-old-space-size=${HEAP_MB}`,
    program,
  ];
  // Windows has no such limits for a process, so there only the heap and the deadline hold.
  // Other systems have no such score, and the line changes nothing there.
  const score = `{ echo ${OOM_SCORE} > /proc/self/oom_score_adj; } 2> /dev/null`;
  const limits = `${score}; ulimit -t ${PROCESSOR_SECONDS}; ulimit -d ${MEMORY_MB * 1024}; exec "$0" "$@"`;
  const [command = '', ...args] = process.platform === 'win32' ? node : ['/bin/sh', '-c', limits, ...node];
  const child = spawn(command, args, { env: environment(), stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr!.on('data', (text: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += text.toString();
  });
  const ended = new Promise<string>((resolve) => {
    // Not its 'close', which would wait for pipes that were handed over to another process.
    child.once('exit', () => resolve(errors));
    child.once('error', (error) => resolve(errors + String(error)));
  });
  return { child, input: child.stdin as Socket, results: child.stdio[RESULT_CHANNEL] as Socket, ended };
}

/** In a package, Node finds one of its libraries by this path. */
export const environment = (): NodeJS.ProcessEnv => ({ LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] });
