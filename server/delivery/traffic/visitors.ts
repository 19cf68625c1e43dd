import { hash, randomBytes } from 'node:crypto';
import { CLICK_INTERVAL_MS, judgeActivity } from '#domain/delivery/judge.ts';
import type { BilledKind, Reason } from '#domain/delivery/reasons.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { isLoopbackAddress, networkOf } from './client-address.ts';
import { createRecentCounts, type RecentCounts, withAd } from './recent-counts.ts';

/** Beyond this many clicks, the oldest half is forgotten. Memory stays bounded; at worst, an extra click counts. */
const MAX_REMEMBERED = 200_000;

type Click = { decisionId: string; atMs: number };

/** An event that passed all other rules, with its visitor. */
export type Visit = {
  kind: BilledKind;
  adId: number;
  /** The same person is a different visitor on each website. */
  websiteId: number;
  decisionId: string;
  address: string;
  userAgent: string;
  /** The request carries Global Privacy Control, so only the limits of its network apply. */
  isPrivate: boolean;
};

/**
 * Enforces the velocity caps on views and clicks, in memory of a fixed size. A visitor is a keyed hash of network,
 * browser and website. The key is random and replaced daily, so that no one, including us, can identify visitors or
 * follow them from one website to another. Each server knows only its own events. [DEL-38]
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

  /**
   * 48 bits. A salted one-shot hash takes a quarter of the time of an Hmac object, and it never leaves this process.
   */
  function keyOf(text: string): number {
    return Number.parseInt(hash('sha256', salt + text).slice(0, 12), 16);
  }

  return {
    /** The cap that this event exceeds, or null. If it exceeds none, this counts it. */
    admit(visit: Visit, nowMs: number): Reason | null {
      const { kind, adId, websiteId, decisionId, address, userAgent, isPrivate } = visit;
      const today = Math.floor(nowMs / DAY_MS);
      if (today !== day) {
        day = today;
        salt = randomBytes(32).toString('latin1');
      }
      const networkOnSite = `${networkOf(address)}|${websiteId}`;
      const visitor = isPrivate ? null : keyOf(`${networkOnSite}|${userAgent}`);
      // The counts need only the lower 32 bits. The half hour between clicks blocks a click at once, so it uses all 48.
      const pair = visitor === null ? null : withAd(visitor, adId);
      const clicker = kind === 'click' && visitor !== null ? `${visitor}|${adId}` : null;
      // A loopback address is no visitor: it is a tool on this machine, or a proxy missing from TRUSTED_PROXIES.
      const network = isLoopbackAddress(address) ? null : keyOf(networkOnSite) | 0;

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

/** Remembers the clicks of each visitor on each ad for CLICK_INTERVAL_MS. */
function createClicks() {
  let recent = new Map<string, Click>();
  let before = new Map<string, Click>();
  let rotatedAtMs = 0;

  function rotate(nowMs: number): void {
    // `before` holds clicks that are up to two intervals old, so `has` checks the age of each.
    if (Math.abs(nowMs - rotatedAtMs) < CLICK_INTERVAL_MS && recent.size < MAX_REMEMBERED / 2) return;
    before = recent;
    recent = new Map();
    rotatedAtMs = nowMs;
  }

  return {
    /** Whether a click of another decision was noted within the interval. Repeating the same click is allowed here. */
    has(clicker: string, decisionId: string, nowMs: number): boolean {
      const last = recent.get(clicker) ?? before.get(clicker);
      return last !== undefined && last.decisionId !== decisionId && nowMs - last.atMs < CLICK_INTERVAL_MS;
    },
    note(clicker: string, decisionId: string, nowMs: number): void {
      rotate(nowMs);
      recent.set(clicker, { decisionId, atMs: nowMs });
    },
  };
}
