/** Sums of events by ad, kind and reason, and how two of them differ. */
import { createHash } from 'node:crypto';
import { utcDay } from '#domain/time.ts';
import type { ArchivedEvent } from './parquet.ts';

/** Numbers of events by `AD KIND REASON`, where the reason of a counted event is ''. */
export type Sums = Map<string, number>;

export const sumKey = (adId: number, kind: string, reason: string | null): string =>
  `${adId} ${kind} ${reason ?? ''}`;

/** Takes events in order, and knows their number, their digest and their sums by the day on which they were received. */
export function createTally() {
  const hash = createHash('sha256');
  const days = new Map<string, Sums>();
  let rows = 0;
  return {
    add(events: readonly ArchivedEvent[]): void {
      rows += events.length;
      const lines: string[] = [];
      for (const { decisionId, kind, adId, zoneId, issuedAt, receivedAt, reason } of events) {
        lines.push(
          `${decisionId} ${kind} ${adId} ${zoneId} ${issuedAt.getTime()} ${receivedAt.getTime()} ${reason ?? ''}\n`,
        );
        add(sumsOf(days, utcDay(receivedAt)), sumKey(adId, kind, reason), 1);
      }
      hash.update(lines.join(''));
    },
    end: () => ({ rows, digest: hash.digest('hex'), days }),
  };
}
export type Tallied = ReturnType<ReturnType<typeof createTally>['end']>;

function sumsOf(days: Map<string, Sums>, day: string): Sums {
  const sums = days.get(day) ?? new Map<string, number>();
  days.set(day, sums);
  return sums;
}

function add(sums: Sums, key: string, n: number): void {
  sums.set(key, (sums.get(key) ?? 0) + n);
}

export function added(all: readonly Sums[]): Sums {
  const total: Sums = new Map();
  for (const sums of all) for (const [key, n] of sums) add(total, key, n);
  return total;
}

/**
 * In words, what differs between the archive and the counters. `mayLack`: events of some ads were received on the day and
 * are known to neither of us, so the counters of these ads may be higher.
 */
export function differencesOf(archived: Sums, counted: Sums, mayLack: (adId: number) => boolean): string[] {
  const differences: string[] = [];
  for (const key of new Set([...archived.keys(), ...counted.keys()])) {
    const [found, expected] = [archived.get(key) ?? 0, counted.get(key) ?? 0];
    const [adId = '', kind = '', reason = ''] = key.split(' ');
    if (found === expected || (found < expected && mayLack(Number(adId)))) continue;
    differences.push(
      `ad ${adId}, ${kind}, ${reason || 'counted'}: ${found} in the archive and ${expected} in the counters`,
    );
  }
  return differences;
}
