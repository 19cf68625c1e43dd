/**
 * The messages between the server and a decoder process: the lengths of both parts (4 bytes each), a head in JSON, and the
 * bytes of a file as they are. Node's own messages between processes would copy a video of 50 MB in the server's thread,
 * which takes 400 ms.
 */
import type { Readable, Writable } from 'node:stream';

export type Message = { head: unknown; bytes: Buffer };

/** Waits until the operating system has the message, or the other end is gone. */
export async function writeMessage(stream: Writable, head: unknown, bytes: Uint8Array): Promise<void> {
  const text = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(text.length);
  lengths.writeUInt32BE(bytes.length, 4);
  stream.write(Buffer.concat([lengths, text]));
  // The callback is also called with the error of a broken pipe, which the reader of the answer sees as its end.
  await new Promise<void>((resolve) => stream.write(bytes, () => resolve()));
}

/** Reads messages until the stream ends. Throws if a message is longer than `max` bytes. */
export async function* readMessages(stream: Readable, max: number): AsyncGenerator<Message, void> {
  const source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let chunks: Buffer[] = [];
  let size = 0;
  const take = async (length: number): Promise<Buffer | null> => {
    while (size < length) {
      const next = await source.next();
      if (next.done) return null;
      chunks.push(next.value);
      size += next.value.length;
    }
    const all = Buffer.concat(chunks);
    size -= length;
    chunks = [all.subarray(length)];
    return all.subarray(0, length);
  };
  for (;;) {
    const lengths = await take(8);
    if (!lengths) return;
    const [head, body] = [lengths.readUInt32BE(), lengths.readUInt32BE(4)];
    if (head + body > max) throw new Error(`A message of ${head + body} bytes is too long`);
    const all = await take(head + body);
    if (!all) return;
    yield { head: JSON.parse(all.toString('utf8', 0, head)), bytes: all.subarray(head) };
  }
}
