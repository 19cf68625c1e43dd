/** Which account of the machine runs PostgreSQL, and where it keeps its files. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** `ids` is empty when PostgreSQL runs as we do. */
export interface Account {
  ids: { uid?: number; gid?: number };
}

/** `home` holds the cluster, its password and its log; `copies` may hold copies of the programs. */
export interface Place {
  home: string;
  copies: string;
  account: Account;
}

const systemHome = '/var/lib/openslot';

/**
 * PostgreSQL refuses to run as root; then it runs as nobody, or as the owner of an existing cluster. Where nobody
 * cannot enter the data directory (one under /root, say), the cluster goes below /var/lib/openslot and a note in
 * the data directory tells where it is.
 */
export function choosePlace(directory: string): Place {
  mkdirSync(directory, { recursive: true });
  const dataDir = realpathSync(directory);
  const near = path.join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) {
    makeHome(near, { ids: {} });
    const owner = statSync(near).uid;
    if (process.getuid && owner !== process.getuid()) {
      throw new Error(
        `${near} belongs to another account (uid ${owner}): start as that one, or set another DATA_DIR.`,
      );
    }
    return { home: near, copies: dataDir, account: { ids: {} } };
  }

  const note = path.join(dataDir, 'postgres-is-in.txt');
  const noted = existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined;
  const account = ownerOf(noted ?? near) ?? nobody();
  if (noted === undefined) {
    makeHome(near, account);
    if (canEnter(near, account)) return { home: near, copies: systemHome, account };
    if (existsSync(path.join(near, 'data'))) {
      throw new Error(
        `The database's account (uid ${account.ids.uid}) cannot enter ${near}: open the folders above it.`,
      );
    }
    rmdirSync(near);
  }
  const far = noted ?? path.join(systemHome, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  mkdirSync(systemHome, { recursive: true, mode: 0o755 });
  makeHome(far, account);
  if (!canEnter(far, account))
    throw new Error(`The database's account (uid ${account.ids.uid}) cannot enter ${far}.`);
  if (noted === undefined) writeFileSync(note, `${far}\n`);
  return { home: far, copies: systemHome, account };
}

function makeHome(home: string, account: Account): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { uid, gid } = account.ids;
  if (uid === undefined || gid === undefined || statSync(home).uid === uid) return;
  // A cluster that root copied or restored belongs to root as a whole.
  giveAll(home, uid, gid);
}

function giveAll(entry: string, uid: number, gid: number): void {
  const status = lstatSync(entry);
  if (status.isSymbolicLink()) return;
  if (status.isDirectory()) for (const name of readdirSync(entry)) giveAll(path.join(entry, name), uid, gid);
  chownSync(entry, uid, gid);
}

/** The owner of a cluster that an ordinary account made. */
function ownerOf(home: string): Account | undefined {
  const cluster = path.join(home, 'data');
  if (!existsSync(cluster)) return undefined;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? undefined : { ids: { uid, gid } };
}

function nobody(): Account {
  // initdb refuses an account without an entry here, and nobody is not 65534 on every system.
  const entry = existsSync('/etc/passwd')
    ? /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
    : null;
  return { ids: { uid: Number(entry?.[1] ?? 65_534), gid: Number(entry?.[2] ?? 65_534) } };
}

function canEnter(directory: string, account: Account): boolean {
  // Asked of the system itself: permissions have more sources than mode bits.
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account.ids, cwd: '/' }).status === 0;
}
