import { gifEnds } from './gif.ts';
import type { KindName } from './kinds.ts';

/**
 * Returns whether the file reaches its end marker. Decoders accept any complete frames, so half an animation would pass
 * as a shorter one. Bytes after the marker do not matter.
 */
export function isComplete(bytes: Buffer, kind: Exclude<KindName, 'mp4'>): boolean {
  switch (kind) {
    case 'png':
      return pngEnds(bytes);
    case 'gif':
      return gifEnds(bytes);
    case 'jpeg':
      return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > 0;
  }
}

function pngEnds(bytes: Buffer): boolean {
  return [...pngChunks(bytes)].includes('IEND');
}

/** Returns whether a PNG is animated. Decoders read its first frame only (W3C PNG, 11.3.6). */
export function isAnimatedPng(bytes: Buffer): boolean {
  return [...pngChunks(bytes)].includes('acTL');
}

/** Walks the chunks (length, type, data, checksum; W3C PNG, 5.3), and yields their types up to the end. */
function* pngChunks(bytes: Buffer): Generator<string, undefined> {
  let offset = 8;
  while (offset + 12 <= bytes.length) {
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    yield type;
    if (type === 'IEND') return;
    offset += 12 + bytes.readUInt32BE(offset);
  }
}
