import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CLIP, clipOfEndlessTable, clipWithText, png } from '#server/testing/pictures.ts';
import { createDecoders, DecoderEnded, type Decoders } from './decoders.ts';
import { Refusal } from './kinds.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const HOSTILE = path.join(import.meta.dirname, '../../testing/hostile-decoder.ts');

/** The same program by another name, so that its processes can be told from those of other tests. */
const HOSTILE_COPY = `${path.dirname(HOSTILE)}/../testing/${path.basename(HOSTILE)}`;
const LOOPING_SERVER = `
  import { createDecoders } from '${path.join(import.meta.dirname, 'decoders.ts')}';
  import { clipWithText } from '${path.join(import.meta.dirname, '../../testing/pictures.ts')}';
  await createDecoders('${HOSTILE_COPY}').decode('video', clipWithText(' hang'), undefined);`;

let opened: Decoders[] = [];
function open(program?: string): Decoders {
  const decoders = createDecoders(program);
  opened.push(decoders);
  return decoders;
}
afterEach(async () => {
  for (const decoders of opened) await decoders.close();
  opened = [];
});

const clip = { width: 320, height: 180, durationMs: 3000 };

const act = (decoders: Decoders, name: string): Promise<unknown> =>
  decoders.decode('video', clipWithText(` ${name}`), undefined);

describe('decoder processes', () => {
  // Proves DEC-01
  it('ends a decoder that loops, uses up memory or crashes, and decodes the next files', async () => {
    const decoders = open(HOSTILE);
    const files = [
      'hang',
      'heap',
      'a clip',
      'a clip',
      'buffers',
      'a clip',
      'array',
      'a clip',
      'abort',
      'a clip',
    ];
    const outcomes = await Promise.allSettled(
      files.map(async (name) =>
        name === 'a clip' ? await decoders.decode('video', CLIP, undefined) : await act(decoders, name),
      ),
    );
    const ended = { status: 'rejected', reason: expect.any(DecoderEnded) };
    const decoded = { status: 'fulfilled', value: clip };
    expect(files.map((name, place) => [name, outcomes[place]])).toEqual(
      files.map((name) => [name, name === 'a clip' ? decoded : ended]),
    );
  });

  // Proves DEC-01
  it('keeps a decoder that throws, and reports its fault', async () => {
    const decoders = open(HOSTILE);
    await expect(act(decoders, 'throw')).rejects.toThrow('a fault of the decoder');
    expect(await decoders.decode('video', CLIP, undefined)).toEqual(clip);
  });

  // Proves DEC-02
  it('gives a decoder no setting, network, process or file', async () => {
    process.env.OPENSLOT_TEST_SECRET = 'secret';
    try {
      expect(await act(open(HOSTILE), 'world')).toEqual({
        // The shell that sets the limits of the process sets these.
        environment: expect.not.arrayContaining([expect.not.stringMatching(/^(?:PWD|OLDPWD|SHLVL|_)$/)]),
        parent: expect.any(Number),
        reads: 'ERR_ACCESS_DENIED',
        writes: 'ERR_ACCESS_DENIED',
        starts: 'ERR_ACCESS_DENIED',
        connects: 'ERR_ACCESS_DENIED',
      });
    } finally {
      delete process.env.OPENSLOT_TEST_SECRET;
    }
  });

  // Proves DEC-01
  it('checks a passkey while files keep both processes busy', async () => {
    const decoders = open(HOSTILE);
    let ended = 0;
    const hanging = Array.from(
      { length: 20 },
      async () => await act(decoders, 'hang').catch(() => (ended += 1)),
    );
    await expect.poll(childrenOf).toHaveLength(2);
    const asked = { challenge: 'YQ', id: 'localhost', origin: 'http://localhost', algorithms: [-7] };
    const checked = decoders.decode('new-passkey', Buffer.from('{"response":{}}'), asked);
    await expect(checked).rejects.toBeInstanceOf(Refusal);
    // It waited for no file of the queue. On a busy machine, a few are ended while its process starts.
    expect(ended).toBeLessThan(10);
    await decoders.close();
    await Promise.all(hanging);
  });

  // Proves DEC-01
  it('starts a new process after fifty files', async () => {
    const decoders = open();
    const files = Array.from({ length: 120 }, async () => await decoders.decode('video', CLIP, undefined));
    expect(await Promise.all(files)).toEqual(files.map(() => clip));
  });

  // Proves DEC-01
  it('ends all processes when the server stops, also one that loops', async () => {
    const decoders = open(HOSTILE);
    const hanging = act(decoders, 'hang');
    const waiting = act(decoders, 'hang');
    const last = act(decoders, 'hang');
    const outcomes = Promise.allSettled([hanging, waiting, last]);
    await expect.poll(childrenOf).toHaveLength(2);
    await decoders.close();
    expect(childrenOf()).toEqual([]);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(decoders.decode('image', await png(), { kind: 'png' })).rejects.toThrow('stopping');
  });

  it('decodes the next file after the process that starts decoders was killed', async () => {
    const decoders = open(HOSTILE);
    const hanging = Promise.allSettled([act(decoders, 'hang')]);
    await expect.poll(childrenOf).toHaveLength(1);
    const [launcher] = childrenOf().map((line) => Number(line.trim().split(/ +/)[1]));
    process.kill(launcher!, 'SIGKILL');
    expect(await hanging).toEqual([{ status: 'rejected', reason: expect.any(Error) }]);
    expect(await decoders.decode('video', CLIP, undefined)).toEqual(clip);
  });

  it('ends a decoder that loops when its server was killed', async () => {
    const server = spawn(process.execPath, ['--input-type=module', '--eval', LOOPING_SERVER]);
    const loops = () => listProcesses().filter((line) => line.endsWith(HOSTILE_COPY));
    await expect.poll(loops).toHaveLength(1);
    server.kill('SIGKILL');
    await expect.poll(loops).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')(
  'the kernel ends a decoder, not the server or its database, first when memory runs out',
  async () => {
    const decoders = open(HOSTILE);
    const outcome = Promise.allSettled([act(decoders, 'hang')]);
    await expect.poll(childrenOf).toHaveLength(1);
    const score = (of = 'self') => Number(readFileSync(`/proc/${of}/oom_score_adj`, 'utf8'));
    // The shell that starts the decoder sets it.
    await expect.poll(() => score(childrenOf()[0]?.trim().split(' ')[0])).toBe(500);
    expect(score()).toBeLessThan(500);
    await decoders.close();
    await outcome;
  },
);

describe('the tables of a video', () => {
  // Proves DEC-03
  it.each(['stts', 'ctts', 'stsc'] as const)(
    'refuses an endless %s before it reads the file',
    async (table) => {
      await expect(open().decode('video', clipOfEndlessTable(table), undefined)).rejects.toThrow(
        'too many frames',
      );
    },
  );
});

const listProcesses = (): string[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');

/** The decoder processes of this process. Test files share it. */
function childrenOf(): string[] {
  const list = listProcesses();
  const isChildOf = (parents: string[]) => (line: string) =>
    parents.includes(line.trim().split(/ +/)[1] ?? '');
  const launchers = list
    .filter(isChildOf([String(process.pid)]))
    .map((line) => line.trim().split(' ')[0] ?? '');
  return list.filter(isChildOf(launchers)).filter((line) => line.includes(HOSTILE));
}

/** The files of the product outside of these folders that import what `name`, a regular expression, matches. */
function importersOf(name: string, { outside }: { outside: string[] }): string[] {
  const imports = new RegExp(`(?:^import (?!type )[^;]*|\\bimport\\()'${name}`, 'm');
  return globSync('server/**/*.ts', { cwd: ROOT, exclude: [...outside, 'server/testing/**'] })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => imports.test(readFileSync(path.join(ROOT, file), 'utf8')));
}

it('are the only programs that open a font', () => {
  expect(importersOf('(?:[./]+|#server/platform)/print/', { outside: ['server/platform/print/**'] })).toEqual(
    ['server/platform/decoding/jobs.ts'],
  );
});

// Proves DEC-01
it.each(['@simplewebauthn/server', 'htmlparser2', 'mediabunny', 'sharp'])(
  'are the only programs that load %s',
  (name) => {
    expect(importersOf(name, { outside: [] })).not.toEqual([]);
    expect(importersOf(name, { outside: ['server/platform/decoding/**'] })).toEqual([]);
  },
);
