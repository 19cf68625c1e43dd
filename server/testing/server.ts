import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Role } from '#domain/accounts/roles.ts';
import { type App, buildApp } from '#server/app/app.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { Client, DEV_KEY } from './client.ts';
import { createTestDatabase } from './database/database.ts';
import { PASSWORD, SESSION_SECRET, signInAs } from './accounts/sign-in.ts';
import { newTemporaryFolder } from './temporary.ts';

export { PASSWORD, SESSION_SECRET };

/** A complete server with real HTTP, its own PostgreSQL database and a clock that tests can move. */
export type TestServer = {
  url: string;
  /** The settings it was started with. */
  env: Readonly<Record<string, string>>;
  /** The addresses with the role of the server, and with the one that owns the tables. */
  databaseUrl: string;
  ownerUrl: string;
  app: App;
  ctx: Context;
  /** The database with the role that owns the tables, for what the server must not do: turn guards off, analyze. */
  owner: Database;
  clock: { now: () => Date; advance: (ms: number) => void; set: (instant: Date) => void };
  /** A client without a session. */
  anyone: () => Client;
  /** A client that is signed in to a new, verified account. */
  signIn: (role?: Role, names?: { email?: string; firstName?: string; lastName?: string }) => Promise<Client>;
  /** May be called twice. */
  close: () => Promise<void>;
};

type Options = {
  env?: Record<string, string>;
  /** The content of TAX_RATES_FILE. */
  taxTable?: string;
  jobs?: boolean;
  start?: Date;
  log?: (line: string) => void;
  dnsServers?: readonly string[];
  decoderProgram?: string;
  /** The name under which clients reach the server. Passkeys do not work on an IP address. */
  host?: 'localhost' | '127.0.0.1';
  port?: number;
  /** The address under which the server reaches its database, in place of the given one. */
  through?: (databaseUrl: string) => Promise<string>;
};

/** Remembers how to close what was opened. */
type Opened = (close: Close) => void;
type Close = () => Promise<void> | void;

let accounts = 0;

/**
 * `env` adds settings. `jobs` also starts the scheduled jobs, which most tests call directly instead. `log` receives
 * every line of the log, including the level trace. If the start fails, this function closes what it has opened.
 */
export async function startTestServer(options: Options = {}): Promise<TestServer> {
  const opened: Close[] = [];
  const close = async () => {
    for (const each of opened.splice(0).toReversed()) await each();
  };
  try {
    return { ...(await start(options, (each) => void opened.push(each))), close };
  } catch (error) {
    await close().catch(() => {});
    throw new Error(
      'The server of this test did not start. Errors of the same file about `close` of undefined follow from this one.',
      { cause: error },
    );
  }
}

async function start(options: Options, onOpened: Opened): Promise<Omit<TestServer, 'close'>> {
  const database = await createTestDatabase();
  onOpened(async () => await database.drop());
  const dataDir = newTemporaryFolder('server');
  onOpened(() => rmSync(dataDir, { recursive: true, force: true }));
  const port = options.port ?? (await freePort());
  const { env = {}, host = '127.0.0.1', taxTable } = options;
  const taxFile = path.join(dataDir, 'tax-table.json');
  if (taxTable !== undefined) writeFileSync(taxFile, taxTable);
  const settings: Record<string, string> = {
    PORT: String(port),
    PUBLIC_URL: `http://${host}:${port}`,
    DATA_DIR: dataDir,
    DEV_KEY,
    SAMPLE_DATA: '0',
    // One more than in production, because some tests hold connections themselves.
    DATABASE_POOL_SIZE: '11',
    RATE_LIMIT_FACTOR: '1000',
    // The server refuses a public address without a relay. No relay listens here, and most tests read the rows instead.
    ...(env.PUBLIC_URL && { SMTP_URL: 'smtp://127.0.0.1:9' }),
    // Tests move the clock by weeks.
    SESSION_IDLE_DAYS: '365',
    ...(taxTable !== undefined && { TAX_RATES_FILE: taxFile }),
    ...env,
  };
  const config = readConfig(settings);
  // Add an offset to the real clock instead of freezing it, so that timeouts still work.
  let offset = options.start ? options.start.getTime() - Date.now() : 0;
  const now = () => new Date(Date.now() + offset);
  const app = await buildApp({
    config,
    databaseUrl: (await options.through?.(database.url)) ?? database.url,
    sessionSecrets: [SESSION_SECRET],
    now,
    ...(options.dnsServers && { dnsServers: options.dnsServers }),
    ...(options.decoderProgram && { decoderProgram: options.decoderProgram }),
    logger: options.log ? { level: 'trace', stream: { write: options.log } } : false,
  });
  onOpened(async () => await app.close());
  await app.refreshDelivery();
  if (options.jobs) await app.startJobs();
  await app.fastify.listen({ port, host: '127.0.0.1' });
  const owner = createDatabase(createPool(database.ownerUrl, 2));
  onOpened(async () => await owner.destroy());

  return {
    url: config.publicUrl,
    env: settings,
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    app,
    ctx: app.ctx,
    owner,
    clock: {
      now,
      advance: (ms) => {
        offset += ms;
      },
      set: (instant) => {
        offset = instant.getTime() - Date.now();
      },
    },
    anyone: () => new Client(config.publicUrl),
    signIn: async (role = 'both', names = {}) => {
      const email =
        names.email ?? `person-${++accounts}-${Math.random().toString(36).slice(2, 8)}@example.test`;
      const client = new Client(config.publicUrl);
      await signInAs(app, client, {
        email,
        role,
        firstName: names.firstName ?? 'Ann',
        lastName: names.lastName ?? 'Bell',
      });
      return client;
    },
  };
}
