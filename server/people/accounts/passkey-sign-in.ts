/** A passkey signs in, or confirms an older session. It stands for password and second factor. */
import type { FastifyRequest } from 'fastify';
import type {
  beginPasskeyReauthenticate,
  beginPasskeySignIn,
  passkeyReauthenticate,
  passkeySignIn,
} from '#domain/accounts/passkeys-contract.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/accounts/passkeys.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { conflict, unauthorized } from '#server/platform/http/errors.ts';
import { endSession, startSession } from '#server/platform/http/sessions.ts';
import { limitCall } from './record/limits.ts';
import { ownUser, showUser } from './record/show-user.ts';
import { noteConfirmed } from './keys/recent-sign-in.ts';
import { ensureLiveCode, noteSignIn } from './sign-in.ts';
import { findUser } from './record/store.ts';
import { findPasskey, lockPasskey, selectPasskeys } from './record/store-passkeys.ts';
import { passkeyReferenceReply } from './record/reply.ts';
import { checkAssertion, newChallenge, relyingParty } from './keys/webauthn.ts';

const NO_PASSKEY = 'You have no passkey. Enter your password instead.';
const GONE = 'This passkey was removed. Sign in with your password.';

/**
 * Names no passkeys, so that the answer does not reveal which addresses have an account. The browser offers those that
 * it has.
 */
export async function beginSignIn(
  ctx: Context,
  _who: unknown,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof beginPasskeySignIn>> {
  await limitCall(ctx, request, 'passkey-options');
  return {
    rpId: relyingParty(ctx).id,
    challenge: await newChallenge(ctx, request, 'sign-in'),
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: [],
    userVerification: 'required',
  };
}

/** [KEY-02] */
export async function signInByPasskey(
  ctx: Context,
  _who: unknown,
  { body: { credential } }: Parsed<typeof passkeySignIn>,
  request: FastifyRequest,
): Promise<Reply<typeof passkeySignIn>> {
  const taken = await limitCall(ctx, request, 'passkey');
  const passkey = await checkAssertion(ctx, request, {
    credential,
    purpose: 'sign-in',
    find: async () => await findPasskey(ctx.db, credential.id),
  });
  await taken.returnPoint();
  const user = await findUser(ctx.db, passkey.userId);
  if (!user) throw unauthorized(GONE);
  if (!user.isEmailVerified) {
    await ensureLiveCode(ctx, user.id);
    return { requiresVerification: true, email: user.email };
  }
  await startSession(ctx, request, user.id, { byPasskey: true });
  // Undoing a change of e-mail removes the passkeys and ends all sessions. If it ran in between, it missed this
  // session.
  if (!(await lockPasskey(ctx.db, passkey.id))) {
    await endSession(ctx, request);
    throw unauthorized(GONE);
  }
  await noteSignIn(ctx, request, user, 'passkey-used');
  return { user: await showUser(ctx.db, user) };
}

export async function beginOwnReauthenticate(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof beginPasskeyReauthenticate>> {
  const { id: rpId } = relyingParty(ctx);
  const passkeys = await selectPasskeys(ctx.db, who.id);
  if (passkeys.length === 0) throw conflict(NO_PASSKEY);
  return {
    rpId,
    challenge: await newChallenge(ctx, request, 'reauthenticate'),
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: passkeys.map(passkeyReferenceReply),
    userVerification: 'required',
  };
}

/** Confirms the current session with one of the caller's own passkeys. [KEY-05] */
export async function confirmByPasskey(
  ctx: Context,
  who: Caller,
  { body: { credential } }: Parsed<typeof passkeyReauthenticate>,
  request: FastifyRequest,
): Promise<Reply<typeof passkeyReauthenticate>> {
  const user = await ownUser(ctx, who);
  const taken = await limitCall(ctx, request, 'passkey', user.email);
  await checkAssertion(ctx, request, {
    credential,
    purpose: 'reauthenticate',
    find: async () => {
      const passkey = await findPasskey(ctx.db, credential.id);
      return passkey?.userId === who.id ? passkey : undefined;
    },
  });
  await taken.returnPoint();
  await noteConfirmed(ctx, request, user.id, { byPasskey: true });
  return { success: true };
}
