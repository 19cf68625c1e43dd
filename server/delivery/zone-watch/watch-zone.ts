import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { FastifyRequest } from 'fastify';
import { MAX_REQUESTS, SAMPLE_MARK } from '#domain/delivery/zone-watch.ts';
import type { watchZone } from '#domain/delivery/zone-watch-contract.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { findOwnZone, findSightings, lastSighting } from './store.ts';
import { zoneWatchReply } from './reply.ts';
import type { SampleLinks } from './sample-links.ts';
import type { ZoneWatcher } from './zone-watch.ts';

/** Answers the zone's publisher. The first call starts the zone watch, and each further one extends it. */
export const pollZoneWatch =
  (zoneWatch: ZoneWatcher, sampleLinks: SampleLinks) =>
  async (
    ctx: Context,
    who: Caller,
    { params, body }: Parsed<typeof watchZone>,
    request: FastifyRequest,
  ): Promise<Reply<typeof watchZone>> => {
    const zone = await findOwnZone(ctx.db, params.ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    await zoneWatch.keep(zone.zoneId);
    // Each screen shows what has happened since it was opened.
    const from = body.from ?? (await lastSighting(ctx.db, zone.zoneId));
    const rows = await findSightings(ctx.db, zone.zoneId, from, MAX_REQUESTS);
    const sample = sampleLinks.issue(zone.zone, request.raw, ctx.realNow().getTime());
    return {
      from,
      testPage: `${ctx.config.deliveryUrl}/z/${zone.zone}?test`,
      sampleEnding: SAMPLE_MARK + sample,
      ...zoneWatchReply(rows),
    };
  };
