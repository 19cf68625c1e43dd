import { hash } from 'node:crypto';
import type http from 'node:http';
import type { BilledKind } from '#domain/delivery/reasons.ts';
import { NETWORK_KEY_MS } from '#domain/invalid-traffic/signals.ts';
import { hourOf } from '#domain/time.ts';
import type { Database } from '#server/platform/database/database.ts';
import { networkOf } from './client-address.ts';
import { addTraits, type Cluster, NO_DELAY, type TagLoads } from './store.ts';

/** Drop new rows above this size, so that invented visitors cannot exhaust memory. */
const MAX_ROWS = 100_000;
const NETWORK_BUCKETS = 65_536;
const BROWSER_BUCKETS = 4096;

type Event = {
  kind: BilledKind;
  zoneId: number;
  adId: number;
  address: string;
  headers: http.IncomingHttpHeaders;
  /** The time of a view beyond the time that a view takes; null for a click. */
  delayMs: number | null;
};

/**
 * Counts the counted events of a zone by network, browser and delay, and how often its tag was loaded, for the hourly
 * comparison (server/delivery/invalid-traffic). A network is one of 65,536 buckets of a keyed hash, a browser one of 4,096. So a
 * row names neither: about 250 IPv4 networks share a bucket. All instances use the same key, so that their rows add up.
 * Rows are written in batches; a crash loses the last one. [SIVT-06]
 */
export function createTraits(db: Database, secret: string) {
  let clusters = new Map<string, Cluster & { n: number }>();
  let tagLoads = new Map<string, TagLoads>();
  let period = -1;
  let keyed = bucketsOf(secret, 0);

  function useKeyOf(nowMs: number): void {
    const current = Math.floor(nowMs / NETWORK_KEY_MS);
    if (current === period) return;
    period = current;
    keyed = bucketsOf(secret, nowMs);
  }

  function add(cluster: Cluster, n = 1): void {
    const name = `${cluster.hourMs}|${cluster.zoneId}|${cluster.adId}|${cluster.kind}|${cluster.network}|${cluster.browser}|${cluster.delay}`;
    const known = clusters.get(name);
    if (known) known.n += n;
    else if (clusters.size < MAX_ROWS) clusters.set(name, { ...cluster, n });
  }

  function addLoads(hourMs: number, zoneId: number, n = 1): void {
    const name = `${hourMs}|${zoneId}`;
    const known = tagLoads.get(name);
    if (known) known.n += n;
    else if (tagLoads.size < MAX_ROWS) tagLoads.set(name, { hourMs, zoneId, n });
  }

  return {
    /** Notes a counted view or click. */
    event({ kind, zoneId, adId, address, headers, delayMs }: Event, nowMs: number): void {
      useKeyOf(nowMs);
      add({
        hourMs: hourOf(nowMs),
        zoneId,
        adId,
        kind,
        network: keyed.network(address),
        browser: keyed.browser(headers),
        delay: delayMs === null ? NO_DELAY : Math.round(2 * Math.log2(Math.max(1, delayMs))),
      });
    },
    /** Notes that a page loaded the tag, or the document of a frame or player, which does without the tag. */
    tagLoaded(zoneId: number, nowMs: number): void {
      addLoads(hourOf(nowMs), zoneId);
    },
    flush: async (): Promise<void> => {
      if (clusters.size === 0 && tagLoads.size === 0) return;
      const [flushed, flushedLoads] = [clusters, tagLoads];
      clusters = new Map();
      tagLoads = new Map();
      try {
        await addTraits(db, [...flushed.values()], [...flushedLoads.values()]);
      } catch (error) {
        for (const { n, ...cluster } of flushed.values()) add(cluster, n);
        for (const { hourMs, zoneId, n } of flushedLoads.values()) addLoads(hourMs, zoneId, n);
        throw error;
      }
    },
  };
}
export type Traits = ReturnType<typeof createTraits>;

/** The buckets of networks and browsers at this time. */
export function bucketsOf(secret: string, nowMs: number) {
  const key = hash('sha256', `traits|${secret}|${Math.floor(nowMs / NETWORK_KEY_MS)}`);
  const bucketOf = (text: string, buckets: number): number =>
    Number.parseInt(hash('sha256', key + text).slice(0, 8), 16) % buckets;
  return {
    network: (address: string): number => bucketOf(networkOf(address), NETWORK_BUCKETS),
    browser: (headers: http.IncomingHttpHeaders): number =>
      bucketOf(
        `${headers['user-agent']}|${headers['accept-language']}|${String(headers['sec-ch-ua'])}`,
        BROWSER_BUCKETS,
      ),
  };
}
