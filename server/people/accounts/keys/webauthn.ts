/**
 * The server's side of WebAuthn (https://www.w3.org/TR/webauthn-3/): challenges, and the checks of the answers of
 * browsers. A library does the cryptography, in a decoder process. [decision 021]
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Assertion, NewCredential } from '#domain/accounts/passkeys-contract.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/accounts/passkeys.ts';
import type { Context } from '#server/platform/context.ts';
import { DecoderEnded } from '#server/platform/decoding/decoders.ts';
import { Refusal } from '#server/platform/decoding/kinds.ts';
import { conflict, invalid, unauthorized } from '#server/platform/http/errors.ts';
import { keepBrowserToken } from '#server/platform/http/browser/browser-token.ts';
import { sessionOf } from '#server/platform/http/sessions.ts';
import { logFailure, warnOfFailure } from '../record/security-log.ts';
import {
  countUse,
  deleteChallenge,
  deleteChallengesBefore,
  insertChallenge,
  type PasskeyRow,
  type Purpose,
} from '../record/store-passkeys.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

const NO_NAME =
  'Passkeys need a domain name, but this server’s address is an IP address. Use your password instead.';
const EXPIRED = 'Your passkey was asked too long ago, or its answer was already used. Please try again.';
const REFUSED = 'This passkey was not accepted. Try again, or use your password.';
const COPIED =
  'This passkey was not accepted, because it may have been copied. Sign in with your password, then remove the passkey in Settings › Security and add a new one.';

/** ES256, EdDSA and RS256, by their numbers in COSE (RFC 9053). */
export const ALGORITHMS = [-7, -8, -257];

/** The relying party: passkeys only work for this name and this origin. Throws 409 where the address has no name. */
export function relyingParty(ctx: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(ctx.config.publicUrl);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) throw conflict(NO_NAME);
  return { id: hostname, origin };
}

/** The name of the account for authenticators. It says nothing about the person and is the same for all their passkeys. */
export function userHandle(ctx: Context, userId: number): string {
  return createHmac('sha256', ctx.keyFor('user handles of passkeys'))
    .update(String(userId))
    .digest('base64url');
}

/** Makes a challenge that only this session can answer, or only this browser if it has no session yet. [KEY-03] */
export async function newChallenge(ctx: Context, request: FastifyRequest, purpose: Purpose): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await insertChallenge(ctx.db, {
    challengeHash: hashToken(challenge),
    holderHash: hashToken(purpose === 'sign-in' ? keepBrowserToken(request) : sessionOf(request).id),
    purpose,
    expiresAt: new Date(ctx.realNow().getTime() + CHALLENGE_LIFETIME_MS),
  });
  return challenge;
}

/**
 * Uses the challenge of an answer up and returns it. Throws 400 if it is unknown, used, expired, or belongs to another
 * session or browser. Runs outside of a transaction, because a challenge is used up even if its answer is refused.
 * [KEY-03]
 */
async function takeChallenge(
  ctx: Context,
  request: FastifyRequest,
  { purpose, clientDataJSON }: { purpose: Purpose; clientDataJSON: string },
): Promise<string> {
  const challenge = challengeOf(clientDataJSON);
  const holder = purpose === 'sign-in' ? request.browserToken : sessionOf(request).id;
  const isTaken =
    challenge !== null &&
    holder !== null &&
    (await deleteChallenge(ctx.db, {
      challengeHash: hashToken(challenge),
      holderHash: hashToken(holder),
      purpose,
      now: ctx.realNow(),
    }));
  if (!isTaken) throw invalid(EXPIRED);
  return challenge;
}

function challengeOf(clientDataJSON: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as unknown;
    const challenge = (data as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** A passkey that a browser made for this server, checked. Throws 400. */
export async function checkNewCredential(
  ctx: Context,
  request: FastifyRequest,
  credential: NewCredential,
): Promise<{ credentialId: string; publicKey: Buffer; counter: number }> {
  const { clientDataJSON } = credential.response;
  const challenge = await takeChallenge(ctx, request, { purpose: 'add', clientDataJSON });
  const checked = await acceptedOrNull(
    ctx,
    ctx.decoders.decode('new-passkey', jsonBytes(credential), {
      challenge,
      ...relyingParty(ctx),
      algorithms: ALGORITHMS,
    }),
  );
  if (checked === null) throw invalid(REFUSED);
  const { bytes: publicKey, ...found } = checked;
  return { ...found, publicKey: Buffer.from(publicKey) };
}

const jsonBytes = (credential: object): Buffer => Buffer.from(JSON.stringify(credential));

/** The result of a check, or null if the decoder refused the passkey or was ended by it. */
async function acceptedOrNull<T>(ctx: Context, check: Promise<T>): Promise<T | null> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof DecoderEnded)) throw error;
    ctx.log.warn({ err: error }, 'a passkey was refused');
    return null;
  }
}

/**
 * Checks the answer of a passkey to a challenge, and notes its use. `find` returns the passkey that the answer names.
 * Throws 400 for a challenge that is not this caller's, and 401 (in an open session 400) for an answer that is not
 * right. Every refusal is logged. [KEY-02, KEY-03, KEY-04]
 */
export async function checkAssertion(
  ctx: Context,
  request: FastifyRequest,
  {
    credential,
    purpose,
    find,
  }: { credential: Assertion; purpose: Purpose; find: () => Promise<PasskeyRow | undefined> },
): Promise<PasskeyRow> {
  const { clientDataJSON } = credential.response;
  const challenge = await takeChallenge(ctx, request, { purpose, clientDataJSON });
  const party = relyingParty(ctx);
  const passkey = await find();
  // In an open session, 401 would tell the web application that the session has ended.
  const refused = purpose === 'sign-in' ? unauthorized : invalid;
  if (!passkey) {
    warnOfFailure(ctx, { userId: null, kind: 'passkey-failed', client: request });
    throw refused(REFUSED);
  }
  const { userId } = passkey;
  const checked = await acceptedOrNull(
    ctx,
    ctx.decoders.decode('passkey', jsonBytes(credential), {
      challenge,
      ...party,
      credentialId: passkey.credentialId,
      publicKey: passkey.publicKey.toString('base64url'),
    }),
  );
  if (checked === null) {
    await logFailure(ctx, { userId, kind: 'passkey-failed', client: request });
    throw refused(REFUSED);
  }
  if (!(await countUse(ctx.db, passkey.id, { counter: checked.counter, now: ctx.realNow() }))) {
    await logFailure(ctx, { userId, kind: 'passkey-copied', client: request });
    throw refused(COPIED);
  }
  return passkey;
}

/** Removes challenges that were not answered in time. */
export async function removeOldChallenges(ctx: Context): Promise<void> {
  await deleteChallengesBefore(ctx.db, ctx.realNow());
}
