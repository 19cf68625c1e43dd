/** Chooses the account that runs PostgreSQL, and the folder for its files. */
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
import { DatabaseUnusable } from './database-unusable.ts';

/** `ids` is empty when PostgreSQL runs under the same account as Openslot. */
export interface Account {
  ids: { uid?: number; gid?: number };
}

/** `home` holds the cluster, its password and its log. `copies` holds copies of PostgreSQL's programs, if it needs any. */
export interface Location {
  home: string;
  copies: string;
  account: Account;
}

const systemHome = '/var/lib/openslot';

/**
 * PostgreSQL refuses to run as root. If Openslot runs as root, PostgreSQL runs as nobody, or as the owner of an existing
 * cluster. If that account cannot enter the data directory (one under /root, for example), the cluster goes below
 * /var/lib/openslot, and the file postgres-is-in.txt in the data directory says where it is.
 */
export function chooseLocation(directory: string): Location {
  mkdirSync(directory, { recursive: true });
  const dataDir = realpathSync(directory);
  const near = path.join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) {
    makeHome(near, { ids: {} });
    const owner = statSync(near).uid;
    if (process.getuid && owner !== process.getuid()) {
      throw new DatabaseUnusable(
        `${near} belongs to another account (uid ${owner}). Start Openslot under that account, or set DATA_DIR to another folder.`,
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
    if (existsSync(path.join(near, 'data'))) throw cannotEnter(near, account);
    rmdirSync(near);
  }
  const far = noted ?? path.join(systemHome, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  mkdirSync(systemHome, { recursive: true, mode: 0o755 });
  makeHome(far, account);
  if (!canEnter(far, account)) throw cannotEnter(far, account);
  if (noted === undefined) writeFileSync(note, `${far}\n`);
  return { home: far, copies: systemHome, account };
}

function cannotEnter(home: string, { ids }: Account): Error {
  return new DatabaseUnusable(
    `PostgreSQL runs under another account (uid ${ids.uid}), which cannot enter ${home}. Run \`chmod o+x\` on the folders above it, then start Openslot again.`,
  );
}

function makeHome(home: string, account: Account): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { uid, gid } = account.ids;
  if (uid === undefined || gid === undefined || statSync(home).uid === uid) return;
  // If root copied or restored the cluster, all its files belong to root.
  giveAll(home, uid, gid);
}

function giveAll(entry: string, uid: number, gid: number): void {
  const status = lstatSync(entry);
  if (status.isSymbolicLink()) return;
  if (status.isDirectory()) for (const name of readdirSync(entry)) giveAll(path.join(entry, name), uid, gid);
  chownSync(entry, uid, gid);
}

/** The owner of an existing cluster, if it is not root. */
function ownerOf(home: string): Account | undefined {
  const cluster = path.join(home, 'data');
  if (!existsSync(cluster)) return undefined;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? undefined : { ids: { uid, gid } };
}

function nobody(): Account {
  // initdb refuses an account that is not in this file, and the id of nobody is not 65534 on every system.
  const entry = existsSync('/etc/passwd')
    ? /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
    : null;
  return { ids: { uid: Number(entry?.[1] ?? 65_534), gid: Number(entry?.[2] ?? 65_534) } };
}

function canEnter(directory: string, account: Account): boolean {
  // Ask the system, because permissions do not depend on mode bits alone.
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account.ids, cwd: '/' }).status === 0;
}
