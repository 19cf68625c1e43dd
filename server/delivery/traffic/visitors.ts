import { hash, randomBytes } from 'node:crypto';
import { CLICK_INTERVAL_MS, judgeActivity } from '#domain/delivery/judge.ts';
import type { BilledKind, Reason } from '#domain/delivery/reasons.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { isLoopbackAddress, networkOf } from './client-address.ts';
import { createRecentCounts, type RecentCounts, withAd } from './recent-counts.ts';

/** Beyond this many clicks the oldest half is forgotten: memory is bounded, at worst a click more counts. */
const MAX_REMEMBERED = 200_000;

type Click = { decisionId: string; atMs: number };

/** An event with nothing else against it, and whose it is. */
export type Visit = {
  kind: BilledKind;
  adId: number;
  /** Visitors of different websites are different visitors. */
  websiteId: number;
  decisionId: string;
  address: string;
  userAgent: string;
  /** The visitor asks not to be told apart (Global Privacy Control): then only their network is looked at. */
  isPrivate: boolean;
};

/**
 * Remembers who did how much of late, in memory of a fixed size, and lets nobody do more than people do. A visitor is a
 * keyed hash of network, browser and website; the key is random and thrown away daily, so that nobody, we neither, can
 * tell who it was or follow them from place to place. Each copy of the server remembers what came to it alone.
 */
export function createVisitors() {
  const clicks = createClicks();
  const ofAdToday: Record<BilledKind, RecentCounts> = {
    view: createRecentCounts(DAY_MS, 1 << 19),
    click: createRecentCounts(DAY_MS, 1 << 16),
  };
  const clicksThisHour = createRecentCounts(HOUR_MS, 1 << 16);
  const fromNetwork: Record<BilledKind, RecentCounts> = {
    view: createRecentCounts(MINUTE_MS, 1 << 15),
    click: createRecentCounts(MINUTE_MS, 1 << 13),
  };
  let day = -1;
  let salt = '';

  /** 48 bits. A keyed hash at once costs a quarter of an Hmac object, and nobody ever sees it. */
  function keyOf(text: string): number {
    return Number.parseInt(hash('sha256', salt + text).slice(0, 12), 16);
  }

  return {
    /** Why this event is more than people do; null when it is not, and then it is remembered. */
    admit(visit: Visit, nowMs: number): Reason | null {
      const { kind, adId, websiteId, decisionId, address, userAgent, isPrivate } = visit;
      const today = Math.floor(nowMs / DAY_MS);
      if (today !== day) {
        day = today;
        salt = randomBytes(32).toString('latin1');
      }
      const place = `${networkOf(address)}|${websiteId}`;
      const visitor = isPrivate ? null : keyOf(`${place}|${userAgent}`);
      // Counts make do with the lower 32 bits; the click that stands in for all of half an hour is told by all 48.
      const pair = visitor === null ? null : withAd(visitor, adId);
      const clicker = kind === 'click' && visitor !== null ? `${visitor}|${adId}` : null;
      // Nobody visits from there: it is a tool on this machine, or a proxy that is not among the trusted ones.
      const network = isLoopbackAddress(address) ? null : keyOf(place) | 0;

      const reason = judgeActivity(kind, {
        clickedBefore: clicker !== null && clicks.has(clicker, decisionId, nowMs),
        ofAdToday: pair === null || network === null ? 0 : ofAdToday[kind].of(pair, nowMs),
        clicksThisHour: visitor === null || network === null ? 0 : clicksThisHour.of(visitor | 0, nowMs),
        fromNetworkThisMinute: network === null ? 0 : fromNetwork[kind].of(network, nowMs),
      });
      if (reason !== null) return reason;

      if (pair !== null) ofAdToday[kind].add(pair, nowMs);
      if (network !== null) fromNetwork[kind].add(network, nowMs);
      if (clicker !== null) clicks.note(clicker, decisionId, nowMs);
      if (kind === 'click' && visitor !== null) clicksThisHour.add(visitor | 0, nowMs);
      return null;
    },
  };
}
export type Visitors = ReturnType<typeof createVisitors>;

/** Which visitor clicked which ad when, for as long as CLICK_INTERVAL_MS. */
function createClicks() {
  let recent = new Map<string, Click>();
  let before = new Map<string, Click>();
  let turnedAtMs = 0;

  function turn(nowMs: number): void {
    // `before` holds what is up to two intervals old; each entry's own age decides.
    if (Math.abs(nowMs - turnedAtMs) < CLICK_INTERVAL_MS && recent.size < MAX_REMEMBERED / 2) return;
    before = recent;
    recent = new Map();
    turnedAtMs = nowMs;
  }

  return {
    /** Whether another decision's click was noted within the interval. The same click may come twice. */
    has(clicker: string, decisionId: string, nowMs: number): boolean {
      const last = recent.get(clicker) ?? before.get(clicker);
      return last !== undefined && last.decisionId !== decisionId && nowMs - last.atMs < CLICK_INTERVAL_MS;
    },
    note(clicker: string, decisionId: string, nowMs: number): void {
      turn(nowMs);
      recent.set(clicker, { decisionId, atMs: nowMs });
    },
  };
}
