import { createHmac, randomBytes } from 'node:crypto';
import { CLICK_INTERVAL_MS } from '#domain/delivery/judge.ts';
import { DAY_MS } from '#domain/time.ts';
import { networkOf } from './client-address.ts';

/** Beyond this many the oldest half is forgotten: memory is bounded, at worst a click more counts. */
const MOST_REMEMBERED = 200_000;

type Click = { decisionId: string; atMs: number };

/**
 * Remembers which visitor clicked which ad, for as long as CLICK_INTERVAL_MS and in memory only. A visitor is a
 * keyed hash of network, browser and ad zone; the key is random and thrown away daily, so that nobody, we neither,
 * can tell who it was or follow them from place to place.
 */
export function createVisitors() {
  let day = -1;
  let salt = randomBytes(32);
  let recent = new Map<string, Click>();
  let before = new Map<string, Click>();
  let turnedAtMs = 0;

  function turn(nowMs: number): void {
    // `before` holds what is up to two intervals old; each entry's own age decides.
    if (Math.abs(nowMs - turnedAtMs) < CLICK_INTERVAL_MS && recent.size < MOST_REMEMBERED / 2) return;
    before = recent;
    recent = new Map();
    turnedAtMs = nowMs;
  }

  return {
    keyOf(visitor: { address: string; userAgent: string; zoneId: number }, nowMs: number): string {
      const today = Math.floor(nowMs / DAY_MS);
      if (today !== day) {
        day = today;
        salt = randomBytes(32);
      }
      return createHmac('sha256', salt)
        .update(`${networkOf(visitor.address)}|${visitor.zoneId}|${visitor.userAgent}`)
        .digest('base64url');
    },

    /** Whether another decision's click by this visitor on this ad was noted within the interval. */
    hasClicked(key: string, adId: number, decisionId: string, nowMs: number): boolean {
      const name = `${key}${adId}`;
      const last = recent.get(name) ?? before.get(name);
      return last !== undefined && last.decisionId !== decisionId && nowMs - last.atMs < CLICK_INTERVAL_MS;
    },

    noteClick(key: string, adId: number, decisionId: string, nowMs: number): void {
      turn(nowMs);
      recent.set(`${key}${adId}`, { decisionId, atMs: nowMs });
    },
  };
}
export type Visitors = ReturnType<typeof createVisitors>;
