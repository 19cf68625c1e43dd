/**
 * The command line of the operator: reads the words, runs the command that they name, and prints its answer, or says why it
 * failed. The program openslot.ts and the tests run it.
 */
import { parseArgs } from 'node:util';
import { BlobsUnavailable } from '#server/platform/files/blobs.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import { storedTexts, type Surroundings, withContext, withDatabase } from './command-context.ts';
import { settingsInForce } from '#server/platform/settings/config.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import { DatabaseUnusable } from '#server/platform/database/embedded/data-directory.ts';
import { UnknownHistory } from '#server/platform/database/migrate.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { jobsRun } from './jobs/command.ts';
import { CommandImpossible, CommandRefused } from '#server/platform/jobs/alone.ts';
import { type Options, type Outcome, UsageError } from '#server/operator/acts/command.ts';
import { asRun, commandOf, helpText, usageOf } from '#server/operator/command-line/commands.ts';
import { noteTaxTable } from '#server/operator/settings/tax-table.ts';
import { diagnose } from '#server/operator/command-line/doctor.ts';
import type { Opened } from '#server/operator/command-line/own-command.ts';
import { ownCommandOf } from '#server/operator/command-line/own-commands.ts';
import { readRunningConfig } from '#server/operator/command-line/running-config.ts';
import { RELEASE } from '#server/platform/settings/release.ts';

const DONE = 0;
const REFUSED = 1;
/** Wrong usage, or the command cannot run at all. */
const IMPOSSIBLE = 2;

/** The codes of PostgreSQL. */
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

type Failure = { code: number; message: string; withUsage?: true };

/** Runs the command that the words name, and returns the exit code. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const asJson = argv.includes('--json');
  const print = (text: string) => void surroundings.output.write(`${text}\n`);
  const say = (text: string) => asRun(text, surroundings.env);
  try {
    const { words, options, help, version } = readArguments(argv);
    if (version) print(RELEASE);
    else if (help || words[0] === 'help') print(say(helpText(words.find((word) => word !== 'help'))));
    else {
      const { json, lines, refused } = await run(words, options, surroundings);
      print(asJson ? JSON.stringify(json, null, 2) : say(lines.map(printable).join('\n')));
      if (refused) return REFUSED;
    }
    return DONE;
  } catch (error) {
    const { code, message, withUsage } = failureOf(error);
    if (asJson) print(JSON.stringify({ error: message }));
    else {
      const usage = withUsage ? `\n\n${usageOf(argv.filter((word) => !word.startsWith('-')))}` : '';
      surroundings.errors.write(say(`${message}${usage}\n`));
    }
    return code;
  }
}

async function run(words: string[], options: Options, surroundings: Surroundings): Promise<Outcome> {
  const { env } = surroundings;
  const name = words.join(' ');
  if (name === 'doctor') return outcomeOf(await diagnose(env, () => new Date()));
  if (name === 'config') return await settings(surroundings);
  const ownCommand = ownCommandOf(words, options);
  if (ownCommand) return await ownCommand.run(openedFor(surroundings), options);
  const named = name === 'jobs run' ? null : commandOf(words);
  return await withContext(surroundings, async (ctx, addresses) => {
    const { command, args } = named ?? { command: jobsRun(addresses.serverUrl), args: [] };
    await noteTaxTable(ctx, `openslot ${words.slice(0, words.length - args.length).join(' ')}`);
    return await command.run({ ctx, operator: { id: null, dryRun: options.dryRun }, args, options });
  });
}

const openedFor = (surroundings: Surroundings): Opened => ({
  config: async () => await readRunningConfig(surroundings.env),
  withContext: async (act) => await withContext(surroundings, act),
  withDatabase: async (act) => await withDatabase(surroundings, act),
  log: (line) => void surroundings.errors.write(`${line}\n`),
});

type Arguments = { words: string[]; options: Options; help: boolean; version: boolean };

function readArguments(argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
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
        'to-dir': { type: 'string' },
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
      version = false,
      'dry-run': dryRun = false,
      'time-zone': timeZone,
      'unless-since': unlessSince,
      'delivery-url': deliveryUrl,
      'to-dir': toDir,
      json: _printed,
      ...others
    } = values;
    return {
      words: positionals,
      options: { ...others, timeZone, unlessSince, deliveryUrl, toDir, dryRun },
      help,
      version,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function settings(surroundings: Surroundings): Promise<Outcome> {
  try {
    const all = settingsInForce(surroundings.env, await storedTexts(surroundings));
    const lines = all.map(
      ({ name, value, source }) =>
        `${name.padEnd(30)} ${source.padEnd(11)} ${value?.replaceAll('\n', '\\n') ?? ''}`,
    );
    return { json: { settings: all }, lines: lines.map((line) => line.trimEnd()) };
  } catch (error) {
    throw error instanceof ConfigError ? new CommandRefused(error.message) : error;
  }
}

const outcomeOf = (findings: Awaited<ReturnType<typeof diagnose>>): Outcome => ({
  json: findings,
  lines: findings.map(({ check, state, text }) => `${state.padEnd(5)} ${check.padEnd(14)} ${text}`),
  refused: findings.some(({ state }) => state === 'fail'),
});

/** Names come from users. A control character in one could move the cursor or change the terminal's title. */
function printable(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed here
  return line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

/** The exit code and the sentence for an error. Throws what is a fault of ours. */
function failureOf(error: unknown): Failure {
  const { code, message } = error as Error & { code?: string };
  if (error instanceof UsageError) return { code: IMPOSSIBLE, message, withUsage: true };
  if (error instanceof ProviderError)
    return {
      code: REFUSED,
      message: `The card provider refused or did not answer (${error.kind}): ${message}`,
    };
  if (error instanceof CommandImpossible || error instanceof ConfigError || error instanceof DatabaseUnusable)
    return { code: IMPOSSIBLE, message };
  if (
    error instanceof HttpError ||
    error instanceof BlobsUnavailable ||
    error instanceof CommandRefused ||
    error instanceof UnknownHistory
  )
    return { code: REFUSED, message };
  // A table or column is missing, so this version's migrations have not run.
  if (code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN)
    return {
      code: IMPOSSIBLE,
      message:
        'The database was not upgraded to this version. Start the server of this version once. To back it up before that, use the release before.',
    };
  if (code !== undefined && /^(ECONN|ENOTFOUND|ETIMEDOUT|08|28|3D|57P)/.test(code))
    return {
      code: IMPOSSIBLE,
      message: `The database does not answer (${code}). Check DATABASE_URL, or run: openslot doctor`,
    };
  throw error;
}
