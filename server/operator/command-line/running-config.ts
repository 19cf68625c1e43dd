import { type Config, readConfig } from '#server/platform/settings/config.ts';
import { findRunning } from '#server/platform/database/embedded/running.ts';
import { findPort } from '#server/platform/database/servers/servers.ts';

/** The address of the database: DATABASE_URL, or the embedded one while the server runs. Null if that is stopped. */
export function databaseUrlOf(config: Config): string | null {
  return config.databaseUrl ?? findRunning(config.dataDir, 'openslot');
}

/** The same with the role that owns the tables. */
export function ownerUrlOf(config: Config): string | null {
  return config.databaseOwnerUrl ?? config.databaseUrl ?? findRunning(config.dataDir, 'openslot', 'owner');
}

/**
 * Reads the settings for a command. Without PORT, it takes the port of the running server, so that links and checks lead
 * there.
 */
export async function readRunningConfig(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env);
  const url = databaseUrlOf(config);
  if (env['PORT'] || url === null) return config;
  // A database that does not answer is reported by the command that uses it.
  const port = await findPort(url).catch(() => null);
  return port === null ? config : readConfig({ ...env, PORT: String(port) });
}
