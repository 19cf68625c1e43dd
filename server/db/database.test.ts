import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { createDatabase, createPool } from './database.ts';

// Proves RUN-07, RUN-09
it('a database that takes the connection and then says nothing is given up', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pool = createPool(`postgres://nobody:x@127.0.0.1:${port}/none`);
  // The words that server/http/answer-errors.ts turns into 503.
  await expect(pool.query('select 1')).rejects.toThrow(/Connection terminated|timeout exceeded when trying/);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

// Proves RUN-04
it('a connection that is cut in the middle of a query fails the query, not the server', async () => {
  const database = await createTestDatabase();
  const behind = new URL(database.url);
  // Between the two, so that the connection can be cut as by a power failure: without a last word.
  const sockets: net.Socket[] = [];
  const cable = net.createServer((near) => {
    const far = net.connect(Number(behind.port), behind.hostname);
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  await once(cable.listen(0, '127.0.0.1'), 'listening');
  const address = new URL(behind);
  address.hostname = '127.0.0.1';
  address.port = String((cable.address() as AddressInfo).port);
  const db = createDatabase(createPool(address.href));
  try {
    const asked = sql`select pg_sleep(60)`.execute(db);
    asked.catch(() => {});
    while (sockets.length === 0) await pause(5);
    await sql`select 1`.execute(db);
    for (const socket of sockets) socket.destroy();
    await expect(asked).rejects.toThrow('Connection terminated unexpectedly');
    // An error that nobody listens to ends the process, and fails the whole run of tests. The other connection may be
    // handed out before it is known to be cut, too.
    const works = async () => (await sql`select 1`.execute(db)).rows.length === 1;
    while (!(await works().catch(() => false))) await pause(20);
  } finally {
    await db.destroy();
    for (const socket of sockets) socket.destroy();
    cable.close();
    await database.drop();
  }
});
