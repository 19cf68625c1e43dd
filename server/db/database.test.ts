import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createPool } from './database.ts';

it('RUN-07 RUN-09 a database that takes the connection and then says nothing is given up', async () => {
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
