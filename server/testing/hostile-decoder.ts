/** A decoder program that does what a hostile video could make a decoder do: the last word of the file says what. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerJobs } from '#server/platform/decoding/answer-jobs.ts';
import { JOBS } from '#server/platform/decoding/jobs.ts';

const ACTS: Record<string, () => unknown> = {
  hang: () => {
    for (;;);
  },
  heap: () => {
    for (const kept: unknown[] = []; ;) kept.push({ kept: Array.from({ length: 1000 }, () => ({})) });
  },
  buffers: () => {
    for (const kept: Buffer[] = []; ;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
  },
  array: () => new Uint8Array(8 * 1024 ** 3),
  abort: () => process.abort(),
  throw: () => {
    throw new Error('a fault of the decoder');
  },
  world: async () => ({
    environment: Object.keys(process.env),
    parent: process.ppid,
    reads: refusalOf(() => readFileSync('/etc/hostname')),
    writes: refusalOf(() => writeFileSync(path.join(tmpdir(), 'openslot-decoder'), '')),
    starts: refusalOf(() => spawnSync('true')),
    connects: await new Promise((resolve) => {
      const socket = net.connect(9, '127.0.0.1');
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('connect', () => resolve('connected'));
    }).catch(codeOf),
  }),
};

await answerJobs({
  ...JOBS,
  video: async () => {
    const checkVideo = await JOBS.video();
    return async (bytes: Buffer) => {
      const act = Object.keys(ACTS).find((name) => bytes.toString('latin1').endsWith(` ${name}`));
      return (await (act && ACTS[act]?.())) ?? (await checkVideo(bytes));
    };
  },
});

function refusalOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
