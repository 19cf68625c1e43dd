import type { ServedAd } from '#domain/delivery/wire.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import { ZONE_WATCH_MS } from '#domain/delivery/zone-watch.ts';
import { later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';
import { addSightings, findZoneWatches, keepZoneWatch, type Sighting } from './store.ts';
import type { Claims, Tokens } from '../tokens/tokens.ts';
import { type Page, pageOf, siteOf } from '../traffic/traffic.ts';

/** How long sightings wait to be written together. */
const WRITE_MS = 150;
/** How many sightings may wait. Beyond this, new ones are dropped, so that a busy website does not slow the server. */
const MAX_WAITING = 40;
const MAX_NAME_LENGTH = 60;

type Watched = { publicId: string; site: string | null };

const NOTHING = { origin: null, decision: null, adId: null, reason: null, afterMs: null, asked: null };

/**
 * Records what this server sees of watched zones, for 'Test my zone'. The database holds the watches and the sightings
 * of all servers. Callers check `zones.size` first, so that a request costs nothing extra without a watch. [DEL-54]
 */
export function createZoneWatch(ctx: Context, tokens: Tokens) {
  let zones = new Map<number, Watched>();
  const { note, write } = createSightings(ctx);

  async function refresh(): Promise<void> {
    zones = await readWatched(ctx);
  }

  return {
    /** The watched zones, by id. */
    get zones(): ReadonlyMap<number, Watched> {
      return zones;
    },
    /** Notes that a page of the zone's website has loaded its script. */
    script(publicId: string, origin: string): void {
      const page = pageOf(origin);
      for (const [zoneId, watched] of zones)
        if (watched.publicId === publicId.toLowerCase() && isOf(ctx, watched, page, origin))
          note({ ...NOTHING, zoneId, kind: 'script', isTest: false, origin: named(origin) });
    },
    /** Notes that a page has requested an unknown zone, for the watched zones of the same website. */
    unknown(asked: string, page: Page, origin: string): void {
      for (const [zoneId, watched] of zones)
        // A paused zone is not in the snapshot, but it is not unknown.
        if (isOf(ctx, watched, page, origin) && asked.toLowerCase() !== watched.publicId)
          note({
            ...NOTHING,
            zoneId,
            kind: 'unknown',
            isTest: false,
            origin: named(origin),
            asked: asked.slice(0, MAX_NAME_LENGTH),
          });
    },
    /**
     * Notes a request for a watched zone, or by a test page. `answer` is JSON whose `view` is the view's URL or token.
     */
    request(
      zone: LiveZone,
      ad: LiveAd | null,
      answer: string,
      of: { origin: string; reason: Reason | null; isTest: boolean },
    ): void {
      if (!of.isTest && !zones.has(zone.id)) return;
      note({
        ...NOTHING,
        zoneId: zone.id,
        kind: 'request',
        isTest: of.isTest,
        origin: named(of.origin),
        decision: decisionIn(answer, tokens, ctx.realNow().getTime()),
        adId: ad?.id ?? null,
        reason: of.reason,
      });
    },
    /** Notes an event of an ad in a watched zone, or on a test page. */
    event(kind: EventKind, claims: Claims, reason: Reason | null, realMs: number): void {
      const isTest = claims.use === 'test';
      if (!isTest && !zones.has(claims.zoneId)) return;
      note({
        ...NOTHING,
        zoneId: claims.zoneId,
        kind,
        isTest,
        decision: claims.decisionId,
        adId: claims.adId === 0 ? null : claims.adId,
        reason,
        afterMs: Math.max(0, realMs - claims.issuedAtMs),
      });
    },
    /** Starts or extends the watch of a zone. Other servers follow within a second. */
    async keep(zoneId: number): Promise<void> {
      await keepZoneWatch(ctx.db, zoneId, later(ctx.now(), ZONE_WATCH_MS));
      if (!zones.has(zoneId)) await refresh();
    },
    /** Writes the waiting sightings, and reads which zones are watched. */
    async flush(): Promise<void> {
      await write();
      await refresh();
    },
  };
}
export type ZoneWatcher = ReturnType<typeof createZoneWatch>;

/** The origin, or null if it names no site. Sandboxed pages and files have the origin 'null'. */
function named(origin: string): string | null {
  return origin === '' || origin === 'null' ? null : origin;
}

async function readWatched(ctx: Context): Promise<Map<number, Watched>> {
  const rows = await findZoneWatches(ctx.db, ctx.now());
  return new Map(
    rows.map(({ zoneId, zone, websiteUrl }) => [zoneId, { publicId: zone, site: siteOf(websiteUrl) }]),
  );
}

/** The sightings that wait to be written together. */
function createSightings(ctx: Context) {
  let waiting: Sighting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function note(sighting: Omit<Sighting, 'seenAtMs'>): void {
    if (waiting.length >= MAX_WAITING) return;
    waiting.push({ ...sighting, seenAtMs: ctx.now().getTime() });
    timer ??= setTimeout(() => void write(), WRITE_MS);
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) writing = writeAfter(writing, batch);
    await writing;
  }

  /** Writes batches one after the other, so that an event is never stored before its request. */
  async function writeAfter(before: Promise<void>, sightings: readonly Sighting[]): Promise<void> {
    await before;
    try {
      await addSightings(ctx.db, sightings);
    } catch (error) {
      ctx.log.warn({ err: error }, 'sightings of a watched zone could not be saved and are lost');
    }
  }

  return { note, write };
}

/** Whether a page belongs to the watched zone's website. In development mode, local pages do. */
function isOf(ctx: Context, watched: Watched, page: Page, origin: string): boolean {
  if (page.site !== null && page.site === watched.site) return true;
  return ctx.config.developmentMode && page.local && named(origin) !== null;
}

/** The decision id in the view token of an answer; null without one. */
function decisionIn(answer: string, tokens: Tokens, realMs: number): string | null {
  const { view = '' } = JSON.parse(answer) as ServedAd;
  const reading = tokens.read(view.slice(view.lastIndexOf('/') + 1), 'view', realMs);
  return reading.state === 'valid' ? reading.claims.decisionId : null;
}
