/**
 * The servers of tests, and what tests start beside them. The hooks start and end these themselves, so that a start that
 * fails is the one error that is shown.
 */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AdServerTest, startAdServerTest } from '../delivery/delivery.ts';
import { startTestServer, type TestServer } from '../server.ts';

type Options = NonNullable<Parameters<typeof startTestServer>[0]>;
type Env = Record<string, string>;
type Closable = { close: () => unknown };

/** The server that the files of this worker share. It ends with the worker. */
let shared: Promise<TestServer> | undefined;

/**
 * A running server that other files use, too, before and after this one. Its tests are apart by their accounts: they sign new
 * people in, and look only at what is theirs. A file that is about the whole marketplace, the clock, settings or the database
 * needs `useOwnServer`.
 */
export function useServer(): TestServer {
  const start = async () => {
    shared ??= startTestServer();
    // The next file tries again.
    shared.catch(() => (shared = undefined));
    return await shared;
  };
  return useStarted(start, () => {});
}

/** A server for this file, or this group of tests, alone. Options that are known only at its start are a function. */
export function useOwnServer(options: Options | (() => Options | Promise<Options>) = {}): TestServer {
  return useStarted(async () => await startTestServer(await valueOf(options)));
}

/** The same with the calls of a page that shows ads. */
export function useOwnAdServer(env: Env | (() => Env) = {}, log?: (line: string) => void): AdServerTest {
  return useStarted(async () => await startAdServerTest(await valueOf(env), log));
}

/**
 * Stands for what `start` returns, from the first test on. vitest ends what was started in reverse order, so a server that
 * needs a stand-in is written below it.
 */
export function useStarted<Started extends Closable>(
  start: () => Promise<Started>,
  end: (started: Started) => unknown = (started) => started.close(),
): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started) await end(started);
  });
  const begun = () => {
    if (!started) throw new Error('The server starts before the first test of its file, and not earlier');
    return started;
  };
  return new Proxy({} as Started, {
    get: (_, name) => Reflect.get(begun(), name) as unknown,
    set: (_, name, value) => Reflect.set(begun(), name, value),
    has: (_, name) => started !== undefined && name in started,
    ownKeys: () => (started ? Reflect.ownKeys(started) : []),
    getOwnPropertyDescriptor: (_, name) =>
      started && { ...Reflect.getOwnPropertyDescriptor(started, name), configurable: true },
  });
}

/** Closes at the end of the running test what the test starts for itself: `await untilTestEnds(startTestServer({ … }))`. */
export async function untilTestEnds<Started extends Closable>(starting: Promise<Started>): Promise<Started> {
  const started = await starting;
  onTestFinished(async () => {
    await started.close();
  });
  return started;
}

async function valueOf<Value extends object>(given: Value | (() => Value | Promise<Value>)): Promise<Value> {
  return typeof given === 'function' ? await given() : given;
}
