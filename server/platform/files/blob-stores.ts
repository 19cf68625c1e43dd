/** Where the files of users are, by the settings. */
import path from 'node:path';
import type { Config } from '../settings/config.ts';
import { ConfigError } from '../settings/kinds.ts';
import type { BlobStore } from './blobs.ts';
import { localBlobs } from './local-blobs.ts';
import { s3Blobs } from './s3/blobs.ts';
import { openBucket } from './s3/bucket.ts';

export type BlobPlace = 'local' | 's3';

/** The store that the server uses: S3 where S3_BUCKET is set, else DATA_DIR. */
export function createBlobs(config: Config, installation: () => Promise<string>): BlobStore {
  return blobsIn(config.uploads ? 's3' : 'local', config, installation);
}

/** Where it is, for the operator. */
export function placeOfBlobs({ uploads, dataDir }: Config): string {
  if (!uploads) return path.join(dataDir, 'uploads');
  return `the bucket ${uploads.bucket}${uploads.prefix && `, below ${uploads.prefix}`}`;
}

/** Throws ConfigError if the settings of the place are missing. */
export function blobsIn(place: BlobPlace, config: Config, installation: () => Promise<string>): BlobStore {
  if (place === 'local') return localBlobs(path.join(config.dataDir, 'uploads'));
  if (!config.s3 || !config.uploads)
    throw new ConfigError('S3_BUCKET is not set. Set it with the other S3 settings of the bucket.');
  return s3Blobs(openBucket(config.s3, config.uploads.bucket), config.uploads.prefix, installation);
}
