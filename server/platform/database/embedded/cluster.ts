/** Creates, starts and stops one PostgreSQL cluster, or takes over a running one. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { clientTo } from '../database.ts';
import { freePort, isAlive, runsCluster } from './process.ts';
import type { Location } from './account.ts';
import { CLUSTER, finishMove, majorOf } from './folders.ts';
import { findPrograms, type Programs } from './programs.ts';
import { DatabaseUnusable } from './data-directory.ts';

/** The role that owns the databases and runs the migrations. It can create databases and is no superuser. */
export const owner = 'openslot';
/** The role that the server works with. It owns nothing; `migrate` gives it rights on the tables. */
export const serverRole = 'openslot_server';
/** The cluster's superuser. Its password is thrown away, so only single-user mode can use it (docs/install.md, "The roles of the database"). */
const superuser = 'openslot_owner';
export const SERVER_PASSWORD_FILE = 'server-password';
/** A cluster that was killed under load may first have to replay its write-ahead log. */
const startMillis = 120_000;
const logLimitBytes = 10_000_000;

export class Cluster {
  readonly #location: Location;
  readonly #flags: readonly string[];
  readonly #programs: Programs;
  readonly #data: string;
  readonly #log: string;
  readonly #ownerPassword: string;
  readonly #serverPassword: string;
  #port = 0;
  /** The port stays the same after the first run, so that callers can keep the address when the server is restarted. */
  #portIsKnown = false;

  private constructor(
    location: Location,
    folder: string,
    flags: readonly string[],
    programs: Programs,
    exists: boolean,
  ) {
    this.#location = location;
    this.#flags = flags;
    this.#programs = programs;
    this.#data = path.join(location.home, folder);
    this.#log = path.join(location.home, 'postgres.log');
    this.#ownerPassword = readOwnerPassword(location, exists);
    this.#serverPassword = readPassword(location, SERVER_PASSWORD_FILE);
  }

  /**
   * Opens the cluster at this location, and creates it if it does not exist. Does not start it. Throws DatabaseUnusable if
   * another major version of PostgreSQL made it than that of `programs`, by default the built-in ones.
   */
  static async open(
    location: Location,
    flags: readonly string[],
    log: (line: string) => void,
    { folder = CLUSTER, programs = findPrograms(location.account, location.copies) } = {},
  ): Promise<Cluster> {
    finishMove(location.home);
    const major = majorOf(location.home, folder);
    if (major !== null && major !== programs.major)
      throw new DatabaseUnusable(otherMajor(path.join(location.home, folder), major, programs.major));
    const cluster = new Cluster(location, folder, flags, programs, major !== null);
    if (major === null) {
      log('Creating the database…');
      await cluster.#create();
    }
    return cluster;
  }

  /** The address with which the server works. */
  url(database: string): string {
    return `postgres://${serverRole}:${this.#serverPassword}@127.0.0.1:${this.#port}/${database}`;
  }

  /** The address for migrations, and for creating databases. */
  ownerUrl(database: string): string {
    return this.#ownerAddress(this.#port, database);
  }

  #ownerAddress(port: number, database: string): string {
    return `postgres://${owner}:${this.#ownerPassword}@127.0.0.1:${port}/${database}`;
  }

  /** Takes over the server if it runs, or starts it. Returns when it accepts connections. */
  async run(): Promise<void> {
    const deadline = Date.now() + startMillis;
    let reason = '';
    while (Date.now() < deadline) {
      const running = this.#running();
      if (running !== undefined) {
        if (await this.#answers(running)) return this.#runsOn(running);
        await pause(25);
        continue;
      }
      const port = this.#portIsKnown ? this.#port : await freePort();
      const exit = await this.#start(port, deadline);
      if (exit === undefined) return this.#runsOn(port);
      reason = exit;
      // The children of a killed server hold its memory for a moment, and another process may be starting the cluster.
      await pause(250);
      if (!/still in use|already exists|Address already in use/.test(reason)) break;
    }
    throw new DatabaseUnusable(
      `The database did not start. Solve the problem that its log describes, then start Openslot again. The end of ${this.#log}:\n${reason}`,
    );
  }

  #runsOn(port: number): void {
    if (this.#portIsKnown && this.#port !== port)
      throw new DatabaseUnusable(
        `The database now runs on port ${port} instead of ${this.#port}. Restart Openslot.`,
      );
    this.#port = port;
    this.#portIsKnown = true;
  }

  /** Stops the server after it has rolled back open transactions and written everything to disk. */
  async stop(): Promise<void> {
    try {
      await this.#call(this.#programs.pgCtl, ['stop', '-D', this.#data, '-m', 'fast', '-w', '-t', '60']);
    } catch (error) {
      if (this.#running() === undefined) return;
      throw new DatabaseUnusable(
        `The database did not stop. ${this.#log} may say why. The next start of Openslot takes the running database over.`,
        { cause: error },
      );
    }
  }

  /**
   * Whether the server's role exists with the password of its file. It does not after the file was lost.
   */
  async hasServerRole(): Promise<boolean> {
    return (await tryToConnect(this.url('postgres'))) !== 'refused';
  }

  /**
   * Stops the server, and adds the server's role in single-user mode, because only a superuser can. PostgreSQL lets one
   * process at a time do this, and every process sets the same password.
   */
  async addServerRole(): Promise<void> {
    await this.stop();
    await this.#runSingle(this.#data, this.#serverRoleSql());
  }

  /** Single-user mode ends a statement at the end of a line, and goes on after one that fails. */
  #serverRoleSql(): string {
    return `create role ${serverRole} login\nalter role ${serverRole} password '${this.#serverPassword}'\n`;
  }

  async #runSingle(data: string, sql: string): Promise<void> {
    await this.#call(this.#programs.postgres, ['--single', '-D', data, 'postgres'], sql);
  }

  /** The port of a server that runs on this cluster, from its postmaster.pid. Removes the file if it is stale. */
  #running(): number | undefined {
    const file = path.join(this.#data, 'postmaster.pid');
    let lines: string[];
    try {
      lines = readFileSync(file, 'utf8').split('\n');
    } catch {
      return undefined;
    }
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    if (!isAlive(pid)) return undefined;
    if (!runsCluster(pid, this.#data)) {
      // Another program now has this process id, as is common after a container restart. PostgreSQL would refuse to
      // start, because it checks only whether a process with this id is alive.
      rmSync(file, { force: true });
      return undefined;
    }
    return port > 0 ? port : undefined;
  }

  /** Starts the server. Returns undefined when it accepts connections, or the end of its log if it does not. */
  async #start(port: number, deadline: number): Promise<string | undefined> {
    if (existsSync(this.#log) && statSync(this.#log).size > logLimitBytes)
      renameSync(this.#log, `${this.#log}.old`);
    const log = openSync(this.#log, 'a');
    const from = statSync(this.#log).size;
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'timezone=UTC',
      'log_timezone=UTC',
      'max_connections=200',
      // After a crash, PostgreSQL writes its files to the disk before anything else. One call does so in a second, where a
      // call for each of the thousand files takes many on a busy disk.
      ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    ];
    const args = [
      '-D',
      this.#data,
      '-p',
      String(port),
      ...settings.flatMap((setting) => ['-c', setting]),
      ...this.#flags,
    ];
    // Detached, so that Ctrl-C in the terminal does not stop the database before Openslot.
    const server = spawn(this.#programs.postgres, args, {
      ...this.#location.account.ids,
      cwd: this.#location.home,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    server.unref();
    let ended = false;
    server.on('exit', () => (ended = true));
    server.on('error', () => (ended = true));
    while (!ended && Date.now() < deadline) {
      if (await this.#answers(port)) return undefined;
      await pause(25);
    }
    return readFileSync(this.#log).subarray(from).toString('utf8').slice(-1500);
  }

  async #answers(port: number): Promise<boolean> {
    const result = await tryToConnect(this.#ownerAddress(port, 'postgres'));
    // The server runs, but waiting would not help.
    if (result === 'refused') {
      const file = path.join(this.#location.home, OWNER_PASSWORD_FILE);
      throw new DatabaseUnusable(
        `The database refuses the password in ${file}. Restore this file from a backup, then start Openslot again.`,
      );
    }
    return result === 'connected';
  }

  async #create(): Promise<void> {
    const { home } = this.#location;
    for (const name of readdirSync(home)) {
      const maker = /^data\.new-(\d+)-/.exec(name)?.[1];
      if (maker !== undefined && !isAlive(Number(maker))) rmSync(path.join(home, name), { recursive: true });
    }
    // Rename the cluster when it is complete, so that an interrupted start leaves no incomplete one.
    const unfinished = path.join(home, `data.new-${ownSuffix()}`);
    const superuserFile = path.join(home, `superuser-${ownSuffix()}`);
    writeSecret(superuserFile, this.#location);
    const access = ['-U', superuser, '-A', 'scram-sha-256', '--pwfile', superuserFile];
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C'];
    try {
      await this.#call(this.#programs.initdb, ['-D', unfinished, ...access, ...locale]);
    } catch (error) {
      if (!/could not look up effective user ID/.test(String(error))) throw error;
      throw new DatabaseUnusable(
        `The account of the built-in PostgreSQL (uid ${this.#location.account.ids.uid ?? process.getuid?.()}) has no name. Create the account on this machine (\`useradd --uid\`), or set DATABASE_URL to the address of a PostgreSQL 15 or newer.`,
      );
    } finally {
      rmSync(superuserFile, { force: true });
    }
    // The passwords have only the characters of base64url.
    await this.#runSingle(
      unfinished,
      `create role ${owner} login createdb password '${this.#ownerPassword}'\n${this.#serverRoleSql()}`,
    );
    try {
      renameSync(unfinished, this.#data);
    } catch (problem) {
      rmSync(unfinished, { recursive: true, force: true });
      // Another process may have created it at the same moment, with the same passwords.
      if (!existsSync(path.join(this.#data, 'PG_VERSION'))) throw problem;
    }
  }

  async #call(program: string, args: string[], input?: string): Promise<void> {
    const call = promisify(execFile)(program, args, {
      ...this.#location.account.ids,
      cwd: this.#location.home,
    });
    call.child.stdin?.end(input);
    await call;
  }
}

export const OWNER_PASSWORD_FILE = 'password';

function readOwnerPassword(location: Location, exists: boolean): string {
  const file = path.join(location.home, OWNER_PASSWORD_FILE);
  if (exists && !existsSync(file))
    throw new DatabaseUnusable(
      `${file} is missing, and the database cannot be opened without it. Restore this file from a backup, then start Openslot again.`,
    );
  return readPassword(location, OWNER_PASSWORD_FILE);
}

/** The password in the file, which is written if it does not exist. */
function readPassword(location: Location, name: string): string {
  const file = path.join(location.home, name);
  if (!existsSync(file)) {
    const draft = `${file}.${ownSuffix()}`;
    writeSecret(draft, location);
    try {
      linkSync(draft, file);
    } catch {
      // Another process wrote the file at the same moment. Both must use that password.
    }
    rmSync(draft);
  }
  return readFileSync(file, 'utf8');
}

/** The sentence about a database that another major version of PostgreSQL made. */
export const otherMajor = (folder: string, major: string, own: string): string =>
  `The database in ${folder} is of PostgreSQL ${major}, and this release has ${own}. Run \`npm run openslot -- database move\` once, with the settings of the server (in a package: \`openslot database move\`), then start again. It moves all rows, checks them, and keeps the former database.`;

/** 'refused': the server runs, and does not know the role or its password. */
async function tryToConnect(address: string): Promise<'connected' | 'refused' | 'no answer'> {
  const client = clientTo(address, 'openslot start', { connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'connected';
  } catch (error) {
    // 28P01 is invalid_password.
    return error instanceof pg.DatabaseError && error.code === '28P01' ? 'refused' : 'no answer';
  } finally {
    await client.end().catch(() => {});
  }
}

/** Writes a random password to a file that only PostgreSQL's account can read. */
function writeSecret(file: string, { account }: Location): void {
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const { uid, gid } = account.ids;
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

/** A unique suffix for an unfinished file, which begins with the id of the process that writes it. */
function ownSuffix(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}`;
}
