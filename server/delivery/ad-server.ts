import type http from 'node:http';
import type { Secrets } from '#server/platform/settings/environment.ts';
import type { Context } from '#server/platform/context.ts';
import type { Backlog } from './event-log/event-log.ts';
import type { Tally } from './event-log/tally.ts';
import type { ZoneNow } from './explain/explain.ts';
import { showingNow } from './explain/showing-now.ts';
import { createFlushes } from './flushes.ts';
import { createScripts } from './formats/files.ts';
import { createHandler } from './handle-request.ts';
import { createParts } from './parts.ts';
import { servingCalls } from './requests.ts';
import type { LandingTokens } from './tokens/landing-tokens.ts';
import type { SampleLinks } from './zone-watch/sample-links.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

export type AdServer = {
  /** Answers an ad-serving request, or returns false and leaves it alone. */
  handle: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
  /** Resolves when requests can be answered. The live ads are read after that. */
  start: () => Promise<void>;
  /** Call this once no request is in flight. */
  stop: () => Promise<void>;
  /** Resolves when everything committed before the call is in effect. */
  refresh: () => Promise<void>;
  /** Writes the collected batches: the hourly counts, the zones whose tag was seen, and watched requests. */
  flush: () => Promise<void>;
  /** Names the ads that a zone would show now, and why not the others; null if the zone is not offered. */
  zoneNow: ZoneNow;
  /** Records the requests and events of zones that their publishers are testing. */
  zoneWatch: ZoneWatcher;
  sampleLinks: SampleLinks;
  landingTokens: LandingTokens;
  /**
   * For the metrics. `snapshotMs`: since the snapshot was last compared with the database. `partitionsOwned`: how many
   * partitions of events this server counts.
   */
  figures: () => {
    tally: Tally;
    backlog: Backlog;
    isLogUnsynced: boolean;
    snapshotMs: number;
    partitionsOwned: number;
  };
  /** Whether all live ads are in memory. Until then, ad zones are read when they are asked for. */
  ready: () => boolean;
  /** Why this server must not be used for pages, one sentence each. */
  problems: () => string[];
};

/**
 * The ad server: tag, decisions, views, clicks, landings, creatives and 'why this ad'. It answers on node:http, before Fastify
 * sees the request, because these calls are most of the traffic.
 */
export function createAdServer(
  ctx: Context,
  options: { databaseUrl: string; tagDirectory: string; deliverySecrets: Secrets },
): AdServer {
  const parts = createParts(ctx, options);
  const { snapshot, changes, coldZones, eventLog, dataCentres, countries } = parts;
  const scripts = createScripts(options.tagDirectory, ctx.config.deliveryUrl);
  const flushes = createFlushes(parts);
  let started = false;

  return {
    handle: createHandler(ctx, servingCalls(ctx, parts, scripts)),
    refresh: changes.refresh,
    flush: flushes.flush,
    zoneWatch: parts.zoneWatch,
    sampleLinks: parts.sampleLinks,
    landingTokens: parts.landingTokens,
    zoneNow: async (publicId) => {
      await coldZones.untilRead([publicId]);
      const zone = snapshot.zone(publicId);
      return zone ? showingNow(zone, ctx.now().getTime()) : null;
    },
    figures: () => ({
      tally: parts.tally,
      backlog: eventLog.backlog(),
      isLogUnsynced: eventLog.condition().unsynced,
      snapshotMs: changes.ageMs(),
      partitionsOwned: eventLog.partitionsOwned(),
    }),
    ready: () => started && changes.isLoaded(),
    problems: () => [changes.problem(), eventLog.condition().problem].filter((problem) => problem !== null),
    start: async () => {
      await scripts.read();
      await countries.start();
      await dataCentres.start();
      await changes.start();
      await eventLog.start();
      started = true;
      flushes.start();
    },
    stop: async () => {
      started = false;
      flushes.stop();
      dataCentres.stop();
      await changes.stop();
      await eventLog.stop();
      await flushes.flush().catch(() => {});
    },
  };
}
