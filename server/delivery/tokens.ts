import { hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto';
import { isExpired } from '#domain/delivery/judge.ts';
import { type BilledKind, REASONS, type Reason } from '#domain/delivery/reasons.ts';
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
  /** Made for the test page of a zone: nothing that follows is recorded. */
  isTest: boolean;
  kind: BilledKind;
  /** 12 random bytes as hex: the decision's identity. */
  decisionId: string;
  issuedAtMs: number;
};

export type Reading =
  | { state: 'valid' | 'expired'; claims: Claims }
  /** Not ours, or for another purpose. `adId` is what it claims, to be believed for nothing that costs. */
  | { state: 'forged'; adId: number | null };

const VERSION = 2;
// A multiple of 3 bytes, so that payload and proof can be written one after the other.
const PAYLOAD = 33;
const PAYLOAD_LENGTH = (PAYLOAD / 3) * 4;
/** Characters of the signature that prove a purpose: 126 bits each, none of them shared. */
const PROOF_LENGTH = 21;
const PROOF_AT: Record<BilledKind, number> = { view: 0, click: PROOF_LENGTH };
const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Signed tokens: 33 bytes and 126 bits of their HMAC-SHA256, as 65 base64url characters. The first half of the
 * signature proves a view and the second a click: neither half tells anything of the other, so each token is worth
 * nothing for the other purpose, and a decision costs one signature instead of two. The key is derived from `secret`
 * for periods of 30 days; the token names the period, and only the current one and its neighbours are accepted, so
 * keys rotate by themselves on all copies of the server (ASVS 5.0, 11.4.1). What makes tokens single-use is the
 * counting (see counter.ts), which takes a decision and kind once.
 *
 * Layout: version, period, video, reason, zone (4), ad (4), decision (12), issued at (6, ms), origin (2), test.
 */
export function createTokens(secret: string) {
  const signers = new Map<number, (payload: Buffer) => string>();
  const signatureOf = (payload: Buffer, period: number): string => {
    let signer = signers.get(period);
    if (!signer) {
      const key = Buffer.from(hkdfSync('sha256', secret, '', `openslot tokens ${period}`, 32));
      signer = hmacSha256(key, PAYLOAD);
      if (signers.size > 4) signers.clear();
      signers.set(period, signer);
    }
    return signer(payload);
  };
  const proofOf = (signature: string, kind: BilledKind) =>
    signature.slice(PROOF_AT[kind], PROOF_AT[kind] + PROOF_LENGTH);

  const token = Buffer.alloc(PAYLOAD);
  const pool = Buffer.alloc(12 * 512);
  let drawn = pool.length;

  const tokens = {
    /** The two tokens of a new decision. */
    issue(decision: Decision, nowMs: number): { view: string; click: string } {
      const period = Math.floor(nowMs / PERIOD_MS);
      if (drawn === pool.length) {
        randomFillSync(pool);
        drawn = 0;
      }
      token[0] = VERSION;
      token[1] = period & 0xff;
      token[2] = decision.video ? 1 : 0;
      token[3] = decision.reason ? REASONS.indexOf(decision.reason) + 1 : 0;
      token.writeUInt32BE(decision.zoneId, 4);
      token.writeUInt32BE(decision.adId, 8);
      pool.copy(token, 12, drawn, drawn + 12);
      drawn += 12;
      token.writeUIntBE(nowMs, 24, 6);
      token.writeUInt16BE(decision.origin, 30);
      const payload = token.toString('base64url');
      const signature = signatureOf(token, period);
      return { view: payload + proofOf(signature, 'view'), click: payload + proofOf(signature, 'click') };
    },

    /** The same of a test. */
    issueTest(decision: Decision, nowMs: number): { view: string; click: string } {
      token[32] = 1;
      try {
        return tokens.issue(decision, nowMs);
      } finally {
        token[32] = 0;
      }
    },

    read(text: string, kind: BilledKind, nowMs: number): Reading {
      const bytes = Buffer.from(text.slice(0, PAYLOAD_LENGTH), 'base64url');
      if (text.length !== PAYLOAD_LENGTH + PROOF_LENGTH || bytes.length !== PAYLOAD) {
        return { state: 'forged', adId: null };
      }
      const adId = bytes.readUInt32BE(8);
      if (bytes[0] !== VERSION) return { state: 'forged', adId };
      const current = Math.floor(nowMs / PERIOD_MS);
      const period = [current, current - 1, current + 1].find((each) => (each & 0xff) === bytes[1]);
      if (period === undefined) return { state: 'forged', adId };
      const proof = Buffer.from(proofOf(signatureOf(bytes, period), kind), 'latin1');
      const given = Buffer.from(text.slice(PAYLOAD_LENGTH), 'latin1');
      if (!timingSafeEqual(proof, given)) return { state: 'forged', adId };

      const claims: Claims = {
        kind,
        adId,
        zoneId: bytes.readUInt32BE(4),
        decisionId: bytes.toString('hex', 12, 24),
        issuedAtMs: bytes.readUIntBE(24, 6),
        video: bytes[2] === 1,
        isTest: bytes[32] === 1,
        reason: REASONS[(bytes[3] as number) - 1] ?? null,
        origin: bytes.readUInt16BE(30),
      };
      return { state: isExpired(kind, claims.issuedAtMs, nowMs) ? 'expired' : 'valid', claims };
    },
  };
  return tokens;
}
export type Tokens = ReturnType<typeof createTokens>;
