import { adStyle } from '#domain/delivery/ad-style.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { asciiJson } from '#server/platform/http/raw-answer.ts';
import { chooseAd, creativeOf } from '../decision/choose-ad.ts';
import type { AdClient, DecisionParts } from '../decision/decide.ts';
import { adAnswer, fragmentOf, houseAnswer } from '../snapshot/fragments.ts';
import type { LiveAd, LiveZone } from '../snapshot/snapshot.ts';
import { subjectOf } from '../tokens/tokens.ts';
import type { Page } from '../traffic/traffic.ts';

/** This suffix of a zone's name requests a test: the ad is chosen as usual, but nothing is counted. */
export const TEST_MARK = '~test';

/** The ad zone of the receipt on /demo. It has no row in the database. */
export const DEMO_ZONE = 'demo';

/**
 * The answer for the test page of a zone, or null if the name does not request a test. The selector chooses the ad as
 * usual, except that limits do not apply, because the publisher wants to see the ads. The tokens mark it as a test, so that nothing is reserved, recorded or billed. [DEL-54]
 */
export function answerTest(
  parts: DecisionParts,
  name: string,
  client: AdClient,
  sample: string | null,
): string | null {
  const { page, nowMs, realMs } = client;
  const tested = testedIn(name);
  if (tested === null) return null;
  if (tested === DEMO_ZONE) return serveDemo(parts, page, realMs);
  const zone = parts.snapshot.zone(tested);
  if (!zone) return null;
  const ad = chooseAd(zone, null, nowMs);
  // The frame of the test page has no origin, and so does its request.
  if (!ad && isSampleFor(parts, zone, client, sample))
    return serveSample(parts, zone, name, { ...client, origin: '' });
  const answer = ad ? serveTest(parts, ad, page, realMs) : houseAnswer(zone.house);
  parts.zoneWatch.request(zone, ad, answer, { origin: '', reason: null, isTest: true });
  return answer;
}

/** The zone that such a name tests, or null. */
const testedIn = (name: string): string | null =>
  name.endsWith(TEST_MARK) ? name.slice(0, -TEST_MARK.length).toLowerCase() : null;

/** Whether the name requests the test of a zone that its publisher watches now, and so may see a sample ad. */
export function isTestOfWatched(
  { snapshot, zoneWatch }: Pick<DecisionParts, 'snapshot' | 'zoneWatch'>,
  name: string,
): boolean {
  const tested = testedIn(name);
  const zone = tested === null ? undefined : snapshot.zone(tested);
  return zone !== undefined && zoneWatch.zones.has(zone.id);
}

/** Whether the request may see a sample ad in the zone. */
export function isSampleFor(
  { sampleLinks }: Pick<DecisionParts, 'sampleLinks'>,
  zone: LiveZone,
  { request, realMs }: AdClient,
  sample: string | null,
): boolean {
  return sample !== null && sampleLinks.isValid(sample, zone.publicId, request, realMs);
}

function serveTest(parts: DecisionParts, ad: LiveAd, page: Page, realMs: number): string {
  const { subject, fragment } = creativeOf(ad);
  const decision = { subject, reason: null, origin: page.hash, use: 'test' } as const;
  return adAnswer(fragment, parts.tokens.issue(decision, realMs), parts.clickUrl);
}

/**
 * A sample ad, which a publisher sees on the own page or the test page before the first sale. Its tokens are those of a test
 * and name no ad, so its view is never billed.
 */
export function serveSample(
  { tokens, clickUrl, zoneWatch }: DecisionParts,
  zone: LiveZone,
  name: string,
  { page, origin, realMs }: AdClient,
): string {
  const subject = subjectOf({ zoneId: zone.id, adId: 0, video: false, creative: 0 });
  const issued = tokens.issue({ subject, reason: null, origin: page.hash, use: 'test' }, realMs);
  const texts: Partial<ServedAd> = {
    zone: name,
    kind: 'text',
    title: 'Sample ad',
    text: 'Only you see this. It is not counted or billed.',
    area: zone.area,
  };
  const fragment = fragmentOf(texts, zone.textStyle, { view: new URL('../view/', clickUrl).href }, '');
  // The view ends the fragment, as that of an ad does.
  const answer = adAnswer({ ...fragment, after: fragment.after.slice(0, -1) }, issued, clickUrl);
  zoneWatch.request(zone, null, answer, { origin, reason: null, isTest: true });
  return answer;
}

/** Our own ad. Its tokens are those of a test and name no ad and no zone, so its view is never billed. */
function serveDemo({ tokens, clickUrl }: DecisionParts, page: Page, realMs: number): string {
  const subject = subjectOf({ zoneId: 0, adId: 0, video: false, creative: 0 });
  const { view, click } = tokens.issue({ subject, reason: null, origin: page.hash, use: 'test' }, realMs);
  const ad: ServedAd = {
    zone: DEMO_ZONE + TEST_MARK,
    kind: 'text',
    title: 'Watch this ad being counted',
    text: 'This is our own ad. It is never billed.',
    css: DEMO_STYLE,
    area: DEMO_SIZE.width * DEMO_SIZE.height,
    view: new URL(`../view/${view}`, clickUrl).href,
    click: clickUrl + click,
  };
  return asciiJson(ad);
}

const DEMO_SIZE = { width: 300, height: 250 };
const DEMO_STYLE = adStyle({ ...DEMO_SIZE, look: 'card', accent: null }, 'text');

/** Remembers which views of tests were reported, so that /demo can show that a repeated one does not count. */
export type TestViews = { verdictOf: (decisionId: string) => 'counted' | 'duplicate' };

/**
 * Any client can request tests, so the memory is bounded. A forgotten view is answered as counted again. It is never
 * billed.
 */
const MAX_TEST_VIEWS = 10_000;

export function createTestViews(): TestViews {
  const reported = new Set<string>();
  return {
    verdictOf: (decisionId) => {
      if (reported.has(decisionId)) return 'duplicate';
      if (reported.size >= MAX_TEST_VIEWS) reported.clear();
      reported.add(decisionId);
      return 'counted';
    },
  };
}
