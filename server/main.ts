import { mkdirSync } from 'node:fs';
import net from 'node:net';
import pg from 'pg';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createDatabaseIfMissing } from './db/create-database.ts';
import { DataDirInUse, startEmbedded } from './db/embedded.ts';
import { EarlierCheckout, migrate, UnknownHistory } from './db/migrate.ts';
import { EventLogUnusable } from './delivery/event-log/event-log.ts';
import { addSampleData, SAMPLE_ACCOUNTS, SAMPLE_PASSWORD } from './sample/sample-data.ts';
import { keptSessionSecret } from './session-secret.ts';

/** A reason not to start that its reader can do something about. */
class StartError extends Error {}

/** What runs, in the order it was started. */
const running: (() => Promise<void>)[] = [];
let stopping = false;

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

try {
  await start(readConfig(process.env));
} catch (error) {
  await stopAll();
  // What was being started when a signal came fails for lack of what has been stopped.
  if (!stopping) explainAndExit(error);
}

async function start(config: Config): Promise<void> {
  await assertPortFree(config);
  mkdirSync(config.dataDir, { recursive: true });
  const { url: databaseUrl, howToStartAfresh } = config.databaseUrl
    ? await external(config.databaseUrl)
    : await embedded(config.dataDir);
  try {
    await migrate(databaseUrl);
  } catch (error) {
    if (error instanceof EarlierCheckout) throw new StartError(`${error.message}: ${howToStartAfresh}.`);
    throw error;
  }
  const app = await buildApp({
    config,
    databaseUrl,
    sessionSecret: config.sessionSecret ?? keptSessionSecret(config.dataDir),
  });
  running.push(app.close);
  // Before any job: the samples are made at instants of the past, which a job would take for payments and ends of now.
  const samples = config.sampleData ? await addSampleData(app.ctx) : false;
  await app.startJobs();
  await app.fastify.listen({ port: config.port, host: config.host });
  announce(config, samples);
}

async function stopAll(): Promise<void> {
  for (const stop of running.splice(0).toReversed()) await stop();
}

function onSignal(): void {
  if (stopping) return;
  stopping = true;
  console.log('Stopping…');
  stopAll().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}

function explainAndExit(error: unknown): never {
  const isExplained =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof DataDirInUse ||
    error instanceof UnknownHistory ||
    error instanceof EventLogUnusable;
  console.error('\nOpenslot did not start.');
  console.error(isExplained ? `${error.message}\n` : error);
  process.exit(1);
}

/** `howToStartAfresh` ends a sentence about a database that this version cannot use. */
type OpenDatabase = { url: string; howToStartAfresh: string };

async function embedded(dataDir: string): Promise<OpenDatabase> {
  const server = await startEmbedded({ dataDir, log: (line) => console.log(line) });
  running.push(async () => await server.stop());
  await createDatabaseIfMissing(server.url('postgres'), 'openslot');
  return {
    url: server.url('openslot'),
    howToStartAfresh: `to start with an empty one, delete the folder ${server.home}, and with it all accounts and ads, then run \`npm start\` again`,
  };
}

async function external(url: string): Promise<OpenDatabase> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if ((rows[0]?.version ?? 0) < 150_000) throw new Error('it is older than PostgreSQL 15');
  } catch (error) {
    // The address holds a password, so it is not repeated.
    throw new StartError(
      `DATABASE_URL cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
  return {
    url,
    howToStartAfresh:
      'to start with an empty one, create another database (`create database …`) and set DATABASE_URL to its address',
  };
}

/** Asked first, so that nothing is half started when the answer is no. */
async function assertPortFree({ port, host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, port, host)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function explainListenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} is already taken, perhaps by an Openslot that runs already. Stop that program, or choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} needs more rights than this user has. Choose one above 1024.`);
  if (error.code === 'EADDRNOTAVAIL') return new StartError(`HOST ${host} is no address of this machine.`);
  return error;
}

function announce(config: Config, samples: boolean): void {
  const lines = [`Openslot is ready: ${config.publicUrl}`];
  if (samples) {
    lines.push('', `Sample accounts (password ${SAMPLE_PASSWORD}):`);
    for (const { email, what } of SAMPLE_ACCOUNTS) lines.push(`  ${email.padEnd(30)} ${what}`);
  }
  lines.push('');
  lines.push(
    config.smtpUrl
      ? 'Mail goes out through SMTP_URL.'
      : `Mail is kept, not sent: ${config.publicUrl}/dev/mail`,
  );
  lines.push('Cards: sandbox, no money moves. Ctrl-C stops everything.');
  console.log(`\n${lines.join('\n')}\n`);
}
