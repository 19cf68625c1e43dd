import type { ServedAd } from '#domain/delivery/wire.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import { ZONE_WATCH_MS } from '#domain/delivery/zone-watch.ts';
import { later } from '#domain/time.ts';
import type { Context } from '#server/context.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';
import { addSightings, findZoneWatches, keepZoneWatch, type Sighting } from './store.ts';
import type { Claims, Tokens } from '../tokens/tokens.ts';
import { type Page, pageOf, siteOf } from '../traffic/traffic.ts';

/** How long sightings wait to be written together. */
const WRITE_MS = 150;
/** Sightings that may wait: a busy site's publisher sees some of its traffic, and the server does not suffer. */
const MAX_WAITING = 40;
const LONGEST_NAME = 60;

type Watched = { publicId: string; site: string | null };

const NOTHING = { origin: null, decision: null, adId: null, reason: null, afterMs: null, asked: null };

/**
 * What this copy of the server sees of zones that are being watched (DEL-54 to DEL-56). Who watches, and what all copies
 * saw, is in the database. Callers ask `zones.size` first, so that without a watch a request costs nothing more.
 */
export function createZoneWatch(ctx: Context, tokens: Tokens) {
  let zones = new Map<number, Watched>();
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
    const going = waiting;
    waiting = [];
    if (going.length > 0) writing = writeAfter(writing, going);
    await writing;
  }

  /** One after the other, so that what follows a request never stands before it. */
  async function writeAfter(before: Promise<void>, sightings: readonly Sighting[]): Promise<void> {
    await before;
    try {
      await addSightings(ctx.db, sightings);
    } catch (error) {
      ctx.log.warn({ err: error }, 'what was seen of a watched zone is lost');
    }
  }

  async function refresh(): Promise<void> {
    const rows = await findZoneWatches(ctx.db, ctx.now());
    zones = new Map(
      rows.map(({ zoneId, zone, websiteUrl }) => [zoneId, { publicId: zone, site: siteOf(websiteUrl) }]),
    );
  }

  return {
    /** Those that are watched. */
    get zones(): ReadonlyMap<number, Watched> {
      return zones;
    },
    /** A page of the zone's website has loaded its script. */
    script(publicId: string, origin: string): void {
      const page = pageOf(origin);
      for (const [zoneId, watched] of zones)
        if (watched.publicId === publicId.toLowerCase() && isOf(watched, page, origin))
          note({ ...NOTHING, zoneId, kind: 'script', isTest: false, origin: named(origin) });
    },
    /** A page has asked for a zone that is not there; noted for the watched zones of the same website. */
    unknown(asked: string, page: Page, origin: string): void {
      for (const [zoneId, watched] of zones)
        // A zone of one's own that is paused is there, though nothing is shown in it.
        if (isOf(watched, page, origin) && asked.toLowerCase() !== watched.publicId)
          note({
            ...NOTHING,
            zoneId,
            kind: 'unknown',
            isTest: false,
            origin: named(origin),
            asked: asked.slice(0, LONGEST_NAME),
          });
    },
    /** A page has asked for a watched zone, or the test page for any. `answer` is JSON that holds the view's address or token. */
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
        decision: ad ? decisionIn(answer) : null,
        adId: ad?.id ?? null,
        reason: of.reason,
      });
    },
    /** Something was reported of an ad in a watched zone, or on the test page. */
    event(kind: EventKind, claims: Claims, reason: Reason | null, nowMs: number): void {
      if (!claims.isTest && !zones.has(claims.zoneId)) return;
      note({
        ...NOTHING,
        zoneId: claims.zoneId,
        kind,
        isTest: claims.isTest,
        decision: claims.decisionId,
        adId: claims.adId,
        reason,
        afterMs: Math.max(0, nowMs - claims.issuedAtMs),
      });
    },
    /** Begins to watch a zone, or goes on; other copies of the server join within a second. */
    async keep(zoneId: number): Promise<void> {
      await keepZoneWatch(ctx.db, zoneId, later(ctx.now(), ZONE_WATCH_MS));
      if (!zones.has(zoneId)) await refresh();
    },
    /** Writes what waits, and learns who watches. */
    async flush(): Promise<void> {
      await write();
      await refresh();
    },
  };

  /** As the choice sees it: on a developer's own machine local pages are the site's. */
  function isOf(watched: Watched, page: Page, origin: string): boolean {
    if (page.site !== null && page.site === watched.site) return true;
    return ctx.config.developmentMode && page.local && named(origin) !== null;
  }

  /** The random name of a choice, out of the view's token in the answer. */
  function decisionIn(answer: string): string | null {
    const { view = '' } = JSON.parse(answer) as ServedAd;
    const reading = tokens.read(view.slice(view.lastIndexOf('/') + 1), 'view', ctx.now().getTime());
    return reading.state === 'valid' ? reading.claims.decisionId : null;
  }
}
export type ZoneWatcher = ReturnType<typeof createZoneWatch>;

/** Sandboxed pages and files have the origin 'null'. */
function named(origin: string): string | null {
  return origin === '' || origin === 'null' ? null : origin;
}
