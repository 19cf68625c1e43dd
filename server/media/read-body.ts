import type { Readable } from 'node:stream';
import { invalid } from '../http/errors.ts';

/** Null where more comes than `limit`: the rest flows by unread, so that the sender gets to read the answer. */
export function readAtMost(body: Readable, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    if (body.readableEnded) return resolve(Buffer.alloc(0));
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
    // After the end these change nothing; before it, the sender is gone and nothing is stored.
    const giveUp = () => reject(invalid('The file did not arrive whole.'));
    body.once('error', giveUp).once('close', giveUp);
  });
}
