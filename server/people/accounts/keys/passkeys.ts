/** The passkeys of the signed-in user. */
import type { FastifyRequest } from 'fastify';
import { deviceOf } from '#domain/accounts/device.ts';
import type {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '#domain/accounts/passkeys-contract.ts';
import { CHALLENGE_LIFETIME_MS, MAX_PASSKEYS } from '#domain/accounts/passkeys.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { conflict, notFound, unauthorized } from '#server/platform/http/errors.ts';
import { mailPasskeyChanged } from '#server/notify/mails/account-mail.ts';
import { ownUser } from '../record/show-user.ts';
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts';
import { logSecurity } from '../record/security-log.ts';
import { lockUser } from '../record/store.ts';
import { deletePasskey, insertPasskey, selectPasskeys, updateName } from '../record/store-passkeys.ts';
import { passkeyReply, passkeyReferenceReply } from '../record/reply.ts';
import { ALGORITHMS, checkNewCredential, newChallenge, relyingParty, userHandle } from './webauthn.ts';

const KNOWN = 'This passkey is already in use. Use another device or another password manager.';
/** A refused answer costs more than most calls. */
const SET_UPS_AN_HOUR = { points: 20, seconds: 3600 };
const TOO_MANY = `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one that you no longer use first.`;
const GONE = 'This passkey no longer exists. Reload the page to see your passkeys.';

/** [KEY-01] */
export async function ownPasskeys(
  ctx: Context,
  who: Pick<Caller, 'id'>,
): Promise<Reply<typeof listPasskeys>> {
  return (await selectPasskeys(ctx.db, who.id)).map(passkeyReply);
}

/** A new way into the account is added only by a user who has just signed in or repeated the password. [KEY-01] */
export async function beginOwnPasskey(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof beginPasskey>> {
  await requireRecentSignIn(ctx, request);
  await ctx.limits('passkey-set-up', SET_UPS_AN_HOUR)(String(who.id));
  const { id } = relyingParty(ctx);
  const user = await ownUser(ctx, who);
  const passkeys = await selectPasskeys(ctx.db, who.id);
  if (passkeys.length >= MAX_PASSKEYS) throw conflict(TOO_MANY);
  const fullName = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return {
    rp: { id, name: ctx.config.brand.name },
    user: { id: userHandle(ctx, user.id), name: user.email, displayName: fullName || user.email },
    challenge: await newChallenge(ctx, request, 'add'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: passkeys.map(passkeyReferenceReply),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** [KEY-01] */
export async function addOwnPasskey(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof addPasskey>,
  request: FastifyRequest,
): Promise<Reply<typeof addPasskey>> {
  await requireRecentSignIn(ctx, request);
  await ctx.limits('passkey-answer', SET_UPS_AN_HOUR)(String(who.id));
  const credential = await checkNewCredential(ctx, request, body.credential);
  const name = body.name ?? deviceOf(request.headers['user-agent']) ?? 'Passkey';
  return await ctx.db.transaction().execute(async (tx) => {
    // The lock makes parallel calls count one after the other.
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    if ((await selectPasskeys(tx, user.id)).length >= MAX_PASSKEYS) throw conflict(TOO_MANY);
    const passkey = await insertPasskey(tx, {
      userId: user.id,
      ...credential,
      transports: body.credential.response.transports ?? [],
      name,
      createdAt: ctx.now(),
    });
    if (!passkey) throw conflict(KNOWN);
    await logSecurity(ctx, tx, { userId: user.id, kind: 'passkey-added', client: request });
    await mailPasskeyChanged(ctx, tx, { recipient: user.email, name, isAdded: true });
    return passkeyReply(passkey);
  });
}

/** [KEY-01] */
export async function renameOwnPasskey(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof renamePasskey>,
): Promise<Reply<typeof renamePasskey>> {
  const passkey = await updateName(ctx.db, who.id, { id: params.id, name: body.name });
  if (!passkey) throw notFound(GONE);
  return passkeyReply(passkey);
}

/**
 * The last passkey may go, too: every account has a password, or sets one with a mailed link. [KEY-01]
 */
export async function removeOwnPasskey(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof removePasskey>,
  request: FastifyRequest,
): Promise<Reply<typeof removePasskey>> {
  await requireRecentSignIn(ctx, request);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    const name = await deletePasskey(tx, user.id, params.id);
    if (name === null) throw notFound(GONE);
    await logSecurity(ctx, tx, { userId: user.id, kind: 'passkey-removed', client: request });
    await mailPasskeyChanged(ctx, tx, { recipient: user.email, name, isAdded: false });
  });
  return { success: true };
}
