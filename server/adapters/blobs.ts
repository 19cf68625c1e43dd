import type { Readable } from 'node:stream';

/** The object store for uploads. Only the server chooses keys ('uploads/{name}', 'm/{sha256}.{ext}'). */
export type BlobStore = {
  /** When it resolves, the bytes are on disk. A second write replaces the first. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** In bytes, or null if the key does not exist. */
  size(key: string): Promise<number | null>;
  /** Returns null if the key does not exist. `range` is in bytes and inclusive. */
  read(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ size: number; stream: Readable } | null>;
  /** Does nothing if the key does not exist. */
  delete(key: string): Promise<void>;
};
