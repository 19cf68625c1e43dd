import { createServer } from 'node:net';

/** Returns a TCP port of 127.0.0.1 that is free at this moment: the `wanted` one if possible. */
export async function freePort(wanted = 0): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort())));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The system assigned no port'));
      probe.close(() => resolve(address.port));
    });
  });
}
