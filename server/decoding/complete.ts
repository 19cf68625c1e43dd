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

/** Walks the chunks (length, type, data, checksum) to IEND (W3C PNG, 5.3). */
function pngEnds(bytes: Buffer): boolean {
  let offset = 8;
  while (offset + 12 <= bytes.length) {
    if (bytes.toString('latin1', offset + 4, offset + 8) === 'IEND') return true;
    offset += 12 + bytes.readUInt32BE(offset);
  }
  return false;
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Walks the blocks to the trailer (GIF89a specification, appendix A). */
function gifEnds(bytes: Buffer): boolean {
  let offset = 13 + tableLength(bytes[10] ?? 0);
  while (offset < bytes.length) {
    const block = bytes[offset];
    if (block === TRAILER) return true;
    if (block === EXTENSION) offset += 2;
    else if (block === IMAGE) offset += 11 + tableLength(bytes[offset + 9] ?? 0);
    else return false;
    offset = afterSubBlocks(bytes, offset);
  }
  return false;
}

/** Returns the size of the color table in bytes, from the flags of its descriptor. */
function tableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function afterSubBlocks(bytes: Buffer, start: number): number {
  let offset = start;
  for (let size = bytes[offset]; size !== undefined && size !== 0; size = bytes[offset]) offset += size + 1;
  return offset + 1;
}
