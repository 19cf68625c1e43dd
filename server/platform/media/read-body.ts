import type { Readable } from 'node:stream';
import { invalid } from '../http/errors.ts';

/**
 * Reads a body of at most `limit` bytes. Returns null if it is longer, and discards the rest, so that the client can
 * read the answer. Throws 400 if the connection breaks.
 */
export function readAtMost(body: Readable, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(invalid('The upload was interrupted. Please try again.'));
    if (body.readableEnded) return resolve(Buffer.alloc(0));
    // The connection broke while the upload address was looked up. No event would follow.
    if (body.destroyed) return fail();
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      body.off('data', take).off('end', finish);
      body.resume();
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) return void chunks.push(chunk);
      stop();
      resolve(null);
    };
    const finish = () => resolve(Buffer.concat(chunks, length));
    body.on('data', take).once('end', finish);
    // 'close' also follows 'end'. By then the promise is resolved, and the rejection has no effect.
    body.once('error', fail).once('close', fail);
  });
}
