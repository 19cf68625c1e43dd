import type { AdEvent, Uncounted } from '../event-log.ts';

type Numbers = { views: number; clicks: number };
type Entry = { sequence: number; place: number; ads: Map<number, Numbers> };

/** Beyond this many entries neighbours are joined: they are released a little later, and memory stays bounded. */
const MAX_ENTRIES = 512;

/**
 * What this copy of the server has had acknowledged by the stream and has not yet seen counted, by ad. It outlives the
 * promise of a decision, which lapses after a minute: an acknowledged view is no promise but a fact.
 */
export function createUncounted() {
  let entries: Entry[] = [];
  let places = 0;
  const totals = new Map<number, Numbers>();

  const total = (adId: number): Uncounted => ({ adId, ...(totals.get(adId) ?? { views: 0, clicks: 0 }) });

  function join(): void {
    const joined: Entry[] = [];
    for (let at = 0; at < entries.length; at += 2) {
      const [first, second] = entries.slice(at, at + 2) as [Entry, Entry?];
      if (second) for (const [adId, numbers] of second.ads) addTo(first.ads, adId, numbers, 1);
      joined.push({
        ads: first.ads,
        sequence: Math.max(first.sequence, second?.sequence ?? 0),
        place: second?.place ?? first.place,
      });
    }
    entries = joined;
  }

  return {
    /** Notes the events of one message. Returns the totals that changed. */
    add(sequence: number, events: readonly AdEvent[]): Uncounted[] {
      const ads = new Map<number, Numbers>();
      for (const { adId, kind, reason } of events) {
        if (reason !== null || kind === 'rendered') continue;
        const one = kind === 'view' ? { views: 1, clicks: 0 } : { views: 0, clicks: 1 };
        addTo(ads, adId, one, 1);
        addTo(totals, adId, one, 1);
      }
      if (ads.size === 0) return [];
      entries.push({ sequence, place: ++places, ads });
      if (entries.length > MAX_ENTRIES) join();
      return [...ads.keys()].map(total);
    },
    empty: (): boolean => entries.length === 0,
    /** A mark after what is noted now, for `released`. */
    mark: (): number => places,
    /** What can be released: all up to a sequence of the stream, and all noted before a mark. */
    due(sequence: number, mark: number): { ads: number[]; release: () => Uncounted[] } {
      const going = entries.filter((entry) => entry.sequence <= sequence || entry.place <= mark);
      const ads = [...new Set(going.flatMap((entry) => [...entry.ads.keys()]))];
      return {
        ads,
        release: () => {
          entries = entries.filter((entry) => !going.includes(entry));
          for (const { ads: numbers } of going) {
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
