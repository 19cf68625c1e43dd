import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      if (address === null || typeof address === 'string') return reject(new Error('no port was given'));
      probe.close(() => resolve(address.port));
    });
  });
}
