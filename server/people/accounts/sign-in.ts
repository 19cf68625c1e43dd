import type { FastifyRequest } from 'fastify';
import { WRONG_SECOND_FACTOR } from '#domain/accounts/codes.ts';
import type { getCurrentUser, login, logout } from '#domain/accounts/contract.ts';
import { deviceOf } from '#domain/accounts/device.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { endSession, sessionOf, startSession } from '#server/platform/http/sessions.ts';
import { mailNewDevice } from '#server/notify/mails/account-mail.ts';
import { hasLiveCode, issueCode } from './email/codes.ts';
import { rememberDevice } from './record/known-devices.ts';
import { limitCall } from './record/limits.ts';
import { verifyPassword } from './keys/passwords.ts';
import { ownUser, showUser } from './record/show-user.ts';
import { secondFactorOf, takeSecondFactor } from './keys/second-factor.ts';
import { logFailure, logSecurity, warnOfFailure } from './record/security-log.ts';
import { findUserByEmail, lockUser, readPassword, type UserRow } from './record/store.ts';

const WRONG = 'Invalid email or password';

/** An unknown address and a wrong password get the same answer after the same time. [OP-027] */
export async function signIn(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof login>,
  request: FastifyRequest,
): Promise<Reply<typeof login>> {
  const taken = await limitCall(ctx, request, 'login', body.email);
  // The point of this limit is not returned after a success. [WARD-15]
  await limitCall(ctx, request, 'sign-in', body.email).catch(async (refusal: unknown) => {
    await taken.returnPoint();
    throw refusal;
  });
  const user = await findUserByEmail(ctx.db, body.email);
  const right = await verifyPassword(user?.password ?? null, body.password);
  if (!user || !right) {
    if (user) await logFailure(ctx, { userId: user.id, kind: 'sign-in-failed', client: request });
    else warnOfFailure(ctx, { userId: null, kind: 'sign-in-failed', client: request });
    throw unauthorized(WRONG);
  }
  await taken.returnPoint();

  if (!user.isEmailVerified) {
    await ensureLiveCode(ctx, user.id);
    return { requiresVerification: true };
  }
  const byCode = (await secondFactorOf(ctx.db, user.id)).isOn;
  if (byCode) {
    if (body.code === undefined) return { requiresSecondFactor: true };
    if (!(await takeSecondFactor(ctx, user.id, body.code, request))) throw unauthorized(WRONG_SECOND_FACTOR);
  }
  await startSession(ctx, request, user.id, { byCode });
  // A password reset ends all sessions. If it ran in between, it missed this session.
  if ((await readPassword(ctx.db, user.id)) !== user.password) {
    await endSession(ctx, request);
    throw unauthorized(WRONG);
  }
  await noteSignIn(ctx, request, user, 'signed-in');
  return { user: await showUser(ctx.db, user) };
}

/** Remembers the browser and logs the sign-in. The user gets a mail if the browser is new. [SEC-19, SEC-20] */
export async function noteSignIn(
  ctx: Context,
  request: FastifyRequest,
  user: UserRow,
  kind: 'signed-in' | 'passkey-used',
): Promise<void> {
  const isNew = (await rememberDevice(ctx, request, user.id)) === 'new';
  if (!isNew || kind === 'passkey-used')
    await logSecurity(ctx, ctx.db, { userId: user.id, kind, client: request });
  if (!isNew) return;
  await logSecurity(ctx, ctx.db, { userId: user.id, kind: 'new-device', client: request });
  await noticeNewDevice(ctx, request, user.email);
}

/** The mail names the device and no network address, because people recognize their device. [SEC-19] */
async function noticeNewDevice(ctx: Context, request: FastifyRequest, recipient: string): Promise<void> {
  const device = deviceOf(request.headers['user-agent']);
  await ctx.db.transaction().execute(async (tx) => await mailNewDevice(ctx, tx, { recipient, device }));
}

/** Mails a new code to an address that is not verified, unless a live one is on its way. */
export async function ensureLiveCode(ctx: Context, userId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.isEmailVerified || (await hasLiveCode(ctx, tx, user, 'verify'))) return;
    await issueCode(ctx, tx, user, 'verify');
  });
}

export async function signOut(
  ctx: Context,
  who: Caller | null,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof logout>> {
  await endOwnSession(ctx, who, request);
  return { success: true };
}

/** Signs the caller out, if there is a session. An operator who looks at an account signs out themselves. [SEC-20] */
export async function endOwnSession(
  ctx: Context,
  who: Caller | null,
  request: FastifyRequest,
): Promise<void> {
  await endSession(ctx, request);
  if (!who) return;
  const userId = who.viewer ?? who.id;
  await logSecurity(ctx, ctx.db, { userId, kind: 'signed-out', client: request });
}

export async function currentUser(ctx: Context, who: Caller): Promise<Reply<typeof getCurrentUser>> {
  return await showUser(ctx.db, await ownUser(ctx, who), who.member);
}

/** Says as well until when an operator looks at the account. [OPER-200] */
export async function sessionsUser(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof getCurrentUser>> {
  const user = await currentUser(ctx, who);
  const { view } = sessionOf(request);
  return view === null ? user : { ...user, view: { until: view.until.toISOString() } };
}
