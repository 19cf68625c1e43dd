import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  CODE_ALPHABET,
  readSecondFactorCode,
  RECOVERY_CODE_LENGTH,
  RECOVERY_CODES,
  showRecoveryCode,
  WRONG_SECOND_FACTOR,
} from '#domain/accounts/codes.ts';
import type {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  SecondFactor,
} from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, forbidden, invalid } from '#server/platform/http/errors.ts';
import { renewSession, sessionOf } from '#server/platform/http/sessions.ts';
import { mailSecondFactorChanged } from '#server/notify/mails/account-mail.ts';
import { limitCall } from '../record/limits.ts';
import { verifyPassword } from './passwords.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { logFailure, logSecurity } from '../record/security-log.ts';
import { lockUser, type UserRow } from '../record/store.ts';
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  lockFactorsAfter,
  readFactors,
  replaceRecoveryCodes as storeRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  updateSecrets,
} from '../record/store-second-factors.ts';
import { ownUser } from '../record/show-user.ts';
import { deleteSessionsOf } from '../record/store-sessions.ts';
import { enrolmentOf, newSecret, stepOf } from './totp.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

/** The purpose of the key that seals the secrets of authenticator apps. */
const KEY = 'second factors';

const ALREADY_ON = 'Two-step verification is already on. Turn it off first to set up another app.';
const NOT_BEGUN =
  'The set-up has not begun or was finished on another device. Reload the page and start again.';
const NOT_ON = 'Two-step verification is off. Turn it on in Settings › Security first.';
const WRONG_PASSWORD = 'This password is wrong. Enter the password of your account.';

/** Returns whether the person's sign-in needs a second factor, and how many recovery codes are left. [SEC-01] */
export async function secondFactorOf(tx: Tx, personId: number): Promise<SecondFactor> {
  const factor = await findFactor(tx, personId);
  const isOn = (factor?.confirmedAt ?? null) !== null;
  return { isOn, recoveryCodesLeft: isOn ? await countRecoveryCodes(tx, personId) : 0 };
}

/**
 * Uses a code of the authenticator app or a recovery code. Throws 403 if the person has no second factor, 400 for a
 * code that is wrong or used, and 429 after too many wrong ones. Call it outside of a transaction, because an error
 * would roll back the use of the code.
 */
export async function requireSecondFactor(
  ctx: Context,
  personId: number,
  code: string,
  request: FastifyRequest | null = null,
): Promise<void> {
  if (!(await secondFactorOf(ctx.db, personId)).isOn) throw forbidden(NOT_ON);
  if (!(await takeSecondFactor(ctx, personId, code, request))) throw invalid(WRONG_SECOND_FACTOR, 'code');
}

/**
 * Wrong codes of the app per account and day, from anywhere. Only callers who know the password can use them up. At 20
 * tries a day against three valid codes, a guess takes decades. Recovery codes can't be guessed, so they still work.
 */
const APP_CODES = { points: 20, seconds: 24 * 60 * 60 };

/** Returns whether the code was right and unused. It is used afterwards: one conditional statement decides. [SEC-03] */
export async function takeSecondFactor(
  ctx: Context,
  userId: number,
  typed: string,
  client: FastifyRequest | null,
): Promise<boolean> {
  const { kind, code } = readSecondFactorCode(typed);
  const isRight =
    kind === 'recovery'
      ? await takeRecoveryCode(ctx.db, userId, hashToken(code), ctx.realNow())
      : await takeAppCode(ctx, userId, code);
  if (!isRight) await logFailure(ctx, { userId, kind: 'second-factor-failed', client });
  else if (kind === 'recovery')
    await logSecurity(ctx, ctx.db, { userId, kind: 'recovery-code-used', client });
  return isRight;
}

async function takeAppCode(ctx: Context, userId: number, code: string): Promise<boolean> {
  const limit = ctx.limits('second-factor', APP_CODES);
  await limit(String(userId));
  const factor = await findFactor(ctx.db, userId);
  const secret = factor?.confirmedAt ? unseal(ctx.keysFor(KEY), userId, factor.secret) : null;
  const step = secret && stepOf(secret, code, ctx.realNow());
  if (step === null || !(await takeStep(ctx.db, userId, step))) return false;
  await limit.returnPoint(String(userId));
  return true;
}

/** Removes the second factor and the recovery codes. For use cases that have their own proof of the owner. */
export async function forgetSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  return await deleteFactor(tx, userId);
}

export async function ownSecondFactor(ctx: Context, who: Caller): Promise<Reply<typeof getSecondFactor>> {
  return await secondFactorOf(ctx.db, who.id);
}

/** Starts the set-up with a new secret. Nothing changes at sign-in until a first code confirms it. [SEC-01] */
export async function beginOwn(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof beginSecondFactor>,
  request: FastifyRequest,
): Promise<Reply<typeof beginSecondFactor>> {
  const user = await requirePassword(ctx, who, body.password, request);
  const secret = newSecret();
  if (!(await beginFactor(ctx.db, user.id, seal(ctx.keyFor(KEY), user.id, secret), ctx.realNow())))
    throw conflict(ALREADY_ON);
  return enrolmentOf(secret, user.email, ctx.config.brand.name);
}

/**
 * The recovery codes are in this answer only. [SEC-01] All other sessions end, because they were opened without a code, and
 * perhaps by a stranger who knows the password (ASVS 7.4.3). [OPER-03]
 */
export async function confirmOwn(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof confirmSecondFactor>,
  request: FastifyRequest,
): Promise<Reply<typeof confirmSecondFactor>> {
  const { kind, code } = readSecondFactorCode(body.code);
  const factor = await findFactor(ctx.db, who.id);
  if (factor?.confirmedAt) throw conflict(ALREADY_ON);
  const secret = factor && unseal(ctx.keysFor(KEY), who.id, factor.secret);
  if (!factor || !secret) throw conflict(NOT_BEGUN);
  const step = kind === 'app' ? stepOf(secret, code, ctx.realNow()) : null;
  if (step === null) throw invalid(WRONG_SECOND_FACTOR, 'code');
  const answer = await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    const change = { secret: factor.secret, step, now: ctx.realNow() };
    if (!user || !(await confirmFactor(tx, who.id, change))) throw conflict(NOT_BEGUN);
    await mailSecondFactorChanged(ctx, tx, { recipient: user.email, isOn: true });
    await deleteSessionsOf(tx, who.id, sessionOf(request).id);
    await logSecurity(ctx, tx, { userId: who.id, kind: 'second-factor-on', client: request });
    return { recoveryCodes: await newRecoveryCodes(tx, who.id) };
  });
  // If the session has ended meanwhile, the person still needs the codes: the factor is on.
  // A code of the account says nothing about the member who gives it.
  if (!who.member) await renewSession(ctx, request, { codeAt: ctx.realNow().getTime() });
  return answer;
}

/** [SEC-03] */
export async function replaceOwnRecoveryCodes(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof replaceRecoveryCodes>,
  request: FastifyRequest,
): Promise<Reply<typeof replaceRecoveryCodes>> {
  await requirePassword(ctx, who, body.password, request);
  await requireSecondFactor(ctx, who.id, body.code, request);
  return await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, who.id);
    if (!(await secondFactorOf(tx, who.id)).isOn) throw conflict(NOT_ON);
    await logSecurity(ctx, tx, { userId: who.id, kind: 'recovery-codes-replaced', client: request });
    return { recoveryCodes: await newRecoveryCodes(tx, who.id) };
  });
}

/** [SEC-04] */
export async function removeOwn(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof removeSecondFactor>,
  request: FastifyRequest,
): Promise<Reply<typeof removeSecondFactor>> {
  await requirePassword(ctx, who, body.password, request);
  await requireSecondFactor(ctx, who.id, body.code, request);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user || !(await forgetSecondFactor(tx, who.id))) throw conflict(NOT_ON);
    await mailSecondFactorChanged(ctx, tx, { recipient: user.email, isOn: false });
    await logSecurity(ctx, tx, { userId: who.id, kind: 'second-factor-off', client: request });
  });
  return { success: true };
}

/** Throws 400 for a wrong password, because 401 would tell the web application that the session has ended. */
export async function requirePassword(
  ctx: Context,
  who: Caller,
  password: string,
  request: FastifyRequest,
  field = 'password',
): Promise<UserRow> {
  const user = await ownUser(ctx, who);
  const taken = await limitCall(ctx, request, 'login', user.email);
  if (!(await verifyPassword(user.password, password))) {
    await logFailure(ctx, { userId: user.id, kind: 'reauthentication-failed', client: request });
    throw invalid(WRONG_PASSWORD, field);
  }
  await taken.returnPoint();
  return user;
}

async function newRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await storeRecoveryCodes(tx, userId, codes.map(hashToken));
  return codes.map(showRecoveryCode);
}

function newRecoveryCode(): string {
  return Array.from(
    { length: RECOVERY_CODE_LENGTH },
    () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)],
  ).join('');
}

const RESEALED_AT_ONCE = 1000;

/**
 * Seals all second factors with the first secret of SESSION_SECRET, so that the older ones can be removed. Does nothing if
 * there is only one. Instances that do this at once share the work. [OPS-11]
 */
export async function resealSecondFactors(ctx: Context): Promise<void> {
  const [newest, ...older] = ctx.keysFor(KEY);
  if (newest === undefined || older.length === 0) return;
  let after = 0;
  for (let isMore = true; isMore;) {
    isMore = await ctx.db.transaction().execute(async (tx) => {
      const factors = await lockFactorsAfter(tx, after, RESEALED_AT_ONCE);
      const resealed = factors.flatMap(({ userId, secret }) => {
        const plain = unseal([newest], userId, secret) ? null : unseal(older, userId, secret);
        return plain ? [{ userId, secret: seal(newest, userId, plain) }] : [];
      });
      if (resealed.length > 0) await updateSecrets(tx, resealed);
      after = factors.at(-1)?.userId ?? after;
      return factors.length > 0;
    });
  }
}

/** The number of second factors that need an older secret of SESSION_SECRET. [OPS-11] */
export async function countOldSeals(tx: Tx, keysFor: Context['keysFor']): Promise<number> {
  const [newest, ...older] = keysFor(KEY);
  const factors = await readFactors(tx);
  return factors.filter(
    ({ userId, secret }) => !unseal([newest!], userId, secret) && unseal(older, userId, secret),
  ).length;
}
