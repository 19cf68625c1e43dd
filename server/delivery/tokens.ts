import { hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto';
import { isExpired } from '#domain/delivery/judge.ts';
import { type EventKind, REASONS, type Reason } from '#domain/delivery/reasons.ts';
import { hmacSha256 } from './hmac.ts';

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
// A multiple of 3 bytes, so that payload and signature can be written one after the other.
const PAYLOAD = 33;
const PAYLOAD_LENGTH = (PAYLOAD / 3) * 4;
const SIGNATURE_LENGTH = 22;
const KINDS: Record<EventKind, number> = { view: 1, click: 2 };
const VIDEO = 0x80;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Signed tokens: 33 bytes and their HMAC-SHA256, cut to 132 bits, as 66 base64url characters. Each purpose has a
 * key of its own, derived from `secret` for periods of 30 days; the token names the period, and only the current
 * one and its neighbours are accepted, so keys rotate by themselves on all copies of the server (ASVS 5.0, 11.4.1).
 * What makes them single-use is the counting (see counter.ts), which takes a decision and kind once.
 *
 * Layout: version, period, kind, video bit + reason, zone (4), ad (4), decision (12), issued at (6, ms), origin (2), spare.
 */
export function createTokens(secret: string) {
  const signers = new Map<string, (payload: Buffer) => string>();
  const signatureOf = (payload: Buffer, kind: EventKind, period: number): string => {
    const name = `${kind} ${period}`;
    let signer = signers.get(name);
    if (!signer) {
      const key = Buffer.from(hkdfSync('sha256', secret, '', `openslot ${name}`, 32));
      signer = hmacSha256(key, PAYLOAD);
      if (signers.size > 8) signers.clear();
      signers.set(name, signer);
    }
    return signer(payload).slice(0, SIGNATURE_LENGTH);
  };

  const token = Buffer.alloc(PAYLOAD);
  const pool = Buffer.alloc(12 * 512);
  let drawn = pool.length;

  function sign(kind: EventKind, period: number): string {
    token[2] = KINDS[kind];
    return token.toString('base64url') + signatureOf(token, kind, period);
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
      const bytes = Buffer.from(text.slice(0, PAYLOAD_LENGTH), 'base64url');
      if (text.length !== PAYLOAD_LENGTH + SIGNATURE_LENGTH || bytes.length !== PAYLOAD) {
        return { state: 'forged', adId: null };
      }
      const adId = bytes.readUInt32BE(8);
      if (bytes[0] !== VERSION || bytes[2] !== KINDS[kind]) return { state: 'forged', adId };
      const current = Math.floor(nowMs / MONTH_MS);
      const period = [current, current - 1, current + 1].find((each) => (each & 0xff) === bytes[1]);
      if (period === undefined) return { state: 'forged', adId };
      const signature = Buffer.from(signatureOf(bytes, kind, period), 'latin1');
      const given = Buffer.from(text.slice(PAYLOAD_LENGTH), 'latin1');
      if (!timingSafeEqual(signature, given)) return { state: 'forged', adId };

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
