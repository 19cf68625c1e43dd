/** Walks the blocks of a GIF as its bytes arrive (GIF89a specification, appendix A). */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Yields how many bytes to skip, and receives the byte after them. Returns false if the bytes are no GIF. */
function* blocks(end: 'trailer' | 'first image'): Generator<number, boolean, number> {
  let skip = 2 + tableLength(yield 10);
  for (;;) {
    const block = yield skip;
    skip = 0;
    if (block === TRAILER) return true;
    // The label of the extension, or the table of the image and the size of its codes.
    if (block === EXTENSION) yield 0;
    else if (block === IMAGE) yield tableLength(yield 8);
    else return false;
    for (let size = yield 0; size !== 0;) size = yield size;
    if (block === IMAGE && end === 'first image') return true;
  }
}

/** Returns the size of a color table in bytes, from the flags of its descriptor. */
function tableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Returns a function that reads the next bytes, and returns how many of them belong to the GIF up to `end`; null: all do. */
function readUntil(
  end: 'trailer' | 'first image',
): (chunk: Uint8Array) => { length: number; isGif: boolean } | null {
  const walk = blocks(end);
  let at = walk.next().value as number;
  return (chunk) => {
    while (at < chunk.length) {
      const step = walk.next(chunk[at]!);
      if (step.done) return { length: at + 1, isGif: step.value };
      at += 1 + step.value;
    }
    at -= chunk.length;
    return null;
  };
}

/** Returns whether the file reaches its trailer. Bytes after it do not matter. */
export function gifEnds(bytes: Uint8Array): boolean {
  return readUntil('trailer')(bytes)?.isGif === true;
}

/** The first frame of an animation, as a GIF of its own. */
export async function* firstFrameOf(gif: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const read = readUntil('first image');
  for await (const chunk of gif) {
    const end = read(chunk);
    yield end === null ? chunk : chunk.subarray(0, end.length);
    if (end === null) continue;
    yield Uint8Array.of(TRAILER);
    return;
  }
}
