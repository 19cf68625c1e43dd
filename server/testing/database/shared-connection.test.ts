import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { freezable, type FreezableDatabase } from './freezable.ts';
import { sharedConnection } from './shared-connection.ts';
import { startTestServer } from '../server.ts';

let behind: FreezableDatabase | undefined;
afterAll(() => behind?.close());

/** An address that leads to the PostgreSQL of the tests from the call of `start` on. */
async function startsLater(): Promise<{ url: string; start: () => Promise<net.Server> }> {
  behind = await freezable(inject('ownerUrl'));
  const database = new URL(behind.url);
  const port = await freePort();
  return {
    url: Object.assign(new URL(behind.url), { port: String(port) }).href,
    start: async () => {
      const gate = net.createServer((client) => {
        const server = net.connect(Number(database.port), database.hostname);
        client.pipe(server).pipe(client);
        for (const socket of [client, server]) socket.on('error', () => {});
      });
      await once(gate.listen(port, '127.0.0.1'), 'listening');
      return gate;
    },
  };
}

const answerOf = async (connection: ReturnType<typeof sharedConnection>) =>
  (await (await connection()).query<{ one: number }>('select 1 as one')).rows;

it('a test waits for a PostgreSQL that is restarting', async () => {
  const { url, start } = await startsLater();
  const answer = answerOf(sharedConnection(() => url));
  await pause(300);
  const gate = await start();
  expect(await answer).toEqual([{ one: 1 }]);
  gate.close();
});

it('a test gets a new connection after PostgreSQL has ended the one of its worker', async () => {
  behind = await freezable(inject('ownerUrl'));
  const { url } = behind;
  const connection = sharedConnection(() => url);
  const first = await connection();
  expect(await answerOf(connection)).toEqual([{ one: 1 }]);
  const ended = new Promise((resolve) => first.once('end', resolve));
  behind.cut();
  await ended;
  expect(await answerOf(connection)).toEqual([{ one: 1 }]);
  expect(await connection()).not.toBe(first);
});

it('a test whose database cannot be used says so, and the next one tries again', async () => {
  let database = 'not_there';
  const connection = sharedConnection(
    () => Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` }).href,
  );
  await expect(connection()).rejects.toThrow('database "not_there" does not exist');
  database = 'postgres';
  expect(await answerOf(connection)).toEqual([{ one: 1 }]);
});

it('a server that does not start in a test says why, and leaves nothing open', async () => {
  const failing = startTestServer({ through: async () => 'postgres://127.0.0.1:1/nowhere' });
  await expect(failing).rejects.toThrow('The server of this test did not start.');
  await expect(failing).rejects.toMatchObject({ cause: expect.any(Error) });
});

it('a server of a test may be closed twice', async () => {
  const server = await startTestServer();
  await server.close();
  await expect(server.close()).resolves.toBeUndefined();
});
