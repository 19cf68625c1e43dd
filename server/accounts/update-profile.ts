import type { FastifyRequest } from 'fastify';
import type { updateProfile } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { changeAddress } from './change-email.ts';
import { limitCall } from './limits.ts';
import { showUser } from './show-user.ts';
import { lockUser, updateUser } from './store.ts';

/** Names, or the address, which is stored at once and has to be proved again; the present session stays (OP-033). */
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
      return await showUser(tx, await updateUser(tx, user.id, body, ctx.now()));
    }
    return await showUser(tx, await changeAddress(ctx, tx, user, { ...body, email: body.email }));
  });
}
