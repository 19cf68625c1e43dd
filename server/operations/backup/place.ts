/** Where backups and the archive are kept: a folder, or a bucket below a prefix. */
import { constants, type Dirent, existsSync } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openBucket, type S3Bucket } from '#server/platform/files/s3/bucket.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import { S3_PLACE } from '#server/platform/settings/environment.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';

/** Paths are relative to the place and have the letters of our own names: letters, digits and `/_.-`. */
export type BackupPlace = {
  /** The address of the folder `name` for `--from`. */
  addressOf(name: string): string;
  /**
   * The file is whole when this resolves, and as it was before if it fails. In a folder, `keep` or `rename` make its name
   * durable.
   */
  put(file: string, bytes: Uint8Array): Promise<void>;
  /** When it resolves, the names of all files of a folder are durable. */
  keep(folder: string): Promise<void>;
  /** The whole file, at most as long as the parts of a backup and an upload are. Null if there is none. */
  read(file: string): Promise<Buffer | null>;
  /** The names of the folders and files directly in the place. */
  names(): Promise<string[]>;
  /** Gives a folder its name. In a bucket, which has no folders, its manifest is the last file that gets one. */
  rename(from: string, to: string): Promise<void>;
  /** Writes a small file and removes it again. Makes no folder, which would belong to the account that checks. */
  check(): Promise<void>;
  /** Removes a folder or a file, if there is one. In a bucket, its manifest is the first file that goes. */
  remove(name: string): Promise<void>;
};

export const MANIFEST = 'manifest.json';
/** The file of `check`. */
const CHECK = 'openslot-check';

/** `address` is a folder, or `s3://BUCKET/PREFIX` with the account of the S3 settings. Throws ConfigError if these are missing. */
export function openPlace(address: string, config: Config): BackupPlace {
  if (!address.startsWith('s3:')) return folderPlace(path.resolve(address));
  const { bucket, path: prefix = '' } = S3_PLACE.exec(address)?.groups ?? {};
  if (bucket === undefined)
    throw new ConfigError(`${address} names no bucket. Name a bucket and a path: s3://BUCKET/PREFIX.`);
  if (!config.s3)
    throw new ConfigError(
      `${address} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. Set them, or name a folder.`,
    );
  return bucketPlace(openBucket(config.s3, bucket), bucket, prefix && `${prefix.replace(/\/$/, '')}/`);
}

/** A backup by its address: the place that it is in, and its name there. */
export function openBackup(address: string, config: Config): { place: BackupPlace; name: string } {
  const isFolder = !address.startsWith('s3:');
  const whole = isFolder ? path.resolve(address) : address.replace(/\/+$/, '');
  const cut = whole.lastIndexOf(isFolder ? path.sep : '/');
  return { place: openPlace(whole.slice(0, cut) || path.sep, config), name: whole.slice(cut + 1) };
}

function folderPlace(root: string): BackupPlace {
  const fileOf = (name: string) => path.join(root, name);
  return {
    addressOf: fileOf,
    async put(file, bytes) {
      await explained(root, async () => {
        await mkdir(path.dirname(fileOf(file)), { recursive: true, mode: 0o700 });
        const draft = `${fileOf(file)}.draft`;
        try {
          await writeSynced(draft, bytes);
          await rename(draft, fileOf(file));
        } catch (error) {
          await rm(draft, { force: true });
          throw error;
        }
      });
    },
    async keep(folder) {
      await explained(root, async () => await syncFolders(fileOf(folder)));
    },
    async read(file) {
      return await explained(root, async () => await readFile(fileOf(file)).catch(absent(null)));
    },
    async names() {
      const entries = await explained(
        root,
        async () => await readdir(root, { withFileTypes: true }).catch(absent<Dirent[]>([])),
      );
      return entries.map(({ name }) => name);
    },
    async rename(from, to) {
      await explained(root, async () => {
        await syncFolders(fileOf(from));
        await rename(fileOf(from), fileOf(to));
        await syncFolder(root);
      });
    },
    async check() {
      await explained(root, async () => {
        // The first backup makes a folder that is missing.
        let folder = root;
        while (!existsSync(folder)) folder = path.dirname(folder);
        if (folder !== root) return await access(`${folder}/.`, constants.W_OK);
        const file = fileOf(`${CHECK}-${process.pid}`);
        await writeSynced(file, Buffer.from(CHECK));
        await rm(file);
      });
    },
    async remove(name) {
      await explained(root, async () => await rm(fileOf(name), { recursive: true, force: true }));
    },
  };
}

async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the folder with all below it, and the one that has its name. */
async function syncFolders(folder: string): Promise<void> {
  for (const each of [...(await foldersIn(folder)), path.dirname(folder)]) await syncFolder(each);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name));
  return [...(await Promise.all(below.map(foldersIn))).flat(), folder];
}

/** Without this, a power failure could undo a rename or lose new files. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Tells the operator which folder failed, and why. */
async function explained<T>(root: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const advice =
      code === 'ENOSPC'
        ? 'Free some space, or name another place.'
        : 'Check that the folder exists on a disk that works, and that this account may read and write there.';
    throw new CommandRefused(`${root} failed (${code}). ${advice}`, { cause: error });
  }
}

function absent<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  };
}

function bucketPlace(bucket: S3Bucket, bucketName: string, prefix: string): BackupPlace {
  /** The files of a folder, or the file of this name. The manifest, which makes a folder a backup, is the last one. */
  async function filesOf(name: string): Promise<string[]> {
    const files: string[] = [];
    for await (const file of bucket.list(prefix + name)) files.push(file.name);
    return files
      .filter((file) => file === prefix + name || file.startsWith(`${prefix}${name}/`))
      .toSorted((one, other) => Number(one.endsWith(MANIFEST)) - Number(other.endsWith(MANIFEST)));
  }

  return {
    addressOf: (name) => `s3://${bucketName}/${prefix}${name}`,
    put: async (file, bytes) => await bucket.put(prefix + file, bytes),
    keep: async () => {},
    async read(file) {
      const found = await bucket.read(prefix + file);
      return found && (await buffer(found.stream));
    },
    names: async () => (await bucket.folders(prefix)).map((name) => name.slice(prefix.length)),
    async rename(from, to) {
      const files = await filesOf(from);
      for (const file of files)
        await bucket.copy(file, `${prefix}${to}${file.slice(prefix.length + from.length)}`);
      for (const file of files.toReversed()) await bucket.delete(file);
    },
    async check() {
      await bucket.put(`${prefix}${CHECK}`, Buffer.from(CHECK));
      await bucket.delete(`${prefix}${CHECK}`);
    },
    async remove(name) {
      for (const file of (await filesOf(name)).toReversed()) await bucket.delete(file);
    },
  };
}
