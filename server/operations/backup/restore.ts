import { createHash } from 'node:crypto';
import type { BlobStore } from '#server/platform/files/blobs.ts';
import { compareReleases, RELEASE } from '#server/platform/settings/release.ts';
import { UPLOADS } from './make.ts';
import { type DatabaseAddresses, loadDatabase, requireEmpty } from './load.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';

/**
 * Restores a backup, of which `readWhole` has read the manifest, into an empty database and an empty store of files. Throws
 * CommandRefused if one of them is not empty, with nothing changed. If it fails later, both are empty again.
 */
export async function restoreBackup(
  { place, name, manifest }: { place: BackupPlace; name: string; manifest: Manifest },
  addresses: DatabaseAddresses,
  blobs: BlobStore,
  now: Date,
): Promise<void> {
  await requireEmpty(addresses);
  for await (const { key } of blobs.list())
    throw new CommandRefused(
      `The place of the uploads is not empty: it has ${key}. Name an empty DATA_DIR or S3_BUCKET, or move these files away.`,
    );
  await blobs.check();
  const read = readerOf(place, name);
  const keys = manifest.files
    .filter(({ path }) => path.startsWith(UPLOADS))
    .map(({ path }) => path.slice(UPLOADS.length));
  try {
    await loadDatabase(addresses, manifest.database, read, now, async () => {
      for (const key of keys) await blobs.put(key, await read(UPLOADS + key));
    });
  } catch (error) {
    for (const key of keys) await blobs.delete(key).catch(() => {});
    throw error;
  }
}

/** Reads every file of a backup once. Throws CommandRefused for a newer release, and for a file whose sum does not fit. */
export async function readWhole(place: BackupPlace, name: string): Promise<Manifest> {
  const manifest = await readManifest(place, name);
  if (compareReleases(RELEASE, manifest.release) < 0)
    throw new CommandRefused(
      `${place.addressOf(name)} was made by Openslot ${manifest.release}, and this is ${RELEASE}. Restore it with ${manifest.release} or newer.`,
    );
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = await place.read(`${name}/${path}`);
    const isWhole = found?.length === bytes && createHash('sha256').update(found).digest('hex') === sha256;
    if (!isWhole)
      throw new CommandRefused(
        `${place.addressOf(name)} is damaged: ${path} ${found === null ? 'is missing' : 'is not as it was written'}. Choose another backup.`,
      );
  }
  return manifest;
}

export const readerOf =
  (place: BackupPlace, name: string) =>
  async (file: string): Promise<Buffer> => {
    const bytes = await place.read(`${name}/${file}`);
    if (bytes === null) throw new CommandRefused(`${place.addressOf(name)} lost ${file} while it was read.`);
    return bytes;
  };
