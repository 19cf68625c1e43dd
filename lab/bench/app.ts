/** All of Openslot in one process, with an embedded PostgreSQL that syncs to disk. */
import { mkdirSync } from 'node:fs';
import { type App, buildApp } from '../../server/app/app.ts';
import { type Config, readConfig } from '../../server/platform/settings/config.ts';
import { startEmbedded } from '../../server/platform/database/embedded/embedded.ts';
import { migrate } from '../../server/platform/database/migrate.ts';

export type BenchDatabase = {
  config: Config;
  /** For filling the tables. The app itself works with the role of the server. */
  ownerUrl: string;
  /** With the role of the server. */
  databaseUrl: string;
  sessionSecret: string;
  close: () => Promise<void>;
};
export type BenchApp = BenchDatabase & { app: App };

/** Starts the database and migrates it. `env` adds to the settings of the server. */
export async function openBenchDatabase(
  dataDir: string,
  env: Record<string, string | undefined> = {},
): Promise<BenchDatabase> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const database = await startEmbedded({ dataDir, log: () => {} });
  const databaseUrl = database.url('openslot');
  const ownerUrl = database.ownerUrl('openslot');
  await migrate(ownerUrl, databaseUrl);
  const config = benchConfig(dataDir, env);
  return {
    config,
    ownerUrl,
    databaseUrl,
    sessionSecret: BENCH_SECRET,
    close: async () => await database.stop(),
  };
}

export const BENCH_SECRET = 'a secret for the bench of 32 characters or more';

export function benchConfig(dataDir: string, env: Record<string, string | undefined> = {}): Config {
  return readConfig({
    PORT: '1',
    DATA_DIR: dataDir,
    SAMPLE_DATA: '0',
    PUBLIC_URL: 'http://ads.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    RATE_LIMIT_FACTOR: '1000000',
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  });
}

/** Starts the database and builds the app, which does not listen yet. */
export async function openBenchApp(
  dataDir: string,
  env: Record<string, string | undefined> = {},
): Promise<BenchApp> {
  const bench = await openBenchDatabase(dataDir, env);
  const { config, databaseUrl, sessionSecret } = bench;
  const app = await buildApp({ config, databaseUrl, sessionSecrets: [sessionSecret], logger: false });
  await app.refreshDelivery();
  const close = async () => {
    await app.close();
    await bench.close();
  };
  return { ...bench, app, close };
}
