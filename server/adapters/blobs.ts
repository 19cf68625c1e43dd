import type { Readable } from 'node:stream';

/** Where uploads are kept. Keys are ours ('uploads/{name}', 'm/{sha256}.{ext}'), never a caller's. */
export type BlobStore = {
  /** Durable when it resolves. Writing a key again replaces it. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** In bytes; null where there is no such key. */
  size(key: string): Promise<number | null>;
  /** Null where there is no such key. `range` is inclusive, in bytes. */
  read(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ size: number; stream: Readable } | null>;
  delete(key: string): Promise<void>;
};
