/** The context of a running server. That of a command is in command-context.ts. */
import { createBlobs } from '#server/platform/files/blob-stores.ts';
import { createMailer } from '#server/platform/outbound/mail.ts';
import { createNames } from '#server/platform/outbound/names.ts';
import { createPayments } from '#server/platform/provider/payments.ts';
import { createPhishingHosts } from '#server/platform/outbound/phishing-hosts.ts';
import { createVies } from '#server/platform/outbound/vies/create.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';
import type { Context } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/database/clock.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import type { Pools } from '#server/platform/database/pools.ts';
import { createDecoders } from '#server/platform/decoding/decoders.ts';
import { createLimits } from '#server/platform/http/limits/limits.ts';
import { createSearches } from '#server/platform/http/limits/searches.ts';
import { createLog } from '#server/platform/log/log.ts';
import { deriveKeys } from '#server/platform/settings/session-secret.ts';

export type ContextOptions = {
  sessionSecrets: Secrets;
  /** DNS servers in place of the system's, as 'address:port'. */
  dnsServers?: readonly string[];
  /** The program of the decoder processes in place of server/platform/decoding/program.ts. */
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
