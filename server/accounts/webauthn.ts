/**
 * The server's side of WebAuthn (https://www.w3.org/TR/webauthn-3/): challenges, and the checks of the answers of
 * browsers. The library does the cryptography. It takes 30 MB, so it is loaded with the first passkey. [decision 026]
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Assertion, NewCredential } from '#domain/accounts/passkeys-contract.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/accounts/passkeys.ts';
import type { Context } from '../context.ts';
import { conflict, invalid, unauthorized } from '../http/errors.ts';
import { keepBrowserToken } from '../http/browser-token.ts';
import { hashToken } from './rules.ts';
import { logFailure, warnOfFailure } from './security-log.ts';
import {
  countUse,
  deleteChallenge,
  deleteChallengesBefore,
  insertChallenge,
  type PasskeyRow,
  type Purpose,
} from './store-passkeys.ts';

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
    holderHash: hashToken(purpose === 'sign-in' ? keepBrowserToken(request) : request.session.sessionId),
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
  const holder = purpose === 'sign-in' ? request.browserToken : request.session.sessionId;
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
  const { clientDataJSON, attestationObject } = credential.response;
  const challenge = await takeChallenge(ctx, request, { purpose: 'add', clientDataJSON });
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const party = relyingParty(ctx);
  try {
    await refuseCertificates(attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw new Error('The attestation is not valid.');
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter };
  } catch (error) {
    ctx.log.warn({ err: error }, 'a new passkey was refused');
    throw invalid(REFUSED);
  }
}

/**
 * To check the certificates of a device, the library loads addresses from them. We request no certificates, so browsers
 * send none, and the certificate of an attacker must not make the server load anything (ASVS 1.3.6).
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  if (format === 'none') return;
  // Self attestation, which browsers pass on: the key signs for itself.
  if (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined) return;
  throw new Error('The attestation has a format that was not requested.');
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
  const counter = await counterOf(ctx, { credential, challenge, party, passkey });
  if (counter === null) {
    await logFailure(ctx, { userId, kind: 'passkey-failed', client: request });
    throw refused(REFUSED);
  }
  if (!(await countUse(ctx.db, passkey.id, { counter, now: ctx.realNow() }))) {
    await logFailure(ctx, { userId, kind: 'passkey-copied', client: request });
    throw refused(COPIED);
  }
  return passkey;
}

/** The counter of a right answer, or null for a wrong one. */
async function counterOf(
  ctx: Context,
  {
    credential,
    challenge,
    party,
    passkey,
  }: {
    credential: Assertion;
    challenge: string;
    party: { id: string; origin: string };
    passkey: PasskeyRow;
  },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        // `countUse` compares the counter in one statement, so that parallel answers are compared, too.
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    ctx.log.warn({ err: error }, 'the answer of a passkey was refused');
    return null;
  }
}

/** Removes challenges that were not answered in time. */
export async function removeOldChallenges(ctx: Context): Promise<void> {
  await deleteChallengesBefore(ctx.db, ctx.realNow());
}
