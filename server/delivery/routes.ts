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
import { type Route, route } from '#server/platform/http/route.ts';
import { createKey, removeKey, showKey } from './clicks/conversion-keys.ts';
import { convert, results, zoneResults } from './clicks/conversions.ts';
import { explainAd, explainZone, type ZoneNow } from './explain/explain.ts';
import { expectFault, faults } from './faults/faults.ts';
import { pollZoneWatch } from './zone-watch/watch-zone.ts';
import { landClick } from './clicks/land-click.ts';
import type { LandingTokens } from './tokens/landing-tokens.ts';
import type { SampleLinks } from './zone-watch/sample-links.ts';
import type { ZoneWatcher } from './zone-watch/zone-watch.ts';

/**
 * Calls that need the ad server of this process: what it would serve now, what it sees of a zone under test, and the
 * tokens of landings.
 */
export function deliveryRoutes({
  zoneNow,
  zoneWatch,
  sampleLinks,
  landingTokens,
}: {
  zoneNow: ZoneNow;
  zoneWatch: ZoneWatcher;
  sampleLinks: SampleLinks;
  landingTokens: LandingTokens;
}): Route[] {
  return [
    route(getAdShowing, { access: 'user', right: 'ads' }, explainAd(zoneNow)),
    route(getZoneShowing, { access: 'user', right: 'ads' }, explainZone(zoneNow)),
    route(listFaults, { access: 'seller', right: 'ads' }, faults),
    route(setFaultExpected, { access: 'seller', right: 'change' }, expectFault),
    // It changes nothing but for how long the page watches.
    route(watchZone, { access: 'user', right: 'ads' }, pollZoneWatch(zoneWatch, sampleLinks)),
    // The token is the proof, so an advertiser's server needs no account.
    route(reportLanding, { access: 'anyone' }, landClick(landingTokens)),
    // Public, because the pages of advertisers call it.
    route(reportConversion, { access: 'anyone', public: true }, convert(landingTokens)),
    route(getConversionKey, { access: 'user', right: 'ads' }, showKey),
    route(createConversionKey, { access: 'buyer', right: 'change' }, createKey),
    route(removeConversionKey, { access: 'user', right: 'change' }, removeKey),
    route(getResults, { access: 'user', right: 'figures' }, results),
    route(getZoneResults, { access: 'user', right: 'figures' }, zoneResults),
  ];
}
