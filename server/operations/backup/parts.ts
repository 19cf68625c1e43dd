/** Streams as compressed parts of a bounded size, because a bucket takes only whole files. */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const PART_BYTES = 16 * 1024 * 1024;
/** A higher level takes twice the time for a tenth of the size. */
const LEVEL = 3;

/** Writes what `source` yields, compressed and then cut. Returns the parts in their order, none for an empty source. */
export async function writeParts(
  source: Readable,
  nameOf: (index: number) => string,
  write: (file: string, bytes: Buffer) => Promise<void>,
): Promise<string[]> {
  const parts: string[] = [];
  let chunks: Buffer[] = [];
  let bytes = 0;

  async function endPart(): Promise<void> {
    const name = nameOf(parts.length);
    parts.push(name);
    await write(name, Buffer.concat(chunks));
    chunks = [];
    bytes = 0;
  }

  const gzip = createGzip({ level: LEVEL });
  await pipeline(source, gzip, async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= PART_BYTES) await endPart();
    }
    if (bytes > 0 && gzip.bytesWritten > 0) await endPart();
  });
  return parts;
}

/** Gives `target` what the parts had before they were compressed. */
export async function readParts(
  parts: readonly string[],
  read: (file: string) => Promise<Buffer>,
  target: Writable,
): Promise<void> {
  async function* compressed() {
    for (const part of parts) yield await read(part);
  }
  await pipeline(Readable.from(compressed()), createGunzip(), target);
}
