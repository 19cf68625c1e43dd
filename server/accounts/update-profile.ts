import type { FastifyRequest } from 'fastify';
import type { updateProfile } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { conflict, unauthorized } from '../http/errors.ts';
import { mailAddressChanged } from '../notifications/account-mail.ts';
import { issueCode } from './codes.ts';
import { limitCall } from './limits.ts';
import { EMAIL_TAKEN } from './register.ts';
import { findUserByEmail, lockUser, type ProfileChange, updateUser, type UserRow } from './store.ts';
import { mirrorCode, voidCodes } from './store-codes.ts';
import { viewUser } from './view.ts';

/** A new address is stored at once and has to be proved again; the present session stays (OP-033). */
export async function changeOwnProfile(
  ctx: Context,
  who: Who,
  { body }: Parsed<typeof updateProfile>,
  request: FastifyRequest,
): Promise<Reply<typeof updateProfile>> {
  // Mail goes to an address that nobody has proved yet.
  if (body.email !== undefined) await limitCall(ctx, request, 'code-mail', body.email);
  return await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    if (body.email === undefined || body.email === user.email) {
      return viewUser(await updateUser(tx, user.id, body, ctx.now()));
    }
    return viewUser(await changeAddress(ctx, tx, user, { ...body, email: body.email }));
  });
}

async function changeAddress(
  ctx: Context,
  tx: Tx,
  user: UserRow,
  change: ProfileChange & { email: string },
): Promise<UserRow> {
  if (await findUserByEmail(tx, change.email)) throw conflict(EMAIL_TAKEN);
  const changed = await updateUser(tx, user.id, { ...change, isEmailVerified: false }, ctx.now()).catch(
    (error: unknown) => {
      // Somebody took it in the same moment.
      throw isUniqueViolation(error) ? conflict(EMAIL_TAKEN) : error;
    },
  );
  // What was mailed to the old address opens nothing any more.
  await voidCodes(tx, user.email);
  await mirrorCode(tx, user.id, 'reset', null);
  await issueCode(ctx, tx, changed, 'verify');
  await mailAddressChanged(ctx, tx, { recipient: user.email, newAddress: changed.email });
  return changed;
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}
