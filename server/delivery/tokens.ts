import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { isExpired } from '#domain/delivery/judge.ts';
import { type BilledKind, REASONS, type Reason } from '#domain/delivery/reasons.ts';

/** What a decision says of itself, for the events that may follow it. */
export type Decision = {
  /** What was chosen, as `subjectOf` writes it. */
  subject: string;
  /** What was found in the request for the ad; such events are kept with this reason and not counted. */
  reason: Reason | null;
  /** The page's origin, as `pageOf` shortens it: ORIGIN_LENGTH characters. */
  origin: string;
  /** Made for the test page of a zone: nothing that follows is recorded. */
  isTest?: boolean;
};

type Subject = { zoneId: number; adId: number; video: boolean };

export type Claims = Subject & {
  reason: Reason | null;
  origin: string;
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

export const ORIGIN_LENGTH = 4;

/** The payload, character by character; numbers are in base 36, of one length each. */
const VERSION = '3';
const VIDEO_AT = 1;
const ZONE_AT = 2;
const AD_AT = 9;
const TEST_AT = 16;
const REASON_AT = 17;
const ORIGIN_AT = 18;
const ISSUED_AT = 22;
const DECISION_AT = 31;
const PAYLOAD_LENGTH = 47;

/** Characters of the signature that prove a purpose: 126 bits each, none of them shared. */
const PROOF_LENGTH = 21;
const PROOF_AT: Record<BilledKind, number> = { view: 0, click: PROOF_LENGTH };
const TOKEN_LENGTH = PAYLOAD_LENGTH + PROOF_LENGTH;

const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;
/** Decisions whose names are drawn at once. */
const DRAWN_AT_ONCE = 512;
/** Of a decision's name: 12 bytes in base64url. */
const NAME_LENGTH = 16;

/** The part of a token that is the same for every decision for an ad. Made once: writing numbers is not cheap. */
export function subjectOf({ zoneId, adId, video }: Subject): string {
  return (video ? '1' : '0') + base36(zoneId, AD_AT - ZONE_AT) + base36(adId, TEST_AT - AD_AT);
}

/**
 * Signed tokens: 47 characters that say what was decided, and 21 of their signature. Its first half proves a view and its
 * second a click: neither tells anything of the other, so each token is worth nothing for the other purpose, and a
 * decision costs one signature instead of two. The key is derived from `secret` for the 30 days in which the token was
 * made, and only the current key and its neighbours are accepted, so keys rotate by themselves on all copies of the
 * server (ASVS 5.0, 11.4.1). What makes tokens single-use is the counting (see counter.ts), which takes a decision and
 * kind once.
 *
 * The signature is SHA-512/256 of key and payload. HMAC hashes twice, so that nobody who has a signature can lengthen
 * what was signed; here nobody can, because the hash shows half of its state, and no other length is accepted
 * (docs/decisions/014-tokens.md).
 */
export function createTokens(secret: string) {
  const keys = new Map<number, string>();
  function sign(payload: string, period: number): string {
    let key = keys.get(period);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, '', `openslot tokens ${period}`, 32)).toString(
        'base64url',
      );
      if (keys.size > 4) keys.clear();
      keys.set(period, key);
    }
    return hash('sha512-256', key + payload, 'base64url');
  }
  const periodOf = (ms: number): number => Math.floor(ms / PERIOD_MS);

  let names = '';
  let namesUsed = 0;
  /** The next of many names that were drawn at once. */
  function nextName(): string {
    if (namesUsed === names.length) {
      names = randomBytes((DRAWN_AT_ONCE * NAME_LENGTH * 3) / 4).toString('base64url');
      namesUsed = 0;
    }
    return names.slice(namesUsed, (namesUsed += NAME_LENGTH));
  }

  let momentMs = NaN;
  let moment = '';
  /** Many decisions share a millisecond. */
  function momentOf(nowMs: number): string {
    if (nowMs !== momentMs) {
      moment = base36(nowMs, DECISION_AT - ISSUED_AT);
      momentMs = nowMs;
    }
    return moment;
  }

  return {
    /** The two tokens of a new decision. */
    issue(
      { subject, reason, origin, isTest = false }: Decision,
      nowMs: number,
    ): { view: string; click: string } {
      const found = reason === null ? '0' : (REASONS.indexOf(reason) + 1).toString(36);
      const payload =
        VERSION + subject + (isTest ? '1' : '0') + found + origin + momentOf(nowMs) + nextName();
      const signature = sign(payload, periodOf(nowMs));
      return {
        view: payload + signature.slice(0, PROOF_LENGTH),
        click: payload + signature.slice(PROOF_LENGTH, 2 * PROOF_LENGTH),
      };
    },

    read(text: string, kind: BilledKind, nowMs: number): Reading {
      if (text.length !== TOKEN_LENGTH || !text.startsWith(VERSION)) return { state: 'forged', adId: null };
      const number = (from: number, to: number): number => Number.parseInt(text.slice(from, to), 36);
      const adId = number(AD_AT, TEST_AT);
      const forged: Reading = { state: 'forged', adId: Number.isNaN(adId) ? null : adId };
      const issuedAtMs = number(ISSUED_AT, DECISION_AT);
      const period = periodOf(issuedAtMs);
      if (!(Math.abs(period - periodOf(nowMs)) <= 1)) return forged;
      const payload = text.slice(0, PAYLOAD_LENGTH);
      const proof = sign(payload, period).slice(PROOF_AT[kind], PROOF_AT[kind] + PROOF_LENGTH);
      const given = Buffer.from(text.slice(PAYLOAD_LENGTH), 'latin1');
      if (!timingSafeEqual(Buffer.from(proof, 'latin1'), given)) return forged;

      const claims: Claims = {
        kind,
        adId,
        zoneId: number(ZONE_AT, AD_AT),
        decisionId: Buffer.from(payload.slice(DECISION_AT), 'base64url').toString('hex'),
        issuedAtMs,
        video: payload[VIDEO_AT] === '1',
        isTest: payload[TEST_AT] === '1',
        reason: REASONS[number(REASON_AT, ORIGIN_AT) - 1] ?? null,
        origin: payload.slice(ORIGIN_AT, ISSUED_AT),
      };
      return { state: isExpired(kind, claims.issuedAtMs, nowMs) ? 'expired' : 'valid', claims };
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;

function base36(number: number, length: number): string {
  return number.toString(36).padStart(length, '0');
}
