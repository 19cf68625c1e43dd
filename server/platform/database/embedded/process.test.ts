import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './process.ts';

it('finds the wanted port if it is free, and else one that no outgoing connection takes', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
  const holder = net.createServer().listen(port, '127.0.0.1');
  await once(holder, 'listening');
  const other = await freePort(port);
  holder.close();
  expect(other).not.toBe(port);
  // Linux gives outgoing connections the ports 32768 to 60999, macOS and Windows those from 49152 on.
  for (const each of [port, other]) expect(each).toBeLessThan(32_768);
});
