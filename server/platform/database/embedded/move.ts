/** Opens the cluster of another PostgreSQL beside a new one of the built-in PostgreSQL, to move the database. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createDatabaseIfMissing } from '../database.ts';
import { chooseLocation, type Location } from './account.ts';
import { Cluster } from './cluster.ts';
import { DatabaseUnusable } from './data-directory.ts';
import { CLUSTER, finishMove, keptFolder, majorOf, NEXT, SCRATCH } from './folders.ts';
import { findFormerPrograms } from './former-programs.ts';
import { takeLock } from './lock.ts';
import { builtInMajor } from './programs.ts';

export type MoveOptions = {
  dataDir: string;
  log: (line: string) => void;
  /** Additional arguments of `postgres`, such as `-c fsync=off` for tests. */
  flags?: readonly string[];
  /** The folder of the former programs, if the operator names it. */
  programs: string | undefined;
};

export type OpenMove = {
  /** The major versions. */
  from: string;
  to: string;
  /** A folder on the same disk for what the move needs in between. It is removed at the end. */
  scratch: string;
  /** The address of the former database, with the role that owns it. */
  formerUrl: string;
  /** The addresses of the new, empty database. */
  ownerUrl: string;
  serverUrl: string;
  /** Puts the new cluster into the place of the former one. Returns the folder in which the former one is kept. */
  finish: () => Promise<string>;
  /** Stops both, and removes the new one. The former one stays in its place. */
  abandon: () => Promise<void>;
};

/** The database in every cluster of ours (server/platform/database/embedded/embedded.ts). */
const DATABASE = 'openslot';

/**
 * Starts the cluster of `dataDir` with the programs that made it, and an empty one of the built-in PostgreSQL. Both have
 * the same passwords, because these are in files beside them. Returns null if there is no cluster of another PostgreSQL.
 * Throws DataDirInUse if a server uses it.
 */
export async function openMove({
  dataDir,
  log,
  flags = [],
  programs,
}: MoveOptions): Promise<OpenMove | null> {
  const location = chooseLocation(path.resolve(dataDir), log);
  const { home } = location;
  finishMove(home);
  const from = majorOf(home, CLUSTER);
  const to = builtInMajor();
  if (from === null || from === to) return null;
  const kept = freeFolderFor(home, from);

  const former = await Cluster.open(location, flags, log, {
    programs: await findFormerPrograms(from, programs, location, log),
  });
  await former.run();
  // Until the end, so that no server writes to the former database meanwhile.
  const lock = await takeLock(former, path.resolve(dataDir), false);
  const scratch = path.join(home, SCRATCH);
  let next: Cluster | undefined;

  async function removeNext(): Promise<void> {
    // The cluster that could not be opened may be that of a killed move, which runs still.
    if (next === undefined) return;
    await next.stop();
    for (const folder of [scratch, path.join(home, NEXT)]) rmSync(folder, { recursive: true, force: true });
  }

  async function stopFormer(): Promise<void> {
    try {
      await former.stop();
    } finally {
      await lock.end().catch(() => {});
    }
  }

  async function abandon(): Promise<void> {
    try {
      await removeNext();
    } finally {
      await stopFormer();
    }
  }

  try {
    await removeLeftover(location, flags, log);
    next = await Cluster.open(location, flags, log, { folder: NEXT });
    await next.run();
    await createDatabaseIfMissing(next.ownerUrl('postgres'), DATABASE);
  } catch (error) {
    await abandon().catch((problem: unknown) => log(`The new database did not stop: ${String(problem)}`));
    throw error;
  }
  const opened = next;
  return {
    from,
    to,
    scratch,
    formerUrl: former.ownerUrl(DATABASE),
    ownerUrl: opened.ownerUrl(DATABASE),
    serverUrl: opened.url(DATABASE),
    finish: async () => {
      await opened.stop();
      await stopFormer();
      // At once, because nothing holds the data directory now. If the process is killed in between, the next start does the
      // second one.
      renameSync(path.join(home, CLUSTER), kept);
      renameSync(path.join(home, NEXT), path.join(home, CLUSTER));
      rmSync(scratch, { recursive: true, force: true });
      return kept;
    },
    abandon,
  };
}

/** Returns the folder in which the cluster of this major version is to be kept. Throws if it exists. */
function freeFolderFor(home: string, from: string): string {
  const kept = path.join(home, keptFolder(from));
  if (existsSync(kept))
    throw new DatabaseUnusable(
      `${kept} exists already, perhaps from an earlier move. Move it away, then try again.`,
    );
  return kept;
}

/** A move that was killed leaves its new cluster, which may still run. */
async function removeLeftover(
  location: Location,
  flags: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  if (majorOf(location.home, NEXT) === builtInMajor())
    await (await Cluster.open(location, flags, log, { folder: NEXT })).stop();
  for (const folder of [SCRATCH, NEXT])
    rmSync(path.join(location.home, folder), { recursive: true, force: true });
}
