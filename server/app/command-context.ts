/** Opens the settings and the database of the running server for a command. */
import type { Writable } from 'node:stream';
import { createBlobs } from '#server/platform/files/blob-stores.ts';
import { createNames } from '#server/platform/outbound/names.ts';
import { createPhishingHosts } from '#server/platform/outbound/phishing-hosts.ts';
import { createMailer } from '#server/platform/outbound/mail.ts';
import { createPayments } from '#server/platform/provider/payments.ts';
import { createVies } from '#server/platform/outbound/vies/create.ts';
import type { DatabaseAddresses } from '#server/operations/backup/load.ts';
import { type Config, readConfig } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { createClock } from '#server/platform/database/clock.ts';
import { COMMAND_MS, createDatabase, createPool } from '#server/platform/database/database.ts';
import { startEmbedded } from '#server/platform/database/embedded/embedded.ts';
import { makeDataDirectory } from '#server/platform/database/embedded/data-directory.ts';
import { hasCluster } from '#server/platform/database/embedded/running.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { readSettings, storedSettings, textsOf } from '#server/platform/database/settings.ts';
import { createDecoders } from '#server/platform/decoding/decoders.ts';
import { createLimits } from '#server/platform/http/limits/limits.ts';
import { createSearches } from '#server/platform/http/limits/searches.ts';
import { createLog } from '#server/platform/log/log.ts';
import { CommandImpossible } from '#server/platform/jobs/alone.ts';
import type { SettingTexts } from '#server/platform/settings/marketplace.ts';
import {
  databaseUrlOf,
  ownerUrlOf,
  readRunningConfig,
} from '#server/operator/command-line/running-config.ts';
import { deriveKeys, loadSessionSecret } from '#server/platform/settings/session-secret.ts';

/** Where a command runs. The errors are apart, so that the output is only the answer. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  output: Writable;
  errors: Writable;
};

const sayTo =
  ({ errors }: Surroundings) =>
  (line: string): void =>
    void errors.write(`${line}\n`);

/** The settings that the database holds; none if it does not run, or was not upgraded. */
export async function storedTexts(surroundings: Surroundings): Promise<SettingTexts> {
  const url = databaseUrlOf(readConfig(surroundings.env));
  if (url === null) return {};
  const db = createDatabase(createPool(url, 1, 'openslot command', COMMAND_MS));
  try {
    return textsOf(await storedSettings(db));
  } catch {
    sayTo(surroundings)(
      'The settings of the database cannot be read, so they are left out. Check it: openslot doctor',
    );
    return {};
  } finally {
    await db.destroy();
  }
}

/** Gives a command the same settings and database as those of the running server. */
export async function withContext<T>(
  surroundings: Surroundings,
  act: (ctx: Context, addresses: DatabaseAddresses) => Promise<T>,
): Promise<T> {
  const config = await readRunningConfig(surroundings.env);
  const { addresses, stop } = await openDatabase(surroundings, config);
  const pool = createPool(addresses.serverUrl, 6, 'openslot command', COMMAND_MS);
  const db = createDatabase(pool);
  const decoders = createDecoders();
  try {
    const clock = createClock(db);
    await clock.read();
    await readSettings(db, config);
    const log = createLog({ level: 'warn', stream: surroundings.errors }) as Context['log'];
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
      decoders,
      phishingHosts: createPhishingHosts(config, log),
      payments: await createPayments(config, db, clock),
      limits: createLimits(pool, config.rateLimitFactor),
      search: createSearches(db, 1),
      keyFor: (purpose) => keys().keyFor(purpose),
      keysFor: (purpose) => keys().keysFor(purpose),
      mailer: createMailer(config),
      log,
    };
    return await act(ctx, addresses);
  } finally {
    await decoders.close();
    await db.destroy();
    await stop();
  }
}

/** Gives a command the addresses of the database, and makes an embedded one if there is none. */
export async function withDatabase<T>(
  surroundings: Surroundings,
  act: (addresses: DatabaseAddresses) => Promise<T>,
): Promise<T> {
  const config = await readRunningConfig(surroundings.env);
  const { addresses, stop } = await openDatabase(surroundings, config, { create: true });
  try {
    return await act(addresses);
  } finally {
    await stop();
  }
}

/** Without a running server, starts its embedded database for as long as the command takes. `create` also makes a new one. */
async function openDatabase(
  surroundings: Surroundings,
  config: Config,
  { create } = { create: false },
): Promise<{ addresses: DatabaseAddresses; stop: () => Promise<void> }> {
  const serverUrl = databaseUrlOf(config);
  if (serverUrl !== null)
    return { addresses: { serverUrl, ownerUrl: ownerUrlOf(config) ?? serverUrl }, stop: async () => {} };
  const say = sayTo(surroundings);
  if (create) makeDataDirectory(config.dataDir, say);
  else if (!hasCluster(config.dataDir)) {
    throw new CommandImpossible(
      `There is no database in ${config.dataDir}. Start the server once with \`npm start\`, or set DATABASE_URL or DATA_DIR as you do for the server.`,
    );
  }
  const server = await startEmbedded({ dataDir: config.dataDir, log: say });
  return {
    addresses: { serverUrl: server.url('openslot'), ownerUrl: server.ownerUrl('openslot') },
    stop: async () => await server.stop(),
  };
}
