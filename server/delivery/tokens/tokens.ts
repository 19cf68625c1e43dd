import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { isExpired } from '#domain/delivery/judge.ts';
import { type BilledKind, REASONS, type Reason } from '#domain/delivery/reasons.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';
import { DAY_MS } from '#domain/time.ts';

/** The content of a decision's tokens, for the events that may follow. */
export type Decision = {
  /** The chosen ad, as `subjectOf` writes it. */
  subject: Subject;
  /** The reason found in the ad request, or null. Events of this decision are then recorded with it and not counted. */
  reason: Reason | null;
  /** The page's origin, as `pageOf` shortens it: ORIGIN_LENGTH characters. */
  origin: string;
  /** 'page' if absent. */
  use?: TokenUse;
};

/** 'test' is the test page of a zone, whose events are not recorded. 'player' is a video player, which runs no script. */
export type TokenUse = (typeof USES)[number];
const USES = ['page', 'test', 'player'] as const;

type Chosen = {
  zoneId: number;
  adId: number;
  video: boolean;
  /** The creative, as `creativeNumbers` counts them; 0 if the ad has only one. */
  creative: number;
};

export type Claims = Chosen & {
  reason: Reason | null;
  origin: string;
  use: TokenUse;
  kind: BilledKind;
  /** The identity of the decision: 12 bytes as hex, 9 of them random. */
  decisionId: string;
  issuedAtMs: number;
};

export type Reading =
  | { state: 'valid' | 'expired'; claims: Claims }
  /** The signature is wrong, or is for another purpose. */
  | { state: 'forged' };

const FORGED: Reading = { state: 'forged' };

export const ORIGIN_LENGTH = 4;

/** The positions of the payload's fields. Numbers are in base 36 and have a fixed length. */
const VERSION = '4';
const CREATIVE_AT = 1;
const ZONE_AT = 2;
const AD_AT = 9;
const USE_AT = 16;
const REASON_AT = 17;
const ORIGIN_AT = 18;
const ISSUED_AT = 22;
const RUN_AT = 31;
const INDEX_AT = 43;
const PAYLOAD_LENGTH = 47;

/** The signature has a separate proof of this many characters (132 bits) for each purpose. */
const PROOF_LENGTH = 22;
const PROOF_AT: Record<BilledKind, number> = { view: 0, click: PROOF_LENGTH };
const PROOFS_LENGTH = 2 * PROOF_LENGTH;
const TOKEN_LENGTH = PAYLOAD_LENGTH + PROOF_LENGTH;

/**
 * All decisions of a run carry the time of its first one, so this bounds their error. Runs of 100 ms never cross a
 * second, which the reservations rely on (see snapshot/reservations.ts).
 */
const RUN_MS = 100;
/** SHAKE256 makes 136 bytes at a time. The proofs of four decisions fit, so fewer would cost as much. */
const MIN_RUN = 4;
/** How the index of a decision in its run is written. */
const INDEXES = Array.from({ length: 16 }, (_, index) => Buffer.from([0, 0, index]).toString('base64url'));

const PERIOD_MS = 30 * DAY_MS;
/** How many names of runs are generated at once. */
const NAMES_PER_BATCH = 512;
/** The name of a run: 9 bytes in base64url. */
const NAME_LENGTH = INDEX_AT - RUN_AT;

/** Decisions for one ad that share a signature. */
type Run = Omit<Required<Decision>, 'subject'> & {
  /** The number of the time window, RUN_MS long. */
  window: number;
  /** The part of the payload that all its decisions share. */
  head: string;
  /** The signature: two proofs for each of `size` decisions. */
  proofs: string;
  size: number;
  used: number;
};

/** An ad in its zone, with its last run. It is made once for all decisions, because formatting numbers is slow. */
export type Subject = { readonly text: string; run: Run | null };

export function subjectOf({ zoneId, adId, video, creative }: Chosen): Subject {
  const text =
    base36(2 * creative + (video ? 1 : 0), ZONE_AT - CREATIVE_AT) +
    base36(zoneId, AD_AT - ZONE_AT) +
    base36(adId, USE_AT - AD_AT);
  return { text, run: null };
}

/**
 * Issues and reads signed tokens. A token has 47 characters of payload and 22 of proof. The first half of a decision's
 * signature proves a view and the second half a click. Neither half reveals the other, so a token is not valid for the
 * other purpose. The key is derived from the first secret for the period of 30 days in which the token is issued. Only the
 * current key and its neighbors are accepted, so keys rotate by themselves on all servers (ASVS 5.0, 11.4.1). A token of
 * any of the secrets is accepted. Tokens are single-use because count_events counts each decision and kind once (see
 * event-log/counter.ts).
 *
 * The signature is SHAKE256 of key and payload, which has output of any length. If an ad is chosen often, a run of
 * decisions shares one call, and each decision has its own part of the output (docs/decisions/014-tokens.md).
 */
export function createTokens(secrets: Secrets) {
  const signers = secrets.map(createSigner);
  const sign = signers[0]!;
  const periodOf = (ms: number): number => Math.floor(ms / PERIOD_MS);

  const nextName = createNames();
  const windowOf = (ms: number): number => Math.floor(ms / RUN_MS);

  /** Starts a run for this decision and similar ones that may follow, with room for twice as many as the last one had. */
  function newRun({ subject, reason, origin, use }: Required<Decision>, nowMs: number): Run {
    const size = Math.min(Math.max(2 * (subject.run?.used ?? 0), MIN_RUN), INDEXES.length);
    const found = reason === null ? '0' : (REASONS.indexOf(reason) + 1).toString(36);
    const moment = base36(nowMs, RUN_AT - ISSUED_AT);
    // join() copies the parts into one text. A sum of texts would be put together anew for each token.
    const head = [VERSION, subject.text, USES.indexOf(use), found, origin, moment, nextName()].join('');
    const proofs = sign(head, periodOf(nowMs), size);
    return (subject.run = { reason, origin, use, window: windowOf(nowMs), head, proofs, size, used: 0 });
  }

  return {
    /** Issues the two tokens of a new decision. */
    issue(
      { subject, reason, origin, use = 'page' }: Decision,
      nowMs: number,
    ): { view: string; click: string } {
      const last = subject.run;
      const continues =
        last !== null &&
        last.used < last.size &&
        last.window === windowOf(nowMs) &&
        last.origin === origin &&
        last.reason === reason &&
        last.use === use;
      const run = continues ? last : newRun({ subject, reason, origin, use }, nowMs);
      const payload = run.head + INDEXES[run.used];
      const at = run.used * PROOFS_LENGTH;
      run.used += 1;
      return {
        view: payload + run.proofs.slice(at, at + PROOF_LENGTH),
        click: payload + run.proofs.slice(at + PROOF_LENGTH, at + PROOFS_LENGTH),
      };
    },

    read(text: string, kind: BilledKind, nowMs: number): Reading {
      if (text.length !== TOKEN_LENGTH || !text.startsWith(VERSION)) return FORGED;
      const number = (from: number, to: number): number => Number.parseInt(text.slice(from, to), 36);
      const issuedAtMs = number(ISSUED_AT, RUN_AT);
      const period = periodOf(issuedAtMs);
      if (!(Math.abs(period - periodOf(nowMs)) <= 1)) return FORGED;
      const index = INDEXES.indexOf(text.slice(INDEX_AT, PAYLOAD_LENGTH));
      if (index < 0) return FORGED;
      const at = index * PROOFS_LENGTH + PROOF_AT[kind];
      const given = Buffer.from(text.slice(PAYLOAD_LENGTH), 'latin1');
      const isSigned = signers.some((signOf) => {
        const proof = signOf(text.slice(0, INDEX_AT), period, index + 1).slice(at, at + PROOF_LENGTH);
        return timingSafeEqual(Buffer.from(proof, 'latin1'), given);
      });
      if (!isSigned) return FORGED;

      const claims: Claims = {
        kind,
        adId: number(AD_AT, USE_AT),
        zoneId: number(ZONE_AT, AD_AT),
        decisionId: Buffer.from(text.slice(RUN_AT, PAYLOAD_LENGTH), 'base64url').toString('hex'),
        issuedAtMs,
        video: number(CREATIVE_AT, ZONE_AT) % 2 === 1,
        creative: number(CREATIVE_AT, ZONE_AT) >> 1,
        use: USES[number(USE_AT, REASON_AT)] ?? 'page',
        reason: REASONS[number(REASON_AT, ORIGIN_AT) - 1] ?? null,
        origin: text.slice(ORIGIN_AT, ISSUED_AT),
      };
      return { state: isExpired(kind, claims.issuedAtMs, nowMs) ? 'expired' : 'valid', claims };
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;

/** Returns the function that makes the random names of runs. It generates them in batches. */
function createNames(): () => string {
  let names = '';
  let used = 0;
  return () => {
    if (used === names.length) {
      names = randomBytes((NAMES_PER_BATCH * NAME_LENGTH * 3) / 4).toString('base64url');
      used = 0;
    }
    return names.slice(used, (used += NAME_LENGTH));
  };
}

/** Returns the function that signs with the keys of one secret. */
function createSigner(secret: string) {
  const keys = new Map<number, string>();
  return (head: string, period: number, decisions: number): string => {
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
  };
}

function base36(number: number, length: number): string {
  return number.toString(36).padStart(length, '0');
}
