import type { Context } from '#server/platform/context.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';
import { createAgents } from './agents/agents.ts';
import { createAudience } from './audience/audience.ts';
import { createTagSeen } from './decision/tag-seen.ts';
import { createRecentlyServed } from './decision/recently-served.ts';
import { createHourlyCounts } from './event-log/hourly-counts.ts';
import { createEventLog } from './event-log/open-event-log.ts';
import { createTally } from './event-log/tally.ts';
import { createPositionTokens } from './position/position-tokens.ts';
import { followChanges } from './snapshot/changes/changes.ts';
import { createColdZones } from './snapshot/cold-zones.ts';
import { createSnapshot } from './snapshot/snapshot.ts';
import { createCountries } from './targeting/countries.ts';
import { createLandingTokens } from './tokens/landing-tokens.ts';
import { createSiteProof } from './tokens/site-proof.ts';
import { createTokens } from './tokens/tokens.ts';
import { createClientAddress } from './traffic/client-address.ts';
import { createDataCentres } from './traffic/data-centres/data-centres.ts';
import { createRefusedFacts } from './traffic/refused-facts.ts';
import { createHeaderRules } from './traffic/request-headers.ts';
import { createTraits } from './traffic/traits.ts';
import { createForwardingNotice } from './traffic/untrusted-forwarding.ts';
import { createSampleLinks } from './zone-watch/sample-links.ts';
import { createZoneWatch } from './zone-watch/zone-watch.ts';

/** The parts that requests share: the live ads, the keys of the tokens, and the counts that are not written yet. */
export type Parts = ReturnType<typeof createParts>;

export function createParts(ctx: Context, options: { databaseUrl: string; deliverySecrets: Secrets }) {
  const { config, now, realNow } = ctx;
  const { databaseUrl, deliverySecrets: secrets } = options;
  const productionRules = config.trafficRules === 'production';
  const snapshot = createSnapshot();
  const tokens = createTokens(secrets);
  const tally = createTally();
  const recentlyServed = createRecentlyServed(snapshot, now);
  const forwarding = createForwardingNotice(ctx);
  const changes = followChanges(ctx, { databaseUrl, snapshot, recentlyServedAds: recentlyServed.take });
  const { addressOf, networkNumberOf } = createClientAddress(config.trustedProxies, forwarding.note);
  return {
    realNow,
    now,
    aheadMs: ctx.clockAheadMs,
    db: ctx.db,
    productionRules,
    developmentMode: config.developmentMode && !productionRules,
    headerRules: productionRules ? createHeaderRules(config) : null,
    snapshot,
    changes,
    coldZones: createColdZones(snapshot, changes.readNames),
    recentlyServed,
    tokens,
    landingTokens: createLandingTokens(secrets),
    positionTokens: createPositionTokens(secrets),
    siteProof: createSiteProof(secrets),
    tally,
    hourlyCounts: createHourlyCounts(ctx.db),
    refusedFacts: createRefusedFacts(ctx.db, addressOf),
    agents: createAgents(ctx.db),
    audience: createAudience(ctx.db),
    traits: createTraits(ctx.db, secrets[0]),
    tagSeen: createTagSeen(ctx),
    zoneWatch: createZoneWatch(ctx, tokens),
    sampleLinks: createSampleLinks(secrets, addressOf),
    forwarding,
    addressOf,
    networkNumberOf,
    dataCentres: createDataCentres(config, ctx.log),
    countries: createCountries(config, ctx.log),
    eventLog: createEventLog(ctx, {
      databaseUrl,
      listener: { onCounted: snapshot.applyCounts, onUncounted: snapshot.applyUncounted },
      tally,
      publisherOf: (zoneId) => snapshot.zoneById(zoneId)?.publisherId,
    }),
  };
}
