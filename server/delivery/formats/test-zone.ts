import { chooseAd } from '../decision/choose-ad.ts';
import type { AdClient, DecisionParts } from '../decision/decide.ts';
import type { LiveAd } from '../snapshot/snapshot.ts';
import type { Page } from '../traffic/traffic.ts';

/** This suffix of a zone's name requests a test: the ad is chosen as usual, but nothing is counted. */
export const TEST_MARK = '~test';

/**
 * The answer for the test page of a zone, or null if the name does not request a test. The selector chooses the ad as
 * usual. The tokens mark it as a test, so that nothing is reserved, recorded or billed. [DEL-54]
 */
export function answerTest(
  parts: DecisionParts,
  name: string,
  { page, nowMs, realMs }: AdClient,
): string | null {
  if (!name.endsWith(TEST_MARK)) return null;
  const zone = parts.snapshot.zone(name.slice(0, -TEST_MARK.length).toLowerCase());
  if (!zone) return null;
  const ad = chooseAd(zone, null, nowMs);
  const answer = ad ? serveTest(parts, ad, page, realMs) : zone.houseFragment;
  parts.zoneWatch.request(zone, ad, answer, { origin: '', reason: null, isTest: true });
  return answer;
}

function serveTest(parts: DecisionParts, ad: LiveAd, page: Page, realMs: number): string {
  const decision = { subject: ad.subject, reason: null, origin: page.hash, isTest: true };
  const tokens = parts.tokens.issue(decision, realMs);
  return `${ad.fragment}${tokens.view}","click":"${parts.clickUrl}${tokens.click}"}`;
}
