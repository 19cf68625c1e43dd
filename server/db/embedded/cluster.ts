/** One PostgreSQL cluster: made, found running, started, stopped. */
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
import { freePort } from '../free-port.ts';
import type { Place } from './account.ts';
import { isAlive, runsCluster } from './process.ts';
import { findPrograms, type Programs } from './programs.ts';

/** The cluster's only role, its owner. */
const role = 'openslot';
/** A cluster that was killed under load may have to replay its log first. */
const startMillis = 120_000;
const logLimitBytes = 10_000_000;

export class Cluster {
  readonly #place: Place;
  readonly #flags: readonly string[];
  readonly #programs: Programs;
  readonly #data: string;
  readonly #log: string;
  readonly #password: string;
  #port = 0;
  /** From the first run on the port stays: callers keep the address, also when a killed server is started again. */
  #portIsKnown = false;

  private constructor(place: Place, flags: readonly string[], programs: Programs, password: string) {
    this.#place = place;
    this.#flags = flags;
    this.#programs = programs;
    this.#data = path.join(place.home, 'data');
    this.#log = path.join(place.home, 'postgres.log');
    this.#password = password;
  }

  /** The cluster of this place, made if there is none. It need not run. */
  static async open(place: Place, flags: readonly string[], log: (line: string) => void): Promise<Cluster> {
    const programs = findPrograms(place.account, place.copies);
    const made = existsSync(path.join(place.home, 'data', 'PG_VERSION'));
    const password = readPassword(place, made);
    const cluster = new Cluster(place, flags, programs, password);
    if (!made) {
      log('Making the database');
      await cluster.#make();
    }
    return cluster;
  }

  url(database: string): string {
    return this.#address(this.#port, database);
  }

  #address(port: number, database: string): string {
    return `postgres://${role}:${this.#password}@127.0.0.1:${port}/${database}`;
  }

  /** Returns when the cluster takes connections: one that runs already is taken over, else it is started. */
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
      // Children of a killed server hold its memory for a moment; another process may start it at this moment.
      await pause(250);
      if (!/still in use|already exists|Address already in use/.test(reason)) break;
    }
    throw new Error(`The database did not start. The end of ${this.#log}:\n${reason}`);
  }

  #runsOn(port: number): void {
    if (this.#portIsKnown && this.#port !== port)
      throw new Error(`The database moved to port ${port}: start again.`);
    this.#port = port;
    this.#portIsKnown = true;
  }

  /** Ends the cluster once its transactions are rolled back and everything is on disk. */
  async stop(): Promise<void> {
    try {
      await this.#call(this.#programs.pgCtl, ['stop', '-D', this.#data, '-m', 'fast', '-w', '-t', '60']);
    } catch (error) {
      if (this.#running() !== undefined) throw new Error('The database did not stop.', { cause: error });
    }
  }

  /** The port of a server that runs on this cluster, found by the file it keeps. A stale file is removed. */
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
      // The number belongs to another program now, as after every restart of a container. PostgreSQL itself only
      // looks whether it is alive, and would refuse to start.
      rmSync(file, { force: true });
      return undefined;
    }
    return port > 0 ? port : undefined;
  }

  /** Undefined when the server takes connections, else what it said before it ended. */
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
    ];
    const args = [
      '-D',
      this.#data,
      '-p',
      String(port),
      ...settings.flatMap((setting) => ['-c', setting]),
      ...this.#flags,
    ];
    // Detached: Ctrl-C in the terminal must end us first and the database last.
    const server = spawn(this.#programs.postgres, args, {
      ...this.#place.account.ids,
      cwd: this.#place.home,
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
    const client = new pg.Client({
      connectionString: this.#address(port, 'postgres'),
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      // 28P01: it answers, but not to us. Waiting would not help.
      if (error instanceof pg.DatabaseError && error.code === '28P01') {
        throw new Error(`The database refuses the password kept in ${this.#place.home}.`, { cause: error });
      }
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #make(): Promise<void> {
    const { home } = this.#place;
    for (const name of readdirSync(home)) {
      const maker = /^data\.new-(\d+)-/.exec(name)?.[1];
      if (maker !== undefined && !isAlive(Number(maker))) rmSync(path.join(home, name), { recursive: true });
    }
    // Made under another name and renamed when complete: being killed on the way leaves no half cluster.
    const unfinished = path.join(home, `data.new-${ownSuffix()}`);
    const passwordFile = path.join(home, 'password');
    const access = ['-U', role, '-A', 'scram-sha-256', '--pwfile', passwordFile];
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C'];
    await this.#call(this.#programs.initdb, ['-D', unfinished, ...access, ...locale]);
    try {
      renameSync(unfinished, this.#data);
    } catch (problem) {
      rmSync(unfinished, { recursive: true, force: true });
      // Another process made it at the same moment, with the same password.
      if (!existsSync(path.join(this.#data, 'PG_VERSION'))) throw problem;
    }
  }

  async #call(program: string, args: string[]): Promise<void> {
    await promisify(execFile)(program, args, { ...this.#place.account.ids, cwd: this.#place.home });
  }
}

function readPassword(place: Place, made: boolean): string {
  const file = path.join(place.home, 'password');
  if (!existsSync(file)) {
    if (made)
      throw new Error(`${file} is missing: the database of this directory cannot be opened without it.`);
    const draft = `${file}.${ownSuffix()}`;
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
    const { uid, gid } = place.account.ids;
    if (uid !== undefined && gid !== undefined) chownSync(draft, uid, gid);
    try {
      linkSync(draft, file);
    } catch {
      // Another process wrote it at the same moment: both must use that one.
    }
    rmSync(draft);
  }
  return readFileSync(file, 'utf8');
}

/** Tells whose a half-made file is, and is never used twice. */
function ownSuffix(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}`;
}
