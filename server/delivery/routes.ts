import { getAdShowing, getZoneShowing } from '#domain/delivery/showing.ts';
import { type Route, route } from '../http/route.ts';
import { explainAd, explainZone, type ZoneNow } from './explain.ts';

/** They ask the ad server of this process what it would do now. */
export function deliveryRoutes({ zoneNow }: { zoneNow: ZoneNow }): Route[] {
  return [
    route(getAdShowing, 'user', explainAd(zoneNow)),
    route(getZoneShowing, 'user', explainZone(zoneNow)),
  ];
}
