import type http from 'node:http';
import { FACTS_PATH, PLACEMENT_PATH, POSTS_PATH, STILL } from '#domain/delivery/wire.ts';
import type { Secrets } from '../settings/environment.ts';
import type { Context } from '../context.ts';
import { answerBusy, refuse } from '../http/raw-answer.ts';
import { requestIdOf } from '../request-id.ts';
import { loadZoneOfCell } from './snapshot/load.ts';
import { followChanges } from './snapshot/changes.ts';
import { createColdZones } from './snapshot/cold-zones.ts';
import { createClientAddress } from './traffic/client-address.ts';
import { createDataCentres } from './traffic/data-centres/data-centres.ts';
import { answerAds } from './ad-request.ts';
import type { ZoneNow } from './explain/explain.ts';
import { answerCreative, answerScript, readScript, type ScriptFiles } from './formats/files.ts';
import { answerFrame } from './formats/frame.ts';
import { createTestViews } from './formats/test-zone.ts';
import { createPlacementSample } from './placement/placement-sample.ts';
import { createPlacementTokens } from './placement/placement-tokens.ts';
import { answerPlacement } from './placement/report.ts';
import { createCountries } from './targeting/countries.ts';
import { createFactsOf } from './targeting/visitor-facts.ts';
import { createFrequencyCap } from './decision/frequency-cap.ts';
import { createSiteProof } from './tokens/site-proof.ts';
import { createRecentlyServed } from './decision/recently-served.ts';
import { createEventLog } from './event-log/open-event-log.ts';
import { answerClick, answerLanding, answerView } from './event.ts';
import { showingNow } from './explain/showing-now.ts';
import { createTagSeen } from './decision/tag-seen.ts';
import { createSnapshot } from './snapshot/snapshot.ts';
import { createHourlyCounts } from './event-log/hourly-counts.ts';
import type { Backlog } from './event-log/event-log.ts';
import { createTally, type Tally } from './event-log/tally.ts';
import { createLandingTokens, type LandingTokens } from './tokens/landing-tokens.ts';
import { createTokens } from './tokens/tokens.ts';
import {
  answerPlayerError,
  answerVast,
  answerVastAddress,
  playerErrorLog,
  readPlayerZone,
} from './formats/vast.ts';
import { createHeaderRules } from './traffic/request-headers.ts';
import { createRefusedFacts } from './traffic/refused-facts.ts';
import { createTraits } from './traffic/traits.ts';
import { createForwardingNotice } from './traffic/untrusted-forwarding.ts';
import { createVisitors } from './traffic/visitors.ts';
import { createVotes } from './traffic/votes.ts';
import { answerWhy } from './explain/why.ts';
import { createZoneWatch, type ZoneWatcher } from './zone-watch/zone-watch.ts';

const FLUSH_MS = 1000;
/** Traits are written this many times less often, because each of a zone's networks is a row. */
const FLUSHES_PER_TRAITS = 30;
const MAX_URL = 2048;
/** Servers of advertisers send JSON here, so Fastify answers. */
const LANDING_REPORTS = '/api/serve/landings';
const CONVERSION_REPORTS = '/api/serve/conversions';
/** The tag's reports have no body. If another client sends one, node:http discards it unread up to this many bytes. */
const MAX_BODY = 1024;

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
  const { config, now, realNow } = ctx;
  const productionRules = config.trafficRules === 'production';
  const developmentMode = config.developmentMode && !productionRules;
  const headerRules = productionRules ? createHeaderRules(config) : null;
  const snapshot = createSnapshot();
  const tokens = createTokens(options.deliverySecrets);
  const landingTokens = createLandingTokens(options.deliverySecrets);
  const placementTokens = createPlacementTokens(options.deliverySecrets);
  const siteProof = createSiteProof(options.deliverySecrets);
  const tally = createTally();
  const hourlyCounts = createHourlyCounts(ctx.db);
  const zoneWatch = createZoneWatch(ctx, tokens);
  const tagSeen = createTagSeen(ctx);
  const dataCentres = createDataCentres(config, ctx.log);
  const traits = createTraits(ctx.db, options.deliverySecrets[0]);
  const eventLog = createEventLog(ctx, {
    databaseUrl: options.databaseUrl,
    listener: { onCounted: snapshot.applyCounts, onUncounted: snapshot.applyUncounted },
    tally,
    publisherOf: (zoneId) => snapshot.zoneById(zoneId)?.publisherId,
  });
  const recentlyServed = createRecentlyServed(snapshot, now);
  const forwarding = createForwardingNotice(ctx);
  const changes = followChanges(ctx, {
    databaseUrl: options.databaseUrl,
    snapshot,
    recentlyServedAds: recentlyServed.take,
  });
  const coldZones = createColdZones(snapshot, changes.readNames);
  const { addressOf, networkNumberOf } = createClientAddress(config.trustedProxies, forwarding.note);
  const refusedFacts = createRefusedFacts(ctx.db, addressOf);
  const countries = createCountries(config, ctx.log);
  let tag: ScriptFiles | null = null;
  let landingScript: ScriptFiles | null = null;
  let postsScript: ScriptFiles | null = null;
  let factsScript: ScriptFiles | null = null;
  let placementScript: ScriptFiles | null = null;
  let started = false;
  let flushTimer: NodeJS.Timeout | undefined;

  const decisionParts = {
    realNow,
    aheadMs: ctx.clockAheadMs,
    snapshot,
    coldZones,
    tokens,
    hourlyCounts,
    refusedFacts,
    tally,
    zoneWatch,
    tagSeen,
    siteProof,
    frequency: createFrequencyCap(networkNumberOf),
    factsOf: createFactsOf(addressOf, countries),
    // The number changes with what the tag and the module tell each other, because browsers keep the module for an hour.
    factsUrl: `${config.deliveryUrl}${FACTS_PATH}?2`,
    placementUrl: config.deliveryUrl + PLACEMENT_PATH,
    placementSample: createPlacementSample(),
    networkNumberOf,
    placementTokens,
    developmentMode,
    headerRules,
    clickUrl: `${config.deliveryUrl}/api/serve/click/`,
    onServed: recentlyServed.note,
  };
  const vastParts = {
    ...decisionParts,
    serveUrl: `${config.deliveryUrl}/api/serve/`,
    onPlayerError: playerErrorLog(ctx),
  };
  const frameParts = { realNow, snapshot, siteProof, developmentMode, deliveryUrl: config.deliveryUrl };
  const eventParts = {
    realNow,
    aheadMs: ctx.clockAheadMs,
    db: ctx.db,
    snapshot,
    tokens,
    landingTokens,
    hourlyCounts,
    refusedFacts,
    zoneWatch,
    testViews: createTestViews(),
    traits,
    votes: createVotes(hourlyCounts),
    visitors: createVisitors({ productionRules, fleet: snapshot.fleet }),
    dataCentres,
    eventLog,
    tally,
    addressOf,
    networkNumberOf,
    developmentMode,
    headerRules,
    publicUrl: config.publicUrl,
  };

  const placementParts = {
    realNow,
    now,
    db: ctx.db,
    placementTokens,
    dataCentres,
    addressOf,
    developmentMode,
  };

  function handle(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    const url = request.url ?? '';
    if (!url.startsWith('/api/serve/') && !url.startsWith('/m/') && !url.startsWith('/z/')) return false;
    if (url === LANDING_REPORTS || (url === CONVERSION_REPORTS && request.method !== 'OPTIONS')) return false;
    const bodyLength = bodyLengthOf(request);
    if (url.length > MAX_URL) refuse(response, 414, 'This URL is too long.', ['Connection', 'close']);
    else if (bodyLength > MAX_BODY)
      refuse(response, 413, 'Send this request without a body.', ['Connection', 'close']);
    else {
      // If the client declares a request body, close the connection after the response instead of reading the body.
      if (bodyLength > 0) response.shouldKeepAlive = false;
      // An exception in one request must not end the process for all other requests.
      try {
        route(request, response, url);
      } catch (error) {
        fail(response, error);
      }
    }
    return true;
  }

  function route(request: http.IncomingMessage, response: http.ServerResponse, url: string): void {
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
    if (request.method === 'OPTIONS') return answerPreflight(response);
    const at = path.startsWith('/api/') ? path.indexOf('/', '/api/serve/'.length) : '/m'.length;
    const name = at < 0 ? path : path.slice(0, at);
    const rest = at < 0 ? '' : path.slice(at + 1);
    const getting = request.method === 'GET';
    const reading = getting || request.method === 'HEAD';

    switch (name) {
      case '/api/serve/ads':
        if (!getting) return refuseMethod(response, 'GET');
        const answered = answerAds(decisionParts, request, response, query);
        return answered ? guard(response, answered) : undefined;
      case '/api/serve/view':
        // Video players report by loading an image, where the tag sends a POST.
        if (!getting && request.method !== 'POST') return refuseMethod(response, 'GET, POST');
        return guard(response, answerView(eventParts, request, response, rest, query));
      case '/api/serve/click':
        if (!getting) return refuseMethod(response, 'GET');
        return guard(response, answerClick(eventParts, request, response, rest));
      case '/api/serve/zone':
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        if (zoneWatch.zones.size > 0) zoneWatch.script(rest, request.headers.origin ?? '');
        answerScript(tag, request, response);
        return whenRead(response, rest, () => notePage(rest));
      case '/api/serve/landing.js':
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return answerScript(landingScript, request, response);
      case POSTS_PATH:
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return answerScript(postsScript, request, response);
      case FACTS_PATH:
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return answerScript(factsScript, request, response);
      case PLACEMENT_PATH:
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return answerScript(placementScript, request, response);
      case '/api/serve/placement':
        if (request.method !== 'POST') return refuseMethod(response, 'POST');
        return guard(response, answerPlacement(placementParts, request, response, { token: rest, query }));
      case LANDING_REPORTS:
        if (request.method !== 'POST') return refuseMethod(response, 'POST');
        return guard(response, answerLanding(eventParts, response, rest));
      case '/api/serve/vast':
        if (!getting) return refuseMethod(response, 'GET');
        const player = readPlayerZone(vastParts, rest);
        return whenRead(response, player.zonePublicId, () => {
          notePage(player.zonePublicId);
          answerVast(vastParts, request, response, player);
        });
      case '/api/serve/vast-address':
        if (!getting) return refuseMethod(response, 'GET');
        return whenRead(response, rest, () => answerVastAddress(vastParts, request, response, rest));
      case '/api/serve/vast-error':
        if (!getting) return refuseMethod(response, 'GET');
        return answerPlayerError(vastParts, response, rest, query);
      case '/api/serve/why':
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return guard(response, answerWhy(ctx, request, response, rest));
      case '/z':
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return whenRead(response, rest, () => {
          notePage(rest);
          answerFrame(frameParts, request, response, rest, url.endsWith('?test'));
        });
      case '/m':
        if (!reading) return refuseMethod(response, 'GET, HEAD');
        return guard(
          response,
          answerCreative(ctx, request, response, { name: rest, still: query === STILL }),
        );
      default:
        return refuse(response, 404, 'Not found');
    }
  }

  /** Calls `act` when all that is known of the zone with this public id is in memory, at once if it is. */
  function whenRead(response: http.ServerResponse, publicId: string, act: () => void): void {
    const reading = coldZones.untilRead([publicId]);
    if (reading) guard(response, reading.then(act));
    else act();
  }

  /** Notes that a page, frame or player loaded the script or the document that shows this zone. */
  function notePage(publicId: string): void {
    const zone = snapshot.zone(publicId);
    if (zone) traits.tagLoaded(zone.id, now().getTime());
  }

  function fail(response: http.ServerResponse, error: unknown): void {
    const { headers, method, url = '' } = response.req;
    const requestId = requestIdOf(headers);
    const route = `${/^\/(?:api\/serve\/[^/?]*|[mz])/.exec(url)?.[0]}/*`;
    ctx.log.error({ requestId, method, route, err: error }, 'an ad-serving request failed');
    if (response.headersSent) return void response.destroy();
    response.setHeader('X-Request-Id', requestId);
    answerBusy(response);
  }

  function guard(response: http.ServerResponse, answered: Promise<void>): void {
    answered.catch((error: unknown) => fail(response, error));
  }

  let turns = 0;
  let flushes = 0;
  let lastFlush = Promise.resolve();

  /** Waits for the flush before, so that all earlier figures are stored when this one ends, also those that it put back. */
  async function flush(write = flushAll): Promise<void> {
    lastFlush = lastFlush.catch(() => {}).then(write);
    await lastFlush;
  }

  async function flushAll(): Promise<void> {
    await flushFigures();
    await traits.flush();
    await flushSoon();
  }

  async function flushFigures(): Promise<void> {
    // Before the counts, so that a fault that they show finds its facts.
    const facts = await Promise.allSettled([refusedFacts.flush()]);
    await hourlyCounts.flush();
    await tagSeen.flush();
    // They only explain, so the counts do not wait until they can be written.
    if (facts[0].status === 'rejected') throw facts[0].reason;
  }

  async function flushSoon(): Promise<void> {
    await zoneWatch.flush();
    await forwarding.flush();
  }

  /** Of six servers, each writes its figures every sixth time, so that all of them write as often as one alone. [SCALE-53] */
  async function flushTurn(): Promise<void> {
    turns += 1;
    if (turns % eventLog.servers() === 0) {
      flushes += 1;
      await flushFigures();
      if (flushes % FLUSHES_PER_TRAITS === 0) await traits.flush();
    }
    await flushSoon();
  }

  function flushLater(): void {
    flushTimer = setTimeout(() => {
      // A failed flush keeps its rows for the next one.
      void flush(flushTurn)
        .catch(() => {})
        .finally(() => {
          if (started) flushLater();
        });
    }, FLUSH_MS);
  }

  return {
    handle,
    refresh: changes.refresh,
    flush: () => flush(),
    zoneWatch,
    landingTokens,
    zoneNow: async (publicId) => {
      await coldZones.untilRead([publicId]);
      const zone = snapshot.zone(publicId) ?? (await loadZoneOfCell(ctx, publicId));
      return zone ? showingNow(zone, now().getTime()) : null;
    },
    figures: () => ({
      tally,
      backlog: eventLog.backlog(),
      isLogUnsynced: eventLog.condition().unsynced,
      snapshotMs: changes.ageMs(),
      partitionsOwned: eventLog.partitionsOwned(),
    }),
    ready: () => started && changes.isLoaded(),
    problems: () => [changes.problem(), eventLog.condition().problem].filter((problem) => problem !== null),
    start: async () => {
      const script = (name: string) => readScript(options.tagDirectory, name, config.deliveryUrl);
      tag = await script('tag.js');
      landingScript = await script('landing.js');
      postsScript = await script('posts.js');
      factsScript = await script('facts.js');
      placementScript = await script('placement.js');
      await countries.start();
      await dataCentres.start();
      await changes.start();
      await eventLog.start();
      started = true;
      flushLater();
    },
    stop: async () => {
      started = false;
      clearTimeout(flushTimer);
      dataCentres.stop();
      await changes.stop();
      await eventLog.stop();
      await flush().catch(() => {});
    },
  };
}

/** In bytes; infinite for a chunked body, because the server would have to read it to learn its length. */
function bodyLengthOf({ headers }: http.IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function refuseMethod(response: http.ServerResponse, allowed: string): void {
  refuse(response, 405, `Use ${allowed}.`, ['Allow', allowed]);
}

function answerPreflight(response: http.ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
    // Pages add headers of their own to each request. Without credentials, the star means all but Authorization.
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end();
}
