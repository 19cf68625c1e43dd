import { text } from 'node:stream/consumers';
import { ConfigError } from '../../settings/kinds.ts';
import { type BlobStore, isBlobKey, requireBlobKey } from '../blobs.ts';
import type { S3Bucket } from './bucket.ts';
import { S3Refused } from './client.ts';

/** The object that says whose bucket this is. */
const MARKER = 'openslot-installation';

/** The sentence about the bucket of another installation. */
export const otherOwner = (prefix: string): string =>
  `S3_BUCKET${prefix && ` with S3_PREFIX ${prefix}`} belongs to another installation of Openslot. Set S3_BUCKET or S3_PREFIX to a place of its own.`;

/**
 * Keeps the object store in a bucket, below `prefix`, which is empty or ends in '/'. `installation` returns the id of this
 * installation. Nothing is written before the bucket is known to be its own.
 */
export function s3Blobs(bucket: S3Bucket, prefix: string, installation: () => Promise<string>): BlobStore {
  const nameOf = (key: string) => {
    requireBlobKey(key);
    return prefix + key;
  };

  let isOwn = false;
  async function requireOwn(): Promise<void> {
    if (isOwn) return;
    const id = await installation();
    if ((await owner()) === null) await bucket.put(prefix + MARKER, Buffer.from(id));
    if ((await owner()) !== id) {
      throw new S3Refused(otherOwner(prefix));
    }
    isOwn = true;
  }

  async function owner(): Promise<string | null> {
    const marker = await bucket.read(prefix + MARKER);
    return marker && (await text(marker.stream)).trim();
  }

  return {
    async check() {
      try {
        await requireOwn();
      } catch (error) {
        throw error instanceof S3Refused ? new ConfigError(error.message) : error;
      }
    },
    async put(key, bytes) {
      const name = nameOf(key);
      await requireOwn();
      await bucket.put(name, bytes);
    },
    async size(key) {
      return await bucket.size(nameOf(key));
    },
    async read(key, range) {
      return await bucket.read(nameOf(key), range);
    },
    async delete(key) {
      const name = nameOf(key);
      await requireOwn();
      await bucket.delete(name);
    },
    async *list() {
      for await (const { name, size } of bucket.list(prefix)) {
        const key = name.slice(prefix.length);
        if (isBlobKey(key)) yield { key, size };
      }
    },
  };
}
