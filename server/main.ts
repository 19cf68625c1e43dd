import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { hasAccounts } from './people/accounts/email/register.ts';
import { type Config, devAddress, logFormatOf, readConfig } from './platform/settings/config.ts';
import { ConfigError } from './platform/settings/kinds.ts';
import type { App } from './app/app.ts';
import type { Context } from './platform/context.ts';
import { ClockMoved, findClockProblem } from './platform/database/clock.ts';
import { clientTo } from './platform/database/database.ts';
import { startEmbedded } from './platform/database/embedded/embedded.ts';
import { makeDataDirectory, DatabaseUnusable } from './platform/database/embedded/data-directory.ts';
import { migrate, NotOwner, UnknownHistory, UnreleasedDatabase } from './platform/database/migrate.ts';
import {
  type AddressSetting,
  PooledAddress,
  refuseTransactionPooler,
} from './platform/database/servers/pooler.ts';
import {
  findVersionFault,
  findReadOnlyProblem,
  WRITABLE,
  type Writable,
} from './platform/database/servers/writable.ts';
import { EventLogUnusable } from './delivery/event-log/event-log.ts';
import { createLog } from './platform/log/log.ts';
import { blockedHosts } from './platform/net/blocked-host.ts';
import { notifyServiceManager } from './platform/net/service-manager.ts';
import { loadSessionSecret } from './platform/settings/session-secret.ts';

/** The start failed for a reason that the operator can fix. The message is printed without a stack trace. */
class StartError extends Error {}

/** Lines of the announcement. They stand above the start, which runs while this module is loaded. */
const CARD_PAYMENTS: Record<Config['paymentBook'], string> = {
  'stripe-live': 'Card payments run through Stripe.',
  'stripe-test': 'Card payments run in the test mode of Stripe, so no money moves.',
  sandbox: 'Card payments run in a sandbox, so no money moves.',
};

const HOW_TO_NAME_THE_OWNER =
  'Set DATABASE_OWNER_URL to the address with the role that owns the tables and may create others (docs/install.md, "The roles of the database").';

/** How long the parts may take to end, whatever still runs. With the delay of production it is within 30 seconds. */
const STOP_LIMIT_MS = 24_000;
/** A terminal and npm each pass a signal on, so two at nearly the same time are one. */
const SAME_SIGNAL_MS = 200;

/** Null: the output is text for the person at the terminal. */
const log = logFormatOf(process.env) === 'json' ? createLog({ level: 'info' }) : null;

/** The stop functions of everything that runs, in the order of the starts. */
const running: (() => Promise<void>)[] = [];
/** When the first signal came, in milliseconds of the process's own time. */
let stoppingSince: number | null = null;
/** Tells balancers about the stop, and waits for SHUTDOWN_DELAY_MS. Does nothing until the server listens. */
let announceStop = async (): Promise<void> => {};

// Node prints the error on the error output, and ends the process.
process.on('uncaughtExceptionMonitor', (error) => log?.error({ err: error }, 'an unexpected error'));
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

try {
  await start(readConfig(process.env));
} catch (error) {
  await stopAll();
  // A signal stops the database and server of a start in progress. The start then fails, which is no error to report.
  if (stoppingSince === null) explainAndExit(error);
}

async function start(given: Config): Promise<void> {
  if (log) log.level = given.logLevel;
  const port = await findFreePort(given);
  // With PORT=0 the system chooses, and the address that people use contains its choice.
  const config = given.port === 0 ? readConfig({ ...process.env, PORT: String(port) }) : given;
  const {
    url: databaseUrl,
    ownerUrl,
    howToStartAfresh,
  } = config.databaseUrl
    ? await external(config.databaseUrl, config.databaseOwnerUrl ?? config.databaseUrl, config.dataDir)
    : await embedded(config.dataDir);
  try {
    await migrate(ownerUrl, databaseUrl);
  } catch (error) {
    if (error instanceof UnreleasedDatabase) throw new StartError(`${error.message}: ${howToStartAfresh}.`);
    if (error instanceof NotOwner) throw new StartError(`${error.message}. ${HOW_TO_NAME_THE_OWNER}`);
    throw error;
  }
  // The server is loaded only now, so that a start with a wrong setting or database fails in a fifth of the time.
  const { buildApp } = await import('./app/app.ts');
  const app = await buildApp({
    config,
    databaseUrl,
    sessionSecrets: config.sessionSecrets ?? [loadSessionSecret(config.dataDir)],
    // `npm run dev` passes this argument (scripts/start.mjs).
    webSource: config.developmentMode && process.argv.includes('--web-source'),
  });
  running.push(app.close);
  const tell = (state: 'READY=1' | 'STOPPING=1') => {
    if (config.notifySocket)
      notifyServiceManager(config.notifySocket, state, (sentence) => app.ctx.log.warn(sentence));
  };
  // Jobs start after the sample data is complete. A job that ran in between would treat its past payments and campaign
  // ends as happening now.
  const samples = config.sampleData ? await addSamples(app.ctx) : [];
  await app.startJobs();
  collectGarbage();
  app.ctx.decoders.prepare();
  await app.fastify.listen({ port: config.port, host: config.host });
  announceStop = async () => {
    app.announceStop();
    tell('STOPPING=1');
    await pause(config.shutdownDelayMs);
  };
  announce(config, samples, await firstSteps(app.ctx));
  for (const sentence of blockedHosts(config)) warn(sentence);
  void onceReady(app, () => tell('READY=1'));
  // Do not wait for it, because the server also works while the card provider cannot be reached.
  void app.preparePayments();
}

/**
 * Loading the code leaves 50 MB of garbage and empty space, which V8 would keep as long as a server is idle. Giving it back
 * takes a fifth of a second, so this comes before the first request. docs/performance.md has the figures.
 */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as NodeJS.GCFunction;
  collect({ type: 'major', flavor: 'last-resort' });
}

/** Calls `act` as soon as pages can be served, unless the server stops before. */
async function onceReady({ fastify }: App, act: () => void): Promise<void> {
  while (stoppingSince === null) {
    const { statusCode } = await fastify.inject('/api/health/ready');
    if (statusCode === 200) return act();
    await pause(500);
  }
}

/** The message of an installation without accounts at its start. The link makes an operator, so no log has it. */
async function firstSteps(ctx: Context): Promise<string[]> {
  if (await hasAccounts(ctx.db)) return [];
  const restore =
    'It has no accounts yet. To bring back a backup, stop it and restore into an empty database: openslot restore --from BACKUP';
  const byCommand = 'To make yourself the operator, print a link at a terminal: openslot operator link';
  if (!process.stdout.isTTY) return [restore, byCommand];
  const { linkForFirstOperator } = await import('./operator/invitations/invitations.ts');
  try {
    const { url } = await linkForFirstOperator(ctx);
    // Only `docker run -t` keeps what the terminal shows. The link ends with its first use, or after an hour.
    return [restore, `To make yourself the operator, open this link within an hour: ${url}`];
  } catch (error) {
    ctx.log.warn({ err: error }, 'there is no link for the first operator');
    return [restore, byCommand];
  }
}

/** Adds the sample data to an empty database. Returns the lines that announce its accounts, if they exist. */
async function addSamples(ctx: Context): Promise<string[]> {
  const { addSampleData, SAMPLE_ACCOUNTS } = await import('./app/sample/sample-data.ts');
  if (!(await addSampleData(ctx))) return [];
  const accounts = SAMPLE_ACCOUNTS.map(({ email, what }) => `  ${email.padEnd(30)} ${what}`);
  return ['', `Sample accounts (password ${SAMPLE_PASSWORD}):`, ...accounts];
}

async function stopAll(): Promise<void> {
  for (const stop of running.splice(0).toReversed()) await stop();
}

/**
 * The first signal: health says that the server stops, everything goes on for SHUTDOWN_DELAY_MS, so that balancers look
 * elsewhere, and then the parts end. The second one ends the process at once.
 */
function onSignal(): void {
  const now = performance.now();
  if (stoppingSince !== null) {
    if (now - stoppingSince < SAME_SIGNAL_MS) return;
    complain('Openslot ends now. The next start takes over what it left.');
    process.exit(1);
  }
  stoppingSince = now;
  say('Stopping…');
  void stopInTime();
}

async function stopInTime(): Promise<void> {
  await announceStop();
  setTimeout(() => {
    complain('Openslot did not stop in time. The process ends now; the next start takes over what it left.');
    process.exit(1);
  }, STOP_LIMIT_MS);
  try {
    await stopAll();
    process.exit(0);
  } catch (error) {
    if (log) log.error({ err: error }, 'Openslot could not stop as it should.');
    else console.error(error);
    process.exit(1);
  }
}

function say(line: string): void {
  if (log) log.info(line);
  else console.log(line);
}

function warn(line: string): void {
  if (log) log.warn(line);
  else console.warn(line);
}

function complain(line: string): void {
  if (log) log.error(line);
  else console.error(line);
}

function explainAndExit(error: unknown): never {
  const isExplained =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof ClockMoved ||
    error instanceof DatabaseUnusable ||
    error instanceof PooledAddress ||
    error instanceof UnknownHistory ||
    error instanceof EventLogUnusable;
  // A service manager shows the error output, and the log must have the line as well. A person reads sentences.
  const streams = [process.stdout, process.stderr].filter(({ isTTY }) => log && !isTTY);
  const logs = createLog({
    level: 'error',
    stream: { write: (line) => streams.forEach((stream) => stream.write(line)) },
  });
  if (isExplained) logs.error(`Openslot did not start. ${error.message}`);
  else logs.error({ err: error }, 'Openslot did not start.');
  if (!log || process.stderr.isTTY) {
    console.error('\nOpenslot did not start.');
    console.error(isExplained ? `${error.message}\n` : error);
  }
  process.exit(1);
}

/**
 * The server works with `url`, and the migrations with `ownerUrl`. `howToStartAfresh` ends a sentence about a database that
 * this version cannot use.
 */
type OpenDatabase = { url: string; ownerUrl: string; howToStartAfresh: string };

async function embedded(dataDir: string): Promise<OpenDatabase> {
  const server = await startEmbedded({ dataDir, log: say });
  running.push(async () => await server.stop());
  return {
    url: server.url('openslot'),
    ownerUrl: server.ownerUrl('openslot'),
    howToStartAfresh: `to start with an empty one, delete the folder ${server.home}, and with it all accounts and ads, then run \`npm start\` again`,
  };
}

async function external(url: string, ownerUrl: string, dataDir: string): Promise<OpenDatabase> {
  makeDataDirectory(dataDir, say);
  const database = await openExternal('DATABASE_URL', url);
  if (ownerUrl !== url && (await openExternal('DATABASE_OWNER_URL', ownerUrl)) !== database)
    throw new StartError('DATABASE_OWNER_URL and DATABASE_URL must lead to the same database.');
  return {
    url,
    ownerUrl,
    howToStartAfresh:
      'to start with an empty one, create another database (`create database …`) and set DATABASE_URL to its address',
  };
}

/** Checks that the address can be used. Returns a text that no other database has. */
async function openExternal(setting: AddressSetting, url: string): Promise<string> {
  const client = clientTo(url, 'openslot start', {
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  try {
    // First, because a pooler may refuse the options of our connections, and this says so.
    await refuseTransactionPooler(url, setting);
    await client.connect();
    const { rows } = await client.query<Writable & { version: number; at: Date; identity: string }>(
      `select current_setting('server_version_num')::int as version,
        clock_timestamp() as at,
        ${WRITABLE},
        concat_ws(' ', extract(epoch from pg_postmaster_start_time()), current_database()) as identity`,
    );
    const { version, at, identity, ...writable } = rows[0]!;
    if (version < 150_000) throw new Error('the server is older than PostgreSQL 15');
    const problem = findReadOnlyProblem(writable, setting) ?? findClockProblem(at, new Date());
    if (problem !== null) throw new StartError(`${problem} Then start again.`);
    const fault = setting === 'DATABASE_URL' ? findVersionFault(version) : null;
    if (fault !== null) warn(fault);
    return identity;
  } catch (error) {
    if (error instanceof PooledAddress || error instanceof StartError) throw error;
    // The message leaves out the address, which holds a password.
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${setting} cannot be used: ${reason}. Check the database server and the address, which must lead to it directly, then start again.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the port if it is free. This check comes first, so that a taken port leaves nothing half started. */
async function findFreePort({ port, host }: Config): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, port, host)));
    probe.listen(port, host, () => {
      const { port: free } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}

function explainListenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} is already taken, perhaps by another Openslot. Stop that program, or choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (error.code === 'EACCES')
    return new StartError(`You have no permission to use port ${port}. Choose a port above 1023.`);
  if (error.code === 'EADDRNOTAVAIL') {
    return new StartError(
      `HOST ${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    );
  }
  return error;
}

function announce(config: Config, samples: readonly string[], first: readonly string[]): void {
  const { publicUrl, port, host } = config;
  // The key of these pages is a secret, which a log must not have. [OPS-27]
  const addressOf = (page: string) => (log ? `${publicUrl}${page}` : devAddress(config, page));
  const lines = [`Openslot is ready: ${publicUrl}`];
  // PUBLIC_URL is the address of a proxy.
  if (new URL(publicUrl).port !== String(port)) lines.push(`It listens on port ${port} of ${host}.`);
  if (!log) lines.push(...samples, '');
  lines.push(
    config.smtpUrl
      ? 'Mail is sent through SMTP_URL.'
      : `Mail is not sent. Read it at ${addressOf('/dev/mail')}`,
  );
  lines.push(...first);
  if (config.developmentMode) lines.push(`Rehearse payments at ${addressOf('/dev/rehearsal')}`);
  lines.push(`${CARD_PAYMENTS[config.paymentBook]} Press Ctrl-C to stop.`);
  if (log) lines.forEach(say);
  else console.log(`\n${lines.join('\n')}\n`);
}
