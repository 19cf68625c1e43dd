import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems give outgoing connections a port from 32768 on. One of them could take the port before its server listens. */
const [FIRST, END] = [20_000, 32_768];

/** Returns a TCP port of 127.0.0.1 that is free at this moment: the `wanted` one if possible. */
export async function freePort(wanted = 0): Promise<number> {
  const port = wanted || randomInt(FIRST, END);
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error: NodeJS.ErrnoException) => {
      if (wanted === 0 && error.code !== 'EADDRINUSE') reject(error);
      else resolve(freePort());
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}
