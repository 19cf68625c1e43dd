/** The server of a file of tests. Hooks of their own start and end it, so a start that fails is the one error that is shown. */
import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestServer } from './server.ts';

/** The server that the files of this worker share. It ends with the worker. */
let shared: Promise<TestServer> | undefined;

/**
 * A running server that other files use, too, before and after this one. Its tests are apart by their accounts: they sign new
 * people in, and look only at what is theirs. A file that is about the whole marketplace, the clock, settings or the database
 * needs `useOwnServer`.
 */
export function useServer(): TestServer {
  return useStarted(async () => {
    shared ??= startTestServer();
    // The next file tries again.
    shared.catch(() => (shared = undefined));
    return await shared;
  });
}

/** A server for this file alone. */
export function useOwnServer(options?: Parameters<typeof startTestServer>[0]): TestServer {
  const server = useStarted(
    async () => await startTestServer(options),
    async (started) => await started.close(),
  );
  return server;
}

/** Stands for what `start` returns, from the first test on. */
function useStarted<Started extends object>(
  start: () => Promise<Started>,
  end?: (started: Started) => Promise<void>,
): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started) await end?.(started);
  });
  return new Proxy({} as Started, {
    get: (_, name) => {
      if (!started) throw new Error('The server starts before the first test of its file, and not earlier');
      return Reflect.get(started, name) as unknown;
    },
    has: (_, name) => started !== undefined && name in started,
    ownKeys: () => (started ? Reflect.ownKeys(started) : []),
    getOwnPropertyDescriptor: (_, name) =>
      started && { ...Reflect.getOwnPropertyDescriptor(started, name), configurable: true },
  });
}
