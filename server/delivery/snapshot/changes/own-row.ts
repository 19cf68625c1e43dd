import type { Config } from '#server/platform/settings/config.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import type { Context } from '#server/platform/context.ts';
import {
  BEAT_MS,
  findStranger,
  fingerprintsOf,
  forgetServer,
  GONE_SECONDS,
  joinServers,
  noteServer,
  serverName,
  type ServerNote,
} from '#server/platform/database/servers/servers.ts';
import type { Timers } from './listener.ts';

/** Keeps the row by which the other servers count this one. */
export function createOwnRow(ctx: Context, timers: Timers) {
  const server = serverName(ctx.config.port);
  let note: ServerNote = { server };
  let beating: Promise<void> | null = null;
  let problem: string | null = null;

  async function renew(): Promise<void> {
    await noteServer(ctx.db, note);
    const stranger = await findStranger(ctx.db, note);
    const found = stranger === null ? null : otherSecret(stranger, ctx.config);
    if (found !== null && problem === null) ctx.log.error(found);
    problem = found;
  }

  /** The others count this server as long as this goes on. */
  async function beat(): Promise<void> {
    // If the database is away, so is this server's row. Reading changes logs that.
    beating = renew().catch(() => {});
    await beating;
    timers.later(() => void beat(), BEAT_MS);
  }

  return {
    /** Why this server must not serve pages beside the others, as the last beat found; null if it may. */
    problem: () => problem,
    join: async (): Promise<void> => {
      note = {
        server,
        environment: [
          ...Object.keys(ctx.config.environment),
          ...(ctx.config.hasTaxFile ? ['TAX_RATES_FILE'] : []),
        ],
        secrets: await fingerprintsOf(ctx.db, ctx.keysFor),
      };
      const stranger = await joinServers(ctx.db, note);
      if (stranger !== null) throw new ConfigError(otherSecret(stranger, ctx.config));
      timers.later(() => void beat(), BEAT_MS);
    },
    /** Call it after the timers have stopped. */
    leave: async (): Promise<void> => {
      // After the last beat, which would bring the row back.
      await beating;
      await forgetServer(ctx.db, server).catch(() => {});
    },
  };
}

/** The sentence about a running server with another secret. */
export function otherSecret(server: string, { sessionSecrets }: Pick<Config, 'sessionSecrets'>): string {
  const own =
    sessionSecrets === undefined ? ' Without SESSION_SECRET, each DATA_DIR has a secret of its own.' : '';
  return `SESSION_SECRET is not the one with which the running server ${server} signs, so this server would refuse its sessions and views.${own} Set the same SESSION_SECRET on all servers, or list the new secret and then the old one to replace it. If that server has ended, start again in ${GONE_SECONDS} seconds.`;
}
