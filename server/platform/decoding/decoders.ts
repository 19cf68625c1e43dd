/**
 * Reads the bytes of strangers in processes that can be ended. A file can make a decoder loop for hours, use up memory, or
 * run code. Such a process has no secret, no network and no database, may write no file, and is killed when a file takes too
 * long. See docs/decisions/047-decoder-processes.md.
 */
import path from 'node:path';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { Result } from './answer-jobs.ts';
import type { JOBS } from './jobs.ts';
import { type Launched, Launcher } from './launcher.ts';
import { type Message, readMessages, writeMessage } from './messages.ts';
import { Refusal } from './kinds.ts';
import { FILES } from './spawn-decoder.ts';

/** The time for one file, from the moment its decoder is loaded. */
const DEADLINE_MS = 2000;
/** A document in a script of thousands of letters needs some fifty parts of a font in two weights. */
const DEADLINES_MS: Partial<Record<Job, number>> = { document: 20_000, letters: 10_000 };
/** A process starts in half a second. A very busy machine needs longer. */
const START_MS = 30_000;
/** Each decoding keeps a core busy and needs much memory. More than two would slow down the server. */
const AT_ONCE = 2;
/** Signing in never waits for files. A passkey takes milliseconds, so one process is enough for all of them. */
const PASSKEYS_AT_ONCE = 1;
const PASSKEY_JOBS: ReadonlySet<Job> = new Set(['new-passkey', 'passkey']);
/** A passkey counts as a part of a file, because a start takes half a second and a core. */
const FILES_OF_PASSKEY = 0.02;
const IDLE_MS = 60_000;

/** The longest result is the rendition of an image. */
const MAX_RESULT = 64 * 1024 * 1024;
const PROGRAM = path.join(import.meta.dirname, 'program.ts');

type Job = keyof typeof JOBS;
type Run<J extends Job> = Awaited<ReturnType<(typeof JOBS)[J]>>;

export type Decoders = {
  /** Starts what starts the processes. Without it, the first job does, when the server may have grown. */
  prepare: () => void;
  /**
   * Runs a job of jobs.ts on the bytes. Throws Refusal with the decoder's reason, and DecoderEnded if the file needed more
   * time or memory than it may.
   */
  decode: <J extends Job>(
    job: J,
    bytes: Uint8Array,
    options: Parameters<Run<J>>[1],
  ) => Promise<Awaited<ReturnType<Run<J>>>>;
  /** Ends all processes. Jobs that run or wait fail. */
  close: () => Promise<void>;
};

/** The process was ended while it read the file: the deadline, the memory limit, or a crash. */
export class DecoderEnded extends Error {
  override readonly name = 'DecoderEnded';
}

/** Starts no process before the first job. `program` replaces the decoders in tests. */
export function createDecoders(program = PROGRAM): Decoders {
  const filesAtOnce = createConcurrencyLimit(AT_ONCE);
  const passkeysAtOnce = createConcurrencyLimit(PASSKEYS_AT_ONCE);
  const launcher = new Launcher();
  const running = new Set<DecoderProcess>();
  const idle: DecoderProcess[] = [];
  let isClosed = false;

  async function takeProcess(): Promise<DecoderProcess> {
    const waiting = idle.pop();
    if (waiting) return waiting;
    const started = new DecoderProcess(await launcher.launch(program));
    running.add(started);
    void forgetWhenEnded(started);
    return started;
  }

  async function forgetWhenEnded(started: DecoderProcess): Promise<void> {
    await started.ended;
    running.delete(started);
    if (idle.includes(started)) idle.splice(idle.indexOf(started), 1);
  }

  return {
    prepare: () => void launcher.prepare(),
    decode: async (job, bytes, options) => {
      const [atOnce, files] = PASSKEY_JOBS.has(job) ? [passkeysAtOnce, FILES_OF_PASSKEY] : [filesAtOnce, 1];
      return await atOnce(async () => {
        if (isClosed) throw new Error('The server is stopping, so it decodes no more files');
        const taken = await takeProcess();
        const deadlineMs = DEADLINES_MS[job] ?? DEADLINE_MS;
        const { head, bytes: file } = await taken.run({ job, options }, bytes, { deadlineMs, files });
        if (!taken.isSpent()) idle.push(taken);
        const result = head as Exclude<Result, { began: true }>;
        if ('refused' in result) throw new Refusal(result.refused.status, result.refused.message);
        if ('failed' in result) throw new Error(`The decoder "${job}" failed: ${result.failed}`);
        return { ...result.value, ...(file.length > 0 && { bytes: file }) } as never;
      });
    },
    close: async () => {
      isClosed = true;
      await Promise.all(
        [...running].map(async (each) => {
          each.kill();
          await each.ended;
        }),
      );
      await launcher.close();
    },
  };
}

class DecoderProcess {
  readonly ended: Promise<string>;
  readonly #launched: Launched;
  readonly #results: AsyncGenerator<Message, void>;
  #hasEnded = false;
  #filesLeft = FILES;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(launched: Launched) {
    this.#launched = launched;
    this.ended = launched.ended;
    void this.ended.then(() => (this.#hasEnded = true));
    this.#results = readMessages(launched.results, MAX_RESULT);
    // `run` sees a broken pipe as the end of the results.
    launched.input.on('error', () => {});
  }

  /** Returns the result. Ends the process if there is none. */
  async run(
    head: object,
    bytes: Uint8Array,
    { deadlineMs, files }: { deadlineMs: number; files: number },
  ): Promise<Message> {
    clearTimeout(this.#idleTimer);
    this.#filesLeft -= files;
    void writeMessage(this.#launched.input, head, bytes);
    const began = await this.#next(START_MS);
    if (!began) throw new Error(`A decoder process did not start: ${await this.ended}`);
    if (!('began' in (began.head as Result))) return began;
    const result = await this.#next(deadlineMs);
    if (!result) throw new DecoderEnded('The decoder process was ended');
    return result;
  }

  async #next(limitMs: number): Promise<Message | undefined> {
    const timer = setTimeout(() => this.kill(), limitMs);
    try {
      const { value } = await this.#results.next();
      if (!value) this.kill();
      return value ?? undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns whether the process must not be used again, and ends it then. Otherwise it ends after an idle minute. */
  isSpent(): boolean {
    if (this.#filesLeft > 0 && !this.#hasEnded) {
      this.#idleTimer = setTimeout(() => this.kill(), IDLE_MS);
      this.#idleTimer.unref();
      return false;
    }
    this.kill();
    return true;
  }

  kill(): void {
    this.#hasEnded = true;
    clearTimeout(this.#idleTimer);
    this.#launched.kill();
  }
}
