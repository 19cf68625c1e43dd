import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/database/database.ts';
import { createDatabase, createPool } from './database.ts';

// Proves RUN-09
it.concurrent('the pool gives up on a database that accepts a connection and never answers', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pool = createPool(`postgres://nobody:x@127.0.0.1:${port}/none`);
  // server/platform/http/fastify/answer-errors.ts answers these errors with 503.
  await expect(pool.query('select 1')).rejects.toThrow(/Connection terminated|timeout exceeded when trying/);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

// Proves RUN-04
it.concurrent('a connection lost during a query fails the query and does not end the process', async () => {
  const database = await createTestDatabase();
  const direct = new URL(database.url);
  // A proxy in front of the database can cut the connection without a final message, as a power failure would.
  const sockets: net.Socket[] = [];
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(direct.port), direct.hostname);
    for (const socket of [client, server]) sockets.push(socket.on('error', () => {}));
    client.pipe(server).pipe(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = new URL(direct);
  // Otherwise the pool would use the database's Unix socket.
  address.searchParams.delete('host');
  address.hostname = '127.0.0.1';
  address.port = String((proxy.address() as AddressInfo).port);
  const db = createDatabase(createPool(address.href));
  try {
    const query = sql`select pg_sleep(60)`.execute(db);
    query.catch(() => {});
    while (sockets.length === 0) await pause(5);
    await sql`select 1`.execute(db);
    for (const socket of sockets) socket.destroy();
    // Closing a socket with unread data resets the connection.
    await expect(query).rejects.toThrow(/^(Connection terminated unexpectedly|read ECONNRESET)$/);
    // An error event without a listener would end the process and fail the whole test run. The pool may also hand out
    // the second connection before it notices that it was cut, so we try until a query works.
    const works = async () => (await sql`select 1`.execute(db)).rows.length === 1;
    while (!(await works().catch(() => false))) await pause(20);
    // PostgreSQL does not notice the cut while it sleeps, and the database can only be dropped afterwards.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  } finally {
    await db.destroy();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await database.drop();
  }
});

// Proves LEDG-14
it.concurrent('an amount that JavaScript cannot count exactly is refused instead of rounded', async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url);
  const db = createDatabase(pool);
  const read = async (cents: string) => {
    const { rows } = await sql<{ cents: number }>`select ${sql.lit(cents)}::bigint as cents`.execute(db);
    return rows[0]?.cents;
  };
  expect(await read(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
  expect(await read('-3')).toBe(-3);
  await expect(read('9007199254740993')).rejects.toThrow('9007199254740993 is too large');
  await expect(read('-9007199254740993')).rejects.toThrow(RangeError);
  await pool.end();
  await database.drop();
});

it.concurrent('reads times right, and limits statements, whatever DateStyle, TimeZone or IntervalStyle the database prefers', async () => {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const owner = createDatabase(createPool(database.ownerUrl));
  for (const setting of [
    `datestyle = 'SQL, DMY'`,
    `timezone = 'Pacific/Kiritimati'`,
    `intervalstyle = 'iso_8601'`,
  ])
    await sql.raw(`alter database ${name} set ${setting}`).execute(owner);
  const db = createDatabase(createPool(database.url));
  try {
    const { rows } = await sql<{ at: Date; wait: { days: number }; limit: string }>`
      select '2026-02-01T10:00:00Z'::timestamptz as at, interval '3 days' as wait,
        current_setting('statement_timeout') as limit`.execute(db);
    expect(rows[0]).toMatchObject({ at: new Date('2026-02-01T10:00:00Z'), wait: { days: 3 }, limit: '2min' });
  } finally {
    await db.destroy();
    await owner.destroy();
    await database.drop();
  }
});
