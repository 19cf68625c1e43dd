import type { FastifyRequest } from 'fastify';
import type { checkEmail, register } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { refuseCommonPassword, hashPassword } from '../keys/passwords.ts';
import { issueCode } from './codes.ts';
import { rememberDevice } from '../record/known-devices.ts';
import { limitCall } from '../record/limits.ts';
import { requireAcceptedTerms } from '#server/platform/pages/terms.ts';
import { findUserByEmail, insertUser } from '../record/store.ts';
import type { Database } from '#server/platform/database/database.ts';

export const EMAIL_TAKEN = 'Email is already registered';

export async function checkEmailIsFree(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof checkEmail>,
  request: FastifyRequest,
): Promise<Reply<typeof checkEmail>> {
  await limitCall(ctx, request, 'check-email');
  return { available: (await findUserByEmail(ctx.db, body.email)) === undefined };
}

/**
 * Opens an account but no session, which starts only with the code. An address counts as taken even if it has not been
 * verified. [OP-029] [OP-026]
 */
export async function registerUser(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof register>,
  request: FastifyRequest,
): Promise<Reply<typeof register>> {
  refuseCommonPassword(body.password, 'password');
  requireAcceptedTerms(ctx.config, body.acceptedTerms);
  await limitCall(ctx, request, 'register', body.email);
  // Hashing is slow on purpose, so it runs before the transaction.
  const password = await hashPassword(body.password);
  const { email, firstName, lastName, timezone } = body;
  const id = await ctx.db.transaction().execute(async (tx) => {
    const user = await insertUser(tx, { email, password, firstName, lastName }, ctx.now(), {
      timezone,
      acceptedTerms: body.acceptedTerms,
    });
    if (!user) throw conflict(EMAIL_TAKEN);
    await issueCode(ctx, tx, { id: user.id, email }, 'verify');
    return user.id;
  });
  // In this browser, the link in the mail works without the password.
  await rememberDevice(ctx, request, id);
  return { success: true, requiresVerification: true };
}

export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Says whether the installation has an account, and asks the database only until there is one. */
export function watchFirstAccount(db: Database): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    isKnown ||= await hasAccounts(db);
    return isKnown;
  };
}
