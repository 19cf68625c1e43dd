import type { Readable } from 'node:stream';

/**
 * The object store for uploads. Only the server chooses keys ('uploads/{name}', 'm/{sha256}.{ext}'). Every call throws
 * BlobsUnavailable if the store does not answer in time or refuses. Call it outside of transactions, because S3 can take
 * seconds.
 */
export type BlobStore = {
  /**
   * Throws ConfigError if the settings or rights are wrong, or if the store belongs to another installation. A store that
   * nobody has used becomes this installation's own.
   */
  check(): Promise<void>;
  /** When it resolves, the bytes are on disk. A second write replaces the first. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** In bytes, or null if the key does not exist. */
  size(key: string): Promise<number | null>;
  /**
   * Returns null if the key does not exist. `range` is in bytes and inclusive, and lies within the file. `size` is that of
   * the whole file. The stream fails if it ends early or stops.
   */
  read(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ size: number; stream: Readable } | null>;
  /** Does nothing if the key does not exist. */
  delete(key: string): Promise<void>;
  /** All files, in no order. `size` is in bytes. */
  list(): AsyncIterable<{ key: string; size: number }>;
};

/** The store did not answer in time, or refused. The message is for the operator and has no secret. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable';
}

const KEY = /^[a-z]+\/[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

export const isBlobKey = (key: string): boolean => KEY.test(key) && !key.includes('..');

/** Every store calls this first, so that no key can lead out of the store. */
export function requireBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error(`Not a blob key: ${key}`);
}
