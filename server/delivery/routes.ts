import { reportLanding } from '#domain/delivery/landings-contract.ts';
import {
  createConversionKey,
  getConversionKey,
  removeConversionKey,
} from '#domain/delivery/conversion-key-contract.ts';
import { getResults, getZoneResults, reportConversion } from '#domain/delivery/conversions-contract.ts';
import { listFaults, setFaultExpected } from '#domain/delivery/faults-contract.ts';
import { getAdShowing, getZoneShowing } from '#domain/delivery/showing-contract.ts';
import { watchZone } from '#domain/delivery/zone-watch-contract.ts';
import { type Route, route } from '../http/route.ts';
import { createKey, removeKey, showKey } from './conversion-keys.ts';
import { convert, results, zoneResults } from './conversions.ts';
import { explainAd, explainZone, type ZoneNow } from './explain/explain.ts';
import { expectFault, faults } from './faults/faults.ts';
import { pollZoneWatch } from './zone-watch/watch-zone.ts';
import { landClick } from './land-click.ts';
import type { LandingTokens } from './tokens/landing-tokens.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

/**
 * Calls that need the ad server of this process: what it would serve now, what it sees of a zone under test, and the
 * tokens of landings.
 */
export function deliveryRoutes({
  zoneNow,
  zoneWatch,
  landingTokens,
}: {
  zoneNow: ZoneNow;
  zoneWatch: ZoneWatcher;
  landingTokens: LandingTokens;
}): Route[] {
  return [
    route(getAdShowing, 'user', explainAd(zoneNow)),
    route(getZoneShowing, 'user', explainZone(zoneNow)),
    route(listFaults, 'seller', faults),
    route(setFaultExpected, 'seller', expectFault),
    route(watchZone, 'user', pollZoneWatch(zoneWatch)),
    // The token is the proof, so an advertiser's server needs no account.
    route(reportLanding, 'anyone', landClick(landingTokens)),
    // Public, because the pages of advertisers call it.
    route(reportConversion, 'anyone', convert(landingTokens), { isPublic: true }),
    route(getConversionKey, 'user', showKey),
    route(createConversionKey, 'buyer', createKey),
    route(removeConversionKey, 'user', removeKey),
    route(getResults, 'user', results),
    route(getZoneResults, 'user', zoneResults),
  ];
}
