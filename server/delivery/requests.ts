import { FACTS_PATH, POSITION_PATH, POSTS_PATH, SAMPLE_PATH, STILL } from '#domain/delivery/wire.ts';
import type { Context } from '#server/platform/context.ts';
import type { Request, Response } from '#server/platform/http/raw-answer.ts';
import { answerAds } from './ad-request.ts';
import { createClickTargets } from './clicks/click-target.ts';
import { createFrequencyCap } from './decision/frequency-cap.ts';
import { answerClick, answerLanding, answerView } from './event.ts';
import { createEventJudge } from './event-judge.ts';
import { createEventNotes } from './event-notes.ts';
import { answerWhy } from './explain/why.ts';
import { answerCreative, type ScriptName, type Scripts } from './formats/files.ts';
import { answerFrame } from './formats/frame.ts';
import { createTestViews } from './formats/test-zone.ts';
import {
  answerPlayerError,
  answerVast,
  answerVastAddress,
  playerErrorLog,
  readPlayerZone,
} from './formats/vast.ts';
import type { Parts } from './parts.ts';
import { createPositionSample } from './position/position-sample.ts';
import { answerPosition } from './position/report.ts';
import { createFactsOf } from './targeting/visitor-facts.ts';
import { createVisitors } from './traffic/visitors.ts';
import { createVotes } from './traffic/votes.ts';

/** Servers of advertisers send JSON here, so Fastify answers. */
export const LANDING_REPORTS = '/api/serve/landings';
export const CONVERSION_REPORTS = '/api/serve/conversions';

/** `rest` is the path after the name of the call. An answer that waits returns its promise. */
type Answer = (
  request: Request,
  response: Response,
  rest: string,
  query: string,
) => Promise<void> | null | void;
export type ServingCall = { methods: readonly string[]; answer: Answer };

const get = (answer: Answer): ServingCall => ({ methods: ['GET'], answer });
const read = (answer: Answer): ServingCall => ({ methods: ['GET', 'HEAD'], answer });
const post = (answer: Answer): ServingCall => ({ methods: ['POST'], answer });

/** The calls of the ad server, by the first part of their paths. */
export function servingCalls(ctx: Context, parts: Parts, scripts: Scripts): ReadonlyMap<string, ServingCall> {
  return new Map(
    Object.entries({
      ...adCalls(ctx, parts, scripts),
      ...reportCalls(ctx, parts),
      ...fileCalls(ctx, scripts),
    }),
  );
}

/** The calls that show the ads of a zone. */
function adCalls(ctx: Context, parts: Parts, scripts: Scripts): Record<string, ServingCall> {
  const { snapshot, zoneWatch } = parts;
  const { deliveryUrl } = ctx.config;
  const decision = decisionParts(ctx, parts);
  const vast = { ...decision, serveUrl: `${deliveryUrl}/api/serve/`, onPlayerError: playerErrorLog(ctx) };
  const frame = { ...parts, deliveryUrl };

  /** Calls `act` when all that is known of the zone with this public id is in memory, at once if it is. */
  function whenRead(publicId: string, act: () => void): Promise<void> | null {
    const reading = parts.coldZones.untilRead([publicId]);
    if (reading) return reading.then(act);
    act();
    return null;
  }

  /** Notes that a page, frame or player loaded the script or the document that shows this zone. */
  function notePage(publicId: string): void {
    const zone = snapshot.zone(publicId);
    if (zone) parts.traits.tagLoaded(zone.id, ctx.now().getTime());
  }

  return {
    '/api/serve/ads': get((request, response, _, query) => answerAds(decision, request, response, query)),
    '/api/serve/zone': read((request, response, zone) => {
      if (zoneWatch.zones.size > 0) zoneWatch.script(zone, request.headers.origin ?? '');
      scripts.answer('tag.js', request, response);
      return whenRead(zone, () => notePage(zone));
    }),
    '/api/serve/vast': get((request, response, name) => {
      const player = readPlayerZone(vast, name);
      return whenRead(player.zonePublicId, () => {
        notePage(player.zonePublicId);
        answerVast(vast, request, response, player);
      });
    }),
    '/api/serve/vast-address': get((request, response, zone) =>
      whenRead(zone, () => answerVastAddress(vast, request, response, zone)),
    ),
    '/api/serve/vast-error': get((_, response, token, query) =>
      answerPlayerError(vast, response, token, query),
    ),
    '/z': read((request, response, zone) =>
      whenRead(zone, () => {
        notePage(zone);
        answerFrame(frame, request, response, zone, request.url?.endsWith('?test') === true);
      }),
    ),
  };
}

/** The calls by which pages and players report what happened with an ad. */
function reportCalls(ctx: Context, parts: Parts): Record<string, ServingCall> {
  const event = eventParts(ctx, parts);
  return {
    '/api/serve/view': {
      // Video players report by loading an image, where the tag sends a POST.
      methods: ['GET', 'POST'],
      answer: (request, response, token, query) => answerView(event, request, response, token, query),
    },
    '/api/serve/click': get((request, response, token) => answerClick(event, request, response, token)),
    [LANDING_REPORTS]: post((_, response, token) => answerLanding(event, response, token)),
    '/api/serve/placement': post((request, response, token, query) =>
      answerPosition(parts, request, response, { token, query }),
    ),
  };
}

function fileCalls(ctx: Context, scripts: Scripts): Record<string, ServingCall> {
  const script = (name: ScriptName) => read((request, response) => scripts.answer(name, request, response));
  return {
    '/api/serve/landing.js': script('landing.js'),
    [POSTS_PATH]: script('posts.js'),
    [FACTS_PATH]: script('facts.js'),
    [POSITION_PATH]: script('placement.js'),
    [SAMPLE_PATH]: script('sample.js'),
    '/api/serve/why': read((request, response, ad) => answerWhy(ctx, request, response, ad)),
    '/m': read((request, response, name, query) =>
      answerCreative(ctx, request, response, { name, still: query === STILL }),
    ),
  };
}

function decisionParts({ config }: Context, parts: Parts) {
  return {
    ...parts,
    frequency: createFrequencyCap(parts.networkNumberOf),
    factsOf: createFactsOf(parts.addressOf, parts.countries),
    // The number changes with what the tag and the module tell each other, because browsers keep the module for an hour.
    factsUrl: `${config.deliveryUrl}${FACTS_PATH}?2`,
    positionUrl: config.deliveryUrl + POSITION_PATH,
    sampleUrl: config.deliveryUrl + SAMPLE_PATH,
    positionSample: createPositionSample(),
    clickUrl: `${config.deliveryUrl}/api/serve/click/`,
    onServed: parts.recentlyServed.note,
  };
}

function eventParts({ config }: Context, parts: Parts) {
  const { hourlyCounts, snapshot, productionRules } = parts;
  return {
    ...parts,
    judge: createEventJudge({
      ...parts,
      visitors: createVisitors({ productionRules, fleet: snapshot.fleet }),
    }),
    notes: createEventNotes({ ...parts, votes: createVotes(hourlyCounts) }),
    needsProof: productionRules,
    testViews: createTestViews(),
    targets: createClickTargets({ ...parts, publicUrl: config.publicUrl }),
  };
}
