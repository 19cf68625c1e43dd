/** The command line of the operator: `npm run openslot -- COMMAND`. It works on the database of the running server. */
import { parseArgs } from 'node:util';
import { BlobsUnavailable } from './adapters/blobs.ts';
import type { DatabaseAddresses } from './backup/load.ts';
import { CommandImpossible, CommandRefused } from './long-work/refused.ts';
import { createBlobs } from './adapters/blob-stores.ts';
import { createNames } from './adapters/names.ts';
import { createPhishingHosts } from './adapters/phishing-hosts.ts';
import { createMailer } from './adapters/mail.ts';
import { ProviderError } from './adapters/payment-provider.ts';
import { createPayments } from './adapters/payments.ts';
import { createVies } from './adapters/vies/create.ts';
import { type Config, readConfig, settingsInForce } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { Context } from './context.ts';
import { createClock } from './db/clock.ts';
import { COMMAND_MS, createDatabase, createPool } from './db/database.ts';
import { readSettings, storedSettings, textsOf } from './db/settings.ts';
import { createDecoders } from './decoding/decoders.ts';
import { startEmbedded } from './db/embedded.ts';
import { DatabaseUnusable } from './db/embedded/database-unusable.ts';
import { makeDataDirectory } from './db/embedded/data-directory.ts';
import { hasCluster } from './db/embedded/running.ts';
import { UnknownHistory } from './db/migrate.ts';
import { HttpError } from './http/errors.ts';
import { createLimits } from './http/limits/limits.ts';
import { createSearches } from './http/limits/searches.ts';
import { type Options, type Outcome, UsageError } from './operator/acts/command.ts';
import { commandOf, usageOf, usageText } from './operator/command-line/commands.ts';
import { diagnose } from './operator/command-line/doctor.ts';
import { ownCommandOf } from './operator/command-line/own-commands.ts';
import { databaseUrlOf, ownerUrlOf, readRunningConfig } from './operator/command-line/running-config.ts';
import { jobsRun } from './jobs/command.ts';
import { createLog } from './log.ts';
import type { SettingTexts } from './marketplace-settings.ts';
import { installationId } from './db/installation.ts';
import { RELEASE } from './release.ts';
import { deriveKeys, loadSessionSecret } from './session-secret.ts';

const DONE = 0;
const REFUSED = 1;
/** Wrong usage, or the command cannot run at all. */
const IMPOSSIBLE = 2;

/** The command cannot run at all, for a reason that the operator can fix. */
class Unable extends Error {}

const asJson = process.argv.includes('--json');
process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  try {
    if (argv.length === 1 && argv[0] === '--version') {
      console.log(RELEASE);
      return DONE;
    }
    const { words, options, help } = readArguments(argv);
    if (help) {
      console.log(usageText());
      return DONE;
    }
    if (words.length === 1 && words[0] === 'doctor') return print(await doctor());
    if (words.length === 1 && words[0] === 'config') return await printSettings();
    const ownCommand = ownCommandOf(words, options);
    if (ownCommand) {
      const config = async () => await readRunningConfig(process.env);
      return print(await ownCommand.run({ config, withContext, withDatabase }, options));
    }
    const isJobsRun = words.join(' ') === 'jobs run';
    const named = isJobsRun ? null : commandOf(words);
    return await withContext(async (ctx, addresses) => {
      const { command, args } = named ?? { command: jobsRun(addresses.serverUrl), args: [] };
      return print(await command.run({ ctx, operator: { id: null, dryRun: options.dryRun }, args, options }));
    });
  } catch (error) {
    return explain(error, argv);
  }
}

function readArguments(argv: string[]): { words: string[]; options: Options; help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        reason: { type: 'string' },
        cursor: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        amount: { type: 'string' },
        role: { type: 'string' },
        until: { type: 'string' },
        mail: { type: 'boolean' },
        failed: { type: 'boolean' },
        send: { type: 'boolean' },
        all: { type: 'boolean' },
        lost: { type: 'boolean' },
        days: { type: 'string' },
        day: { type: 'string' },
        year: { type: 'string' },
        dir: { type: 'string' },
        format: { type: 'string' },
        'time-zone': { type: 'string' },
        keep: { type: 'string' },
        scratch: { type: 'string' },
        programs: { type: 'string' },
        'unless-since': { type: 'string' },
        'delivery-url': { type: 'string' },
      },
    });
    const {
      help = false,
      'dry-run': dryRun = false,
      'time-zone': timeZone,
      'unless-since': unlessSince,
      'delivery-url': deliveryUrl,
      json: _printed,
      ...others
    } = values;
    return {
      words: positionals,
      options: { ...others, timeZone, unlessSince, deliveryUrl, dryRun },
      help,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function printSettings(): Promise<number> {
  try {
    const settings = settingsInForce(process.env, await storedTexts());
    const lines = settings.map(
      ({ name, value, source }) =>
        `${name.padEnd(30)} ${source.padEnd(11)} ${value?.replaceAll('\n', '\\n') ?? ''}`,
    );
    return print({ json: { settings }, lines: lines.map((line) => line.trimEnd()) });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(error.message);
    return REFUSED;
  }
}

/** The settings that the database holds; none if it does not run, or was not upgraded. */
async function storedTexts(): Promise<SettingTexts> {
  const url = databaseUrlOf(readConfig(process.env));
  if (url === null) return {};
  const db = createDatabase(createPool(url, 1, 'openslot command', COMMAND_MS));
  try {
    return textsOf(await storedSettings(db));
  } catch {
    console.error(
      'The settings of the database cannot be read, so they are left out. Check it: openslot doctor',
    );
    return {};
  } finally {
    await db.destroy();
  }
}

async function doctor(): Promise<Outcome> {
  const findings = await diagnose(process.env, () => new Date());
  return {
    json: findings,
    lines: findings.map(({ check, state, text }) => `${state.padEnd(5)} ${check.padEnd(14)} ${text}`),
    refused: findings.some(({ state }) => state === 'fail'),
  };
}

async function withContext<T>(act: (ctx: Context, addresses: DatabaseAddresses) => Promise<T>): Promise<T> {
  const { ctx, addresses, close } = await openContext();
  try {
    return await act(ctx, addresses);
  } finally {
    await close();
  }
}

async function withDatabase<T>(act: (addresses: DatabaseAddresses) => Promise<T>): Promise<T> {
  const { addresses, stop } = await openDatabase(await readRunningConfig(process.env), { create: true });
  try {
    return await act(addresses);
  } finally {
    await stop();
  }
}

/** The same settings and database as those of the running server. */
async function openContext(): Promise<{
  ctx: Context;
  addresses: DatabaseAddresses;
  close: () => Promise<void>;
}> {
  const config = await readRunningConfig(process.env);
  const { addresses, stop } = await openDatabase(config);
  const pool = createPool(addresses.serverUrl, 6, 'openslot command', COMMAND_MS);
  const db = createDatabase(pool);
  const clock = createClock(db);
  try {
    await clock.read();
    await readSettings(db, config);
  } catch (error) {
    await db.destroy();
    await stop();
    throw error;
  }
  // The log goes to the error output, so that the output is only the answer.
  const log = createLog({ level: 'warn', stream: process.stderr }) as Context['log'];
  // Not before a command needs a key, because only the account of the server can read the generated secret.
  const keys = () => deriveKeys(config.sessionSecrets ?? [loadSessionSecret(config.dataDir)]);
  const names = createNames();
  const ctx: Context = {
    config,
    db,
    now: clock.now,
    realNow: clock.realNow,
    clockAheadMs: clock.aheadMs,
    blobs: createBlobs(config, async () => await installationId(db)),
    names,
    vies: createVies(config, db, names),
    decoders: createDecoders(),
    phishingHosts: createPhishingHosts(config, log),
    payments: await createPayments(config, db, clock),
    limits: createLimits(pool, config.rateLimitFactor),
    search: createSearches(db, 1),
    keyFor: (purpose) => keys().keyFor(purpose),
    keysFor: (purpose) => keys().keysFor(purpose),
    mailer: createMailer(config),
    log,
  };
  return {
    ctx,
    addresses,
    close: async () => {
      await ctx.decoders.close();
      await db.destroy();
      await stop();
    },
  };
}

/** Without a running server, starts its embedded database for as long as the command takes. `create` also makes a new one. */
async function openDatabase(
  config: Config,
  { create } = { create: false },
): Promise<{ addresses: DatabaseAddresses; stop: () => Promise<void> }> {
  const serverUrl = databaseUrlOf(config);
  if (serverUrl !== null)
    return { addresses: { serverUrl, ownerUrl: ownerUrlOf(config) ?? serverUrl }, stop: async () => {} };
  if (create) makeDataDirectory(config.dataDir, (line) => console.error(line));
  else if (!hasCluster(config.dataDir)) {
    throw new Unable(
      `There is no database in ${config.dataDir}. Start the server once with \`npm start\`, or set DATABASE_URL or DATA_DIR as you do for the server.`,
    );
  }
  const server = await startEmbedded({ dataDir: config.dataDir, log: (line) => console.error(line) });
  return {
    addresses: { serverUrl: server.url('openslot'), ownerUrl: server.ownerUrl('openslot') },
    stop: async () => await server.stop(),
  };
}

function print({ json, lines, refused = false }: Outcome): number {
  console.log(asJson ? JSON.stringify(json, null, 2) : lines.map(printable).join('\n'));
  return refused ? REFUSED : DONE;
}

/** Names come from users. A control character in one could move the cursor or change the terminal's title. */
function printable(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed here
  return line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

function explain(error: unknown, argv: readonly string[]): number {
  if (error instanceof UsageError) {
    const words = argv.filter((word) => !word.startsWith('-'));
    fail(asJson ? error.message : `${error.message}\n\n${usageOf(words)}`);
    return IMPOSSIBLE;
  }
  if (error instanceof HttpError) {
    fail(error.message);
    return REFUSED;
  }
  if (error instanceof ProviderError) {
    fail(`The card provider refused or did not answer (${error.kind}): ${error.message}`);
    return REFUSED;
  }
  if (error instanceof CommandImpossible) {
    fail(error.message);
    return IMPOSSIBLE;
  }
  if (
    error instanceof BlobsUnavailable ||
    error instanceof CommandRefused ||
    error instanceof UnknownHistory
  ) {
    fail(error.message);
    return REFUSED;
  }
  if (error instanceof Unable || error instanceof ConfigError || error instanceof DatabaseUnusable) {
    fail(error.message);
    return IMPOSSIBLE;
  }
  const { code } = error as { code?: string };
  // 42P01 and 42703: a table or column is missing, so this version's migrations have not run.
  if (code === '42P01' || code === '42703') {
    fail(
      'The database was not upgraded to this version. Start the server of this version once. To back it up before that, see “Before the first upgrade” in docs/operations.md.',
    );
    return IMPOSSIBLE;
  }
  if (code !== undefined && /^(ECONN|ENOTFOUND|ETIMEDOUT|08|28|3D|57P)/.test(code)) {
    fail(`The database does not answer (${code}). Check DATABASE_URL, or run: openslot doctor`);
    return IMPOSSIBLE;
  }
  throw error;
}

function fail(message: string): void {
  if (asJson) console.log(JSON.stringify({ error: message }));
  else console.error(message);
}
