import { chooseAd } from '../decision/choose-ad.ts';
import type { DecisionParts } from '../decision/decide.ts';
import type { LiveAd } from '../snapshot/snapshot.ts';
import type { Page } from '../traffic/traffic.ts';

/** Behind a zone's name it asks for a test: the real choice, of which nothing is counted. */
export const TEST_MARK = '~test';

/**
 * What the test page of a zone is answered, or null where the name means none. The choice is the real one; its tokens say
 * that it was a test (as the 'forced' nonce of EthicalAds), so that nothing is reserved, recorded or billed.
 */
export function answerTest(parts: DecisionParts, name: string, page: Page, nowMs: number): string | null {
  if (!name.endsWith(TEST_MARK)) return null;
  const zone = parts.snapshot.zone(name.slice(0, -TEST_MARK.length).toLowerCase());
  if (!zone) return null;
  const ad = chooseAd(zone, null, nowMs);
  const answer = ad ? offerTest(parts, ad, page, nowMs) : zone.houseFragment;
  parts.zoneWatch.request(zone, ad, answer, { origin: '', reason: null, isTest: true });
  return answer;
}

function offerTest(parts: DecisionParts, ad: LiveAd, page: Page, nowMs: number): string {
  const decision = { subject: ad.subject, reason: null, origin: page.hash, isTest: true };
  const tokens = parts.tokens.issue(decision, nowMs);
  return `${ad.fragment}${tokens.view}","click":"${parts.clickUrl}${tokens.click}"}`;
}
