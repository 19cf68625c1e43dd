import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { isExpired } from '#domain/delivery/judge.ts';
import { type BilledKind, REASONS, type Reason } from '#domain/delivery/reasons.ts';

/** What a decision says of itself, for the events that may follow it. */
export type Decision = {
  /** What was chosen, as `subjectOf` writes it. */
  subject: Subject;
  /** What was found in the request for the ad; such events are kept with this reason and not counted. */
  reason: Reason | null;
  /** The page's origin, as `pageOf` shortens it: ORIGIN_LENGTH characters. */
  origin: string;
  /** Made for the test page of a zone: nothing that follows is recorded. */
  isTest?: boolean;
};

type Chosen = { zoneId: number; adId: number; video: boolean };

export type Claims = Chosen & {
  reason: Reason | null;
  origin: string;
  isTest: boolean;
  kind: BilledKind;
  /** 12 bytes as hex, 9 of them random: the decision's identity. */
  decisionId: string;
  issuedAtMs: number;
};

export type Reading =
  | { state: 'valid' | 'expired'; claims: Claims }
  /** Not ours, or for another purpose. `adId` is what it claims, to be believed for nothing that costs. */
  | { state: 'forged'; adId: number | null };

export const ORIGIN_LENGTH = 4;

/** The payload, character by character; numbers are in base 36, of one length each. */
const VERSION = '4';
const VIDEO_AT = 1;
const ZONE_AT = 2;
const AD_AT = 9;
const TEST_AT = 16;
const REASON_AT = 17;
const ORIGIN_AT = 18;
const ISSUED_AT = 22;
const RUN_AT = 31;
const INDEX_AT = 43;
const PAYLOAD_LENGTH = 47;

/** Characters of the signature that prove a purpose: 126 bits each, none of them shared. */
const PROOF_LENGTH = 21;
const PROOF_AT: Record<BilledKind, number> = { view: 0, click: PROOF_LENGTH };
const PROOFS_LENGTH = 2 * PROOF_LENGTH;
const TOKEN_LENGTH = PAYLOAD_LENGTH + PROOF_LENGTH;

/**
 * Decisions of one run say the time of its first: none came later than this. A fiftieth of a second, so that none is of
 * another second than it says (see reservations.ts).
 */
const RUN_LASTS_MS = 20;
/** How a decision's place in its run is written. */
const INDEXES = Array.from({ length: 16 }, (_, index) => Buffer.from([0, 0, index]).toString('base64url'));

const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;
/** Runs whose names are drawn at once. */
const DRAWN_AT_ONCE = 512;
/** Of a run's name: 9 bytes in base64url. */
const NAME_LENGTH = INDEX_AT - RUN_AT;

/** Decisions for one ad that are signed together. */
type Run = Omit<Required<Decision>, 'subject'> & {
  /** Of the clock, RUN_LASTS_MS long. */
  window: number;
  /** The payload of each as far as it is the same. */
  head: string;
  /** The signature: two proofs for each of `size`. */
  proofs: string;
  size: number;
  used: number;
};

/** An ad in its zone, with its last run. Made once for all decisions for it: writing numbers is not cheap. */
export type Subject = { readonly text: string; run: Run | null };

export function subjectOf({ zoneId, adId, video }: Chosen): Subject {
  const text = (video ? '1' : '0') + base36(zoneId, AD_AT - ZONE_AT) + base36(adId, TEST_AT - AD_AT);
  return { text, run: null };
}

/**
 * Signed tokens: 47 characters that say what was decided, and 21 of their signature. Of what is signed for a decision the
 * first half proves a view and the second a click: neither tells anything of the other, so each token is worth nothing
 * for the other purpose. The key is derived from `secret` for the 30 days in which the token was made, and only the current
 * key and its neighbours are accepted, so keys rotate by themselves on all copies of the server (ASVS 5.0, 11.4.1). What
 * makes tokens single-use is the counting (see counter.ts), which takes a decision and kind once.
 *
 * The signature is SHAKE256 of key and payload, which gives as much as is asked for: where an ad is chosen often, a run
 * of decisions shares one, and each has its own piece of it (docs/decisions/014-tokens.md).
 */
export function createTokens(secret: string) {
  const keys = new Map<number, string>();
  function sign(head: string, period: number, decisions: number): string {
    let key = keys.get(period);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, '', `openslot tokens ${period}`, 32)).toString(
        'base64url',
      );
      if (keys.size > 4) keys.clear();
      keys.set(period, key);
    }
    const outputLength = Math.ceil((decisions * PROOFS_LENGTH * 3) / 4);
    return hash('shake256', key + head, { outputEncoding: 'base64url', outputLength });
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

  const windowOf = (ms: number): number => Math.floor(ms / RUN_LASTS_MS);

  /** A run for this decision and those like it that may follow at once: as many as there lately were. */
  function newRun({ subject, reason, origin, isTest }: Required<Decision>, nowMs: number): Run {
    const last = subject.run;
    const window = windowOf(nowMs);
    const usedUp = last?.used === last?.size && last?.window === window;
    const size = last ? Math.min(usedUp ? last.size * 2 : last.used, INDEXES.length) : 1;
    const found = reason === null ? '0' : (REASONS.indexOf(reason) + 1).toString(36);
    const moment = base36(nowMs, RUN_AT - ISSUED_AT);
    const head = VERSION + subject.text + (isTest ? '1' : '0') + found + origin + moment + nextName();
    const proofs = sign(head, periodOf(nowMs), size);
    return (subject.run = { reason, origin, isTest, window, head, proofs, size, used: 0 });
  }

  return {
    /** The two tokens of a new decision. */
    issue(
      { subject, reason, origin, isTest = false }: Decision,
      nowMs: number,
    ): { view: string; click: string } {
      const last = subject.run;
      const goesOn =
        last !== null &&
        last.used < last.size &&
        last.window === windowOf(nowMs) &&
        last.origin === origin &&
        last.reason === reason &&
        last.isTest === isTest;
      const run = goesOn ? last : newRun({ subject, reason, origin, isTest }, nowMs);
      const payload = run.head + INDEXES[run.used];
      const at = run.used * PROOFS_LENGTH;
      run.used += 1;
      return {
        view: payload + run.proofs.slice(at, at + PROOF_LENGTH),
        click: payload + run.proofs.slice(at + PROOF_LENGTH, at + PROOFS_LENGTH),
      };
    },

    read(text: string, kind: BilledKind, nowMs: number): Reading {
      if (text.length !== TOKEN_LENGTH || !text.startsWith(VERSION)) return { state: 'forged', adId: null };
      const number = (from: number, to: number): number => Number.parseInt(text.slice(from, to), 36);
      const adId = number(AD_AT, TEST_AT);
      const forged: Reading = { state: 'forged', adId: Number.isNaN(adId) ? null : adId };
      const issuedAtMs = number(ISSUED_AT, RUN_AT);
      const period = periodOf(issuedAtMs);
      if (!(Math.abs(period - periodOf(nowMs)) <= 1)) return forged;
      const index = INDEXES.indexOf(text.slice(INDEX_AT, PAYLOAD_LENGTH));
      if (index < 0) return forged;
      const at = index * PROOFS_LENGTH + PROOF_AT[kind];
      const proof = sign(text.slice(0, INDEX_AT), period, index + 1).slice(at, at + PROOF_LENGTH);
      const given = Buffer.from(text.slice(PAYLOAD_LENGTH), 'latin1');
      if (!timingSafeEqual(Buffer.from(proof, 'latin1'), given)) return forged;

      const claims: Claims = {
        kind,
        adId,
        zoneId: number(ZONE_AT, AD_AT),
        decisionId: Buffer.from(text.slice(RUN_AT, PAYLOAD_LENGTH), 'base64url').toString('hex'),
        issuedAtMs,
        video: text[VIDEO_AT] === '1',
        isTest: text[TEST_AT] === '1',
        reason: REASONS[number(REASON_AT, ORIGIN_AT) - 1] ?? null,
        origin: text.slice(ORIGIN_AT, ISSUED_AT),
      };
      return { state: isExpired(kind, claims.issuedAtMs, nowMs) ? 'expired' : 'valid', claims };
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;

function base36(number: number, length: number): string {
  return number.toString(36).padStart(length, '0');
}
