import { getAdShowing, getZoneShowing } from '#domain/delivery/showing.ts';
import { watchZone } from '#domain/delivery/zone-watch.ts';
import { type Route, route } from '../http/route.ts';
import { explainAd, explainZone, type ZoneNow } from './explain/explain.ts';
import { pollZoneWatch } from './zone-watch/watch-zone.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

/** Calls that read the ad server of this process: what it would serve now, and what it sees of a zone under test. */
export function deliveryRoutes({
  zoneNow,
  zoneWatch,
}: {
  zoneNow: ZoneNow;
  zoneWatch: ZoneWatcher;
}): Route[] {
  return [
    route(getAdShowing, 'user', explainAd(zoneNow)),
    route(getZoneShowing, 'user', explainZone(zoneNow)),
    route(watchZone, 'user', pollZoneWatch(zoneWatch)),
  ];
}
