/** The context of a running server. That of a command is in command-context.ts. */
import { createBlobs } from './adapters/blob-stores.ts';
import { createMailer } from './adapters/mail.ts';
import { createNames } from './adapters/names.ts';
import { createPayments } from './adapters/payments.ts';
import { createPhishingHosts } from './adapters/phishing-hosts.ts';
import { createVies } from './adapters/vies/create.ts';
import type { Config } from './config.ts';
import type { Secrets } from './settings/environment.ts';
import type { Context } from './context.ts';
import type { Clock } from './db/clock.ts';
import { installationId } from './db/installation.ts';
import type { Pools } from './db/pools.ts';
import { createDecoders } from './decoding/decoders.ts';
import { createLimits } from './http/limits/limits.ts';
import { createSearches } from './http/limits/searches.ts';
import { createLog } from './log.ts';
import { deriveKeys } from './session-secret.ts';

export type ContextOptions = {
  sessionSecrets: Secrets;
  /** DNS servers in place of the system's, as 'address:port'. */
  dnsServers?: readonly string[];
  /** The program of the decoder processes in place of server/decoding/program.ts. */
  decoderProgram?: string;
  /** `false` turns logging off. An object replaces the default level and stream. */
  logger?: false | { level: string; stream: { write: (line: string) => void } };
};

const NO_LOG = { level: 'silent', stream: { write: () => {} } };

export async function createContext(
  config: Config,
  { db, pages, limits }: Pools,
  clock: Clock,
  { sessionSecrets, dnsServers, decoderProgram, logger }: ContextOptions,
): Promise<Context> {
  const log = createLog({
    level: config.logLevel,
    ...(logger === false ? NO_LOG : logger),
  });
  const names = createNames(dnsServers);
  return {
    config,
    db,
    now: clock.now,
    realNow: clock.realNow,
    clockAheadMs: clock.aheadMs,
    blobs: createBlobs(config, async () => await installationId(db)),
    payments: await createPayments(config, db, clock),
    limits: createLimits(limits, config.rateLimitFactor),
    search: createSearches(db, pages.options.max),
    ...deriveKeys(sessionSecrets),
    mailer: createMailer(config),
    names,
    vies: createVies(config, db, names),
    decoders: createDecoders(decoderProgram),
    phishingHosts: createPhishingHosts(config, log),
    log,
  };
}
