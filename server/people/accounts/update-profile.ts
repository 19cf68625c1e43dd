import type { FastifyRequest } from 'fastify';
import type { updateProfile } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { forbidden, unauthorized } from '#server/platform/http/errors.ts';
import { changeAddress } from './email/change-email.ts';
import { limitCall } from './record/limits.ts';
import { ownUser, showUser } from './record/show-user.ts';
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts';
import { logSecurity } from './record/security-log.ts';
import { lockUser, updateUser } from './record/store.ts';

/** Changes the names or the address. A new address must be verified again. The current session stays open. [OP-033] */
export async function changeOwnProfile(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof updateProfile>,
  request: FastifyRequest,
): Promise<Reply<typeof updateProfile>> {
  // The contract lower-cases the address, so the same one in capitals is no change.
  if (body.email !== undefined && body.email !== (await ownUser(ctx, who)).email) {
    // Whoever reads the mail of the account can set its password, and so act for all accounts of its founder. [RES-78]
    if (who.member) throw forbidden('Only the person who signs in with this address can change it.');
    await requireRecentSignIn(ctx, request);
    // The code goes to an address that has not been verified yet.
    await limitCall(ctx, request, 'code-mail', body.email);
  }
  return await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    if (body.email === undefined || body.email === user.email) {
      return await showUser(tx, await updateUser(tx, user.id, body, ctx.now()), who.member);
    }
    await logSecurity(ctx, tx, { userId: user.id, kind: 'email-changed', client: request });
    return await showUser(tx, await changeAddress(ctx, tx, user, { ...body, email: body.email }));
  });
}
