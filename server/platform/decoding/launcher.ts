/**
 * Starts decoder processes from a small process. Whoever starts a process copies their page tables for it, which took 30 to
 * 90 ms of the thread of a large server. The small process hands over the ends of the pipes, so that the bytes of files do not
 * pass through it. It ends with the server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import { environment, spawnDecoder, type Spawned } from './spawn-decoder.ts';

const PROGRAM = path.join(import.meta.dirname, 'launcher-program.ts');

/** A decoder process by its number. The ends of its pipes come first, each with its name, and then that it has started. */
export type Order = { start: number; program: string } | { end: number };
export type Report =
  | { pipe: 'input' | 'results'; of: number }
  | { started: number; pid: number }
  | { ended: number; errors: string };

export type Launched = Omit<Spawned, 'child'> & { kill: () => void };
type Pipes = Pick<Launched, 'input' | 'results'>;

/** A decoder whose end the launcher has not reported yet. */
type Waiting = {
  pid?: number;
  pipes: Partial<Pipes>;
  started: (pipes: Pipes) => void;
  ended: (errors: string) => void;
};

export class Launcher {
  #process: ChildProcess | undefined;
  #exited: Promise<void> | undefined;
  #waiting = new Map<number, Waiting>();
  #last = 0;

  /** Starts the small process, so that it need not be started when the server has grown. */
  prepare(): ChildProcess {
    if (this.#process?.connected) return this.#process;
    const launcher = fork(PROGRAM, {
      env: environment(),
      execArgv: [],
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    launcher.on('message', (report: Report, pipe) => this.#hear(report, pipe as Socket));
    const lost = () => {
      // Its channel may still count as connected for a moment.
      if (this.#process === launcher) this.#process = undefined;
      for (const { pid, pipes, ended } of this.#waiting.values()) {
        if (pid !== undefined) endOrphan(pid);
        // Nobody has them yet, and a decoder ends with its input.
        else for (const pipe of Object.values(pipes)) pipe.destroy();
        ended('The process that starts decoders has ended');
      }
    };
    // It may have ended when the server writes the end of its input.
    launcher.stdin!.on('error', () => {});
    const exited = new Promise((resolve) => launcher.once('exit', resolve).once('error', resolve));
    this.#exited = exited.then(lost);
    this.#process = launcher;
    return launcher;
  }

  /** Throws if the process ends before it has started. */
  async launch(program: string): Promise<Launched> {
    if (process.platform === 'win32') return launchHere(program);
    const launcher = this.prepare();
    const number = (this.#last += 1);
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const started = new Promise<Pipes>((begin) => {
      this.#waiting.set(number, { pipes: {}, started: begin, ended: resolve });
    });
    void ended.then(() => this.#waiting.delete(number));
    send(launcher, { start: number, program });
    const failed = ended.then((errors) => {
      throw new Error(`A decoder process did not start: ${errors}`);
    });
    const pipes = await Promise.race([started, failed]);
    return { ...pipes, ended, kill: () => send(launcher, { end: number }) };
  }

  #hear(report: Report, pipe: Socket): void {
    if ('pipe' in report) {
      const waiting = this.#waiting.get(report.of);
      if (waiting) waiting.pipes[report.pipe] = pipe;
      else pipe.destroy();
    } else if ('started' in report) {
      const waiting = this.#waiting.get(report.started);
      if (!waiting) return;
      waiting.pid = report.pid;
      waiting.started(waiting.pipes as Pipes);
    } else this.#waiting.get(report.ended)?.ended(report.errors);
  }

  /** Ends it and all decoders. */
  async close(): Promise<void> {
    // Its input ends in the same way when the server was killed.
    this.#process?.stdin?.end();
    await this.#exited;
  }
}

/** Windows hands no pipe over to another process, so there the server starts its decoders itself. */
function launchHere(program: string): Launched {
  const { child, input, results, ended } = spawnDecoder(program);
  return { input, results, ended, kill: () => void child.kill('SIGKILL') };
}

function endOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** A launcher that is gone has ended its decoders. */
function send(launcher: ChildProcess, order: Order): void {
  if (launcher.connected) launcher.send(order, () => {});
}
