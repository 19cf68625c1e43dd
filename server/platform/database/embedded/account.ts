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
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isOurs, makeDataDirectory, DatabaseUnusable } from './data-directory.ts';
import { isAlive, runsCluster } from './process.ts';

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
const ROOT: Account = { ids: { uid: 0, gid: 0 } };
const MAX_ATTEMPTS = 10;

/**
 * PostgreSQL refuses to run as root. If Openslot runs as root, PostgreSQL runs as the owner of an existing cluster, or
 * else as the account openslot, which then owns the data directory. If that account cannot enter the data directory
 * (one under /root, for example), the cluster goes below /var/lib/openslot, and the file postgres-is-in.txt in the data
 * directory says where it is. docs/decisions/003-embedded-postgres.md has the reasons.
 */
export function chooseLocation(directory: string, log: (line: string) => void): Location {
  const dataDir = makeDataDirectory(directory, log);
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
  const noted = readNote(note);
  const account = accountFor(noted ?? near, log);
  if (noted === undefined) {
    makeHome(near, account);
    if (isOurs(dataDir)) give(dataDir, account);
    if (canEnter(near, account)) return { home: near, copies: systemHome, account };
    if (existsSync(path.join(near, 'data'))) throw cannotEnter(near, account);
    rmdirSync(near);
    if (isOurs(dataDir)) give(dataDir, ROOT);
  }
  const far = noted ?? path.join(systemHome, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  mkdirSync(systemHome, { recursive: true, mode: 0o755 });
  makeHome(far, account);
  if (!canEnter(far, account)) throw cannotEnter(far, account);
  if (noted === undefined) writeFileSync(note, `${far}\n`);
  return { home: far, copies: systemHome, account };
}

/** PostgreSQL's account can own the folder of the note, and root gives it the folder that the note names. */
function readNote(note: string): string | undefined {
  if (!existsSync(note)) return undefined;
  if (lstatSync(note).uid !== 0) {
    throw new DatabaseUnusable(
      `${note} does not belong to root. If the folder that it names holds the database, run \`chown root ${note}\`, then start Openslot again.`,
    );
  }
  return readFileSync(note, 'utf8').trim();
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
  // The files belong to root if root copied or restored the cluster, or to the account nobody (accountFor).
  giveAll(home, uid, gid);
}

function give(folder: string, { ids: { uid, gid } }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

function giveAll(entry: string, uid: number, gid: number): void {
  const status = lstatSync(entry);
  if (status.isSymbolicLink()) return;
  if (status.isDirectory()) for (const name of readdirSync(entry)) giveAll(path.join(entry, name), uid, gid);
  chownSync(entry, uid, gid);
}

/**
 * The owner of the cluster. If that is the account nobody, which other services share, the cluster changes hands once it
 * is stopped. A running one could not open its files any more.
 */
function accountFor(home: string, log: (line: string) => void): Account {
  const owner = ownerOf(home);
  const isShared = owner?.ids.uid === nobody().ids.uid && !isRunning(home);
  return owner === undefined || isShared ? ownAccount(log) : owner;
}

/** The owner of an existing cluster, if it is not root. */
function ownerOf(home: string): Account | undefined {
  const cluster = path.join(home, 'data');
  if (!existsSync(cluster)) return undefined;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? undefined : { ids: { uid, gid } };
}

function isRunning(home: string): boolean {
  const data = path.join(home, 'data');
  const file = path.join(data, 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  return isAlive(pid) && runsCluster(pid, data);
}

const NAME = 'openslot';
const USERADD = ['--system', '--user-group', '--no-create-home', '--home-dir', systemHome];

/** The account openslot, which is made if it does not exist. Nobody takes its place if it cannot be made. */
function ownAccount(log: (line: string) => void): Account {
  let reason = '';
  // The system lets one program at a time add an account, and another start may be doing so.
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const existing = accountNamed(NAME);
    if (existing) return existing;
    const { status, error, stderr } = spawnSync(
      'useradd',
      [...USERADD, '--shell', '/usr/sbin/nologin', NAME],
      {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
      },
    );
    if (status === 0) continue;
    reason = error?.message ?? stderr.trim();
    if (error) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  const made = accountNamed(NAME);
  if (made) return made;
  log(
    `PostgreSQL runs as nobody, an account that other services may use, because the account ${NAME} cannot be made (${reason}). Make it with \`useradd --system ${NAME}\`, then start Openslot again.`,
  );
  return nobody();
}

function nobody(): Account {
  // The id of nobody is not 65534 on every system.
  return accountNamed('nobody') ?? { ids: { uid: 65_534, gid: 65_534 } };
}

/** initdb refuses an account that is not in this file. */
function accountNamed(name: string): Account | undefined {
  if (!existsSync('/etc/passwd')) return undefined;
  const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'));
  return entry ? { ids: { uid: Number(entry[1]), gid: Number(entry[2]) } } : undefined;
}

function canEnter(directory: string, account: Account): boolean {
  // Ask the system, because permissions do not depend on mode bits alone.
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account.ids, cwd: '/' }).status === 0;
}
