import { hash, randomBytes } from 'node:crypto';
import { CAPS, type CapName, CROWDED, dayShare, MAX_NETWORK_SHARE_OF_AN_AD } from '#domain/delivery/caps.ts';
import { CLICK_INTERVAL_MS, judgeActivity } from '#domain/delivery/judge.ts';
import type { BilledKind, Reason } from '#domain/delivery/reasons.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { isLoopbackAddress } from '#server/platform/net/networks.ts';
import { networkOf, wideNetworkOf } from './client-address.ts';
import { createIdCounts, createRecentCounts, type RecentCounts, spread, withAd } from './recent-counts.ts';

/** Beyond this many clicks, the oldest half is forgotten. Memory stays bounded; at worst, an extra click counts. */
const MAX_REMEMBERED = 200_000;

/** How many instances of the server run. */
type Fleet = { readonly servers: number };

type Click = { decisionId: string; atMs: number };

/** An event that passed all other rules, with its visitor. */
export type Visit = {
  kind: BilledKind;
  adId: number;
  /** The same person is a different visitor on each website. */
  websiteId: number;
  publisherId: number;
  /** How much higher the caps are for this ad zone; see capScale. */
  capScale: number;
  decisionId: string;
  address: string;
  userAgent: string;
  /** The number of UserAgent.kind. */
  browserKind: number;
  /** The decision was made for a video player. */
  forPlayer: boolean;
  /** The request carries Global Privacy Control. Such visitors of a network are not told apart, and count as one. */
  isPrivate: boolean;
};

/** The sizes of the tables, for views. Clicks are rarer and get an eighth. Ads and publishers have an exact count. */
const SLOTS: Partial<Record<CapName, number>> = {
  visitor: 1 << 15,
  network: 1 << 16,
  wideNetwork: 1 << 15,
  browser: 1 << 17,
  player: 1 << 15,
};

/** The counts that one cap compares in one window. */
type Window = {
  cap: CapName;
  reason: Reason;
  max: number;
  isDay: boolean;
  counts: Pick<RecentCounts, 'of' | 'add'>;
};

/**
 * Enforces the velocity caps on views and clicks, in memory of a fixed size. A visitor is a keyed hash of network,
 * browser and website. The key is random and replaced daily, so that visitors cannot be identified or followed from one
 * website to another, not even by us. Each server knows only its own events, so it lets only a part of a day's CAPS
 * count if there are several. The rules of development leave out CAPS, and loopback addresses. [DEL-38, IVT-04]
 */
export function createVisitors({ productionRules, fleet }: { productionRules: boolean; fleet: Fleet }) {
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
  const caps = productionRules ? createCaps(fleet) : null;
  let day = -1;
  let salt = '';

  /**
   * 48 bits. A salted one-shot hash takes a quarter of the time of an Hmac object, and the hash never leaves this
   * process.
   */
  function keyOf(text: string): number {
    return Number.parseInt(hash('sha256', salt + text).slice(0, 12), 16);
  }

  return {
    /** The cap that this event exceeds, or null. If it exceeds none, this counts it. */
    admit(visit: Visit, nowMs: number): Reason | null {
      const { kind, adId, websiteId, publisherId, decisionId, address, userAgent, isPrivate } = visit;
      const today = Math.floor(nowMs / DAY_MS);
      if (today !== day) {
        day = today;
        salt = randomBytes(32).toString('latin1');
      }
      const networkOnSite = `${networkOf(address)}|${websiteId}`;
      // Private visitors need a key, too. Without one, a client that sends the header would have no caps of a visitor.
      const visitor = keyOf(isPrivate ? `${networkOnSite}|gpc|` : `${networkOnSite}|${userAgent}`);
      // The counts need only the lower 32 bits. The half hour between clicks blocks a click at once, so it uses all 48.
      const pair = withAd(visitor, adId);
      const clicker = kind === 'click' ? `${visitor}|${adId}` : null;
      // In development, a loopback address is a tool on this machine.
      const isTool = !productionRules && isLoopbackAddress(address);
      const network = isTool ? null : keyOf(networkOnSite) | 0;

      const reason = judgeActivity(kind, {
        clickedBefore: clicker !== null && clicks.has(clicker, decisionId, nowMs),
        ofAdToday: isTool ? 0 : ofAdToday[kind].of(pair, nowMs),
        clicksThisHour: isTool ? 0 : clicksThisHour.of(visitor | 0, nowMs),
        fromNetworkThisMinute: network === null ? 0 : fromNetwork[kind].of(network, nowMs),
      });
      if (reason !== null) return reason;

      if (caps !== null && network !== null) {
        const keys: Record<CapName, number> = {
          visitor: visitor | 0,
          network,
          wideNetwork: keyOf(`${wideNetworkOf(address)}|${websiteId}`) | 0,
          browser: spread(withAd(network, adId) ^ visit.browserKind),
          player: network,
          ad: adId,
          publisher: publisherId,
        };
        const exceeded = caps.admit(visit, keys, nowMs);
        if (exceeded !== null) return exceeded;
      }
      ofAdToday[kind].add(pair, nowMs);
      if (network !== null) fromNetwork[kind].add(network, nowMs);
      if (clicker !== null) clicks.note(clicker, decisionId, nowMs);
      if (kind === 'click') clicksThisHour.add(visitor | 0, nowMs);
      return null;
    },
  };
}
export type Visitors = ReturnType<typeof createVisitors>;

/** The CAPS. */
function createCaps(fleet: Fleet) {
  /** The events of a network on an ad. */
  const ofAdFromNetwork: Record<BilledKind, RecentCounts> = {
    view: createRecentCounts(MINUTE_MS, 1 << 15),
    click: createRecentCounts(MINUTE_MS, 1 << 12),
  };
  const windows: Record<BilledKind, Window[]> = { view: windowsOf('view'), click: windowsOf('click') };
  const pageWindows: Record<BilledKind, Window[]> = {
    view: windows.view.filter(({ cap }) => cap !== 'player'),
    click: windows.click.filter(({ cap }) => cap !== 'player'),
  };

  return {
    /** The cap that this event exceeds, or null. If it exceeds none, this counts it. */
    admit({ kind, forPlayer, capScale }: Visit, keys: Record<CapName, number>, nowMs: number): Reason | null {
      const applied = (forPlayer ? windows : pageWindows)[kind];
      const ofDay = dayShare(fleet.servers);
      const fromHere = ofAdFromNetwork[kind];
      const here = spread(withAd(keys.network, keys.ad));
      for (const { cap, reason: exceeded, max, isDay, counts } of applied) {
        const room = max * (cap === 'visitor' ? 1 : capScale) * (isDay ? ofDay : 1);
        const used = counts.of(keys[cap], nowMs);
        if (used >= room) return exceeded;
        const isCrowded = cap === 'ad' && !isDay && used >= room * CROWDED;
        if (isCrowded && fromHere.of(here, nowMs) >= room * MAX_NETWORK_SHARE_OF_AN_AD) return 'network_cap';
      }
      for (const { cap, counts } of applied) counts.add(keys[cap], nowMs);
      fromHere.add(here, nowMs);
      return null;
    },
  };
}

function windowsOf(kind: BilledKind): Window[] {
  return (Object.keys(CAPS) as CapName[]).flatMap((cap) => {
    const {
      reason,
      perMinute,
      perDay,
    }: (typeof CAPS)[CapName] & Partial<Record<'perMinute' | 'perDay', Max>> = CAPS[cap];
    const slots = SLOTS[cap];
    const countsOf = (windowMs: number) =>
      slots === undefined
        ? createIdCounts(windowMs)
        : createRecentCounts(windowMs, kind === 'view' ? slots : slots / 8);
    const windowOf = (max: Max | undefined, windowMs: number): Window[] =>
      max ? [{ cap, reason, max: max[kind], isDay: windowMs === DAY_MS, counts: countsOf(windowMs) }] : [];
    return [...windowOf(perMinute, MINUTE_MS), ...windowOf(perDay, DAY_MS)];
  });
}
type Max = Record<BilledKind, number>;

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
