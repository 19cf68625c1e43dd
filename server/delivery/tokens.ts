import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';
import { isExpired } from '#domain/delivery/judge.ts';
import { type EventKind, REASONS, type Reason } from '#domain/delivery/reasons.ts';

/** What a decision says of itself, for the events that may follow it. */
export type Decision = {
  zoneId: number;
  adId: number;
  video: boolean;
  /** What was found in the request for the ad; such events are kept with this reason and not counted. */
  reason: Reason | null;
  /** Short hash of the page's origin. */
  origin: number;
};

export type Claims = Decision & {
  kind: EventKind;
  /** 12 random bytes as hex: the decision's identity. */
  decisionId: string;
  issuedAtMs: number;
};

export type Reading =
  | { state: 'valid' | 'expired'; claims: Claims }
  /** Not ours, or for another purpose. `adId` is what it claims, to be believed for nothing that costs. */
  | { state: 'forged'; adId: number | null };

const VERSION = 1;
const PAYLOAD = 32;
const TAG = 16;
const TOKEN_LENGTH = ((PAYLOAD + TAG) / 3) * 4;
const KINDS: Record<EventKind, number> = { view: 1, click: 2 };
const VIDEO = 0x80;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Signed tokens: 32 bytes and their HMAC-SHA256, cut to 128 bits, as 64 base64url characters. Each purpose has a
 * key of its own, derived from `secret` for periods of 30 days; the token names the period, and only the current
 * and the previous one are accepted, so keys rotate by themselves on all copies of the server (ASVS 5.0, 11.4.1).
 * What makes them single-use is the counting (see event-log.ts), which takes a decision and kind once.
 *
 * Layout: version, period, kind, video bit + reason, zone (4), ad (4), decision (12), issued at (6, ms), origin (2).
 */
export function createTokens(secret: string) {
  const keys = new Map<string, KeyObject>();
  const keyOf = (kind: EventKind, period: number): KeyObject => {
    const name = `${kind} ${period}`;
    const known = keys.get(name);
    if (known) return known;
    // A KeyObject made once: a Buffer as key costs eight times as much per token on Node 24.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `openslot ${name}`, 32)));
    if (keys.size > 8) keys.clear();
    keys.set(name, key);
    return key;
  };
  const signatureOf = (payload: Buffer, kind: EventKind, period: number) =>
    createHmac('sha256', keyOf(kind, period)).update(payload).digest();

  const token = Buffer.alloc(PAYLOAD + TAG);
  const payload = token.subarray(0, PAYLOAD);
  const pool = Buffer.alloc(12 * 512);
  let drawn = pool.length;

  function sign(kind: EventKind, period: number): string {
    token[2] = KINDS[kind];
    signatureOf(payload, kind, period).copy(token, PAYLOAD, 0, TAG);
    return token.toString('base64url');
  }

  return {
    /** The two tokens of a new decision. */
    issue(decision: Decision, nowMs: number): { view: string; click: string } {
      const period = Math.floor(nowMs / MONTH_MS);
      if (drawn === pool.length) {
        randomFillSync(pool);
        drawn = 0;
      }
      token[0] = VERSION;
      token[1] = period & 0xff;
      token[3] = (decision.video ? VIDEO : 0) | (decision.reason ? REASONS.indexOf(decision.reason) + 1 : 0);
      token.writeUInt32BE(decision.zoneId, 4);
      token.writeUInt32BE(decision.adId, 8);
      pool.copy(token, 12, drawn, drawn + 12);
      drawn += 12;
      token.writeUIntBE(nowMs, 24, 6);
      token.writeUInt16BE(decision.origin, 30);
      return { view: sign('view', period), click: sign('click', period) };
    },

    read(text: string, kind: EventKind, nowMs: number): Reading {
      if (text.length !== TOKEN_LENGTH) return { state: 'forged', adId: null };
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length !== PAYLOAD + TAG) return { state: 'forged', adId: null };
      const adId = bytes.readUInt32BE(8);
      if (bytes[0] !== VERSION || bytes[2] !== KINDS[kind]) return { state: 'forged', adId };
      const current = Math.floor(nowMs / MONTH_MS);
      const period = [current, current - 1, current + 1].find((each) => (each & 0xff) === bytes[1]);
      if (period === undefined) return { state: 'forged', adId };
      const signature = signatureOf(bytes.subarray(0, PAYLOAD), kind, period);
      if (!timingSafeEqual(signature.subarray(0, TAG), bytes.subarray(PAYLOAD)))
        return { state: 'forged', adId };

      const flags = bytes[3] as number;
      const claims: Claims = {
        kind,
        adId,
        zoneId: bytes.readUInt32BE(4),
        decisionId: bytes.toString('hex', 12, 24),
        issuedAtMs: bytes.readUIntBE(24, 6),
        video: (flags & VIDEO) !== 0,
        reason: REASONS[(flags & ~VIDEO) - 1] ?? null,
        origin: bytes.readUInt16BE(30),
      };
      return { state: isExpired(kind, claims.issuedAtMs, nowMs) ? 'expired' : 'valid', claims };
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;
