import type { WatchedRequest, ZoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import type { SightingRow } from './store.ts';

/** The wire form of the sightings: each request with the events that followed it. */
export function zoneWatchReply(
  rows: readonly SightingRow[],
): Pick<ZoneWatch, 'requests' | 'script' | 'unknown'> {
  const script = rows.findLast(({ kind }) => kind === 'script');
  const unknown = rows.findLast(({ kind }) => kind === 'unknown');
  return {
    requests: rows
      .filter(({ kind }) => kind === 'request')
      .map((row) => requestReply(row, rows))
      .toReversed(),
    script: script ? { at: script.seenAt.toISOString(), origin: script.origin } : null,
    unknown: unknown ? { at: unknown.seenAt.toISOString(), asked: unknown.asked ?? '' } : null,
  };
}

function requestReply(row: SightingRow, rows: readonly SightingRow[]): WatchedRequest {
  const followed = (kind: SightingRow['kind']) => {
    // Show the first event of each kind, because a repeated one is not counted.
    const found = rows.find((each) => each.kind === kind && each.decision === row.decision);
    return found && row.decision !== null ? { afterMs: found.afterMs ?? 0, reason: found.reason } : null;
  };
  return {
    id: row.id,
    at: row.seenAt.toISOString(),
    origin: row.origin,
    isTest: row.isTest,
    // Only a sample ad has events and no ad.
    isSample: row.decision !== null && row.adId === null,
    ad: row.adId === null ? null : { title: row.title ?? '' },
    reason: row.reason,
    rendered: followed('rendered'),
    view: followed('view'),
    click: followed('click'),
  };
}
