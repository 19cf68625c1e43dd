import { isLandingEvent, type LoggedEvent, type Uncounted } from '../event-log.ts';

type Numbers = { views: number; clicks: number };
type Entry = { sequence: number; order: number; since: number; ads: Map<number, Numbers> };

/** Above this number, neighboring entries are merged. They are released a little later, and memory stays bounded. */
const MAX_ENTRIES = 512;

/**
 * Counts, for each ad, the events that the stream has acknowledged to this server and that are not counted yet. A
 * reservation expires after a minute, but an acknowledged view stays here until the counters include it.
 */
export function createUncounted() {
  let entries: Entry[] = [];
  let lastOrder = 0;
  const totals = new Map<number, Numbers>();

  const total = (adId: number): Uncounted => ({ adId, ...(totals.get(adId) ?? { views: 0, clicks: 0 }) });

  function merge(): void {
    const merged: Entry[] = [];
    for (let at = 0; at < entries.length; at += 2) {
      const [first, second] = entries.slice(at, at + 2) as [Entry, Entry?];
      if (second) for (const [adId, numbers] of second.ads) addTo(first.ads, adId, numbers, 1);
      merged.push({
        ads: first.ads,
        sequence: Math.max(first.sequence, second?.sequence ?? 0),
        order: second?.order ?? first.order,
        since: first.since,
      });
    }
    entries = merged;
  }

  return {
    /** Notes the events of one message. Returns the totals that changed. */
    add(sequence: number, events: readonly LoggedEvent[]): Uncounted[] {
      const ads = new Map<number, Numbers>();
      for (const event of events) {
        if (isLandingEvent(event) || event.reason !== null || event.kind === 'rendered') continue;
        const { adId, kind } = event;
        const one = kind === 'view' ? { views: 1, clicks: 0 } : { views: 0, clicks: 1 };
        addTo(ads, adId, one, 1);
        addTo(totals, adId, one, 1);
      }
      if (ads.size === 0) return [];
      entries.push({ sequence, order: ++lastOrder, since: performance.now(), ads });
      if (entries.length > MAX_ENTRIES) merge();
      return [...ads.keys()].map(total);
    },
    /** How long the oldest entry has been waiting, in milliseconds. */
    oldestMs: (): number => (entries[0] ? performance.now() - entries[0].since : 0),
    empty: (): boolean => entries.length === 0,
    /** A mark after all entries so far, for `due`. */
    mark: (): number => lastOrder,
    /** The entries to release: all up to a sequence number of the stream, and all up to a mark. */
    due(sequence: number, mark: number): { ads: number[]; release: () => Uncounted[] } {
      const dueEntries = entries.filter((entry) => entry.sequence <= sequence || entry.order <= mark);
      const ads = [...new Set(dueEntries.flatMap((entry) => [...entry.ads.keys()]))];
      return {
        ads,
        release: () => {
          entries = entries.filter((entry) => !dueEntries.includes(entry));
          for (const { ads: numbers } of dueEntries) {
            for (const [adId, each] of numbers) addTo(totals, adId, each, -1);
          }
          const changed = ads.map(total);
          for (const { adId, views, clicks } of changed) if (views + clicks === 0) totals.delete(adId);
          return changed;
        },
      };
    },
  };
}

function addTo(map: Map<number, Numbers>, adId: number, numbers: Numbers, sign: 1 | -1): void {
  const known = map.get(adId);
  if (known) {
    known.views += sign * numbers.views;
    known.clicks += sign * numbers.clicks;
  } else map.set(adId, { ...numbers });
}
