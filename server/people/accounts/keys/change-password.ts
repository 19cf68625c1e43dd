import type { FastifyRequest } from 'fastify';
import type { changePassword } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { conflict, unauthorized } from '#server/platform/http/errors.ts';
import { mailPasswordChanged } from '#server/notify/mails/account-mail.ts';
import { refuseCommonPassword, hashPassword } from './passwords.ts';
import { endPasswordSignIns } from './end-sign-ins.ts';
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts';
import { sessionOf } from '#server/platform/http/sessions.ts';
import { requirePassword } from './second-factor.ts';
import { logSecurity } from '../record/security-log.ts';
import { lockUser, updatePassword } from '../record/store.ts';
import { mirrorCode, voidCodes } from '../record/store-codes.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

const CHANGED_MEANWHILE = 'Your password was changed on another device. Sign in again.';

/** Changes the password, ends every other session and voids a pending reset. The current session stays. [SEC-08] */
export async function changeOwnPassword(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof changePassword>,
  request: FastifyRequest,
): Promise<Reply<typeof changePassword>> {
  await requireRecentSignIn(ctx, request);
  refuseCommonPassword(body.newPassword, 'newPassword');
  const { password: checked } = await requirePassword(
    ctx,
    who,
    body.currentPassword,
    request,
    'currentPassword',
  );
  const password = await hashPassword(body.newPassword);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    if (user.password !== checked) throw conflict(CHANGED_MEANWHILE);
    await updatePassword(tx, user.id, password, ctx.now());
    await voidCodes(tx, user.email, 'reset');
    await mirrorCode(tx, user.id, 'reset', null);
    const here = { sid: sessionOf(request).id, device: hashToken(request.deviceToken ?? '') };
    await endPasswordSignIns(tx, user.id, here);
    await logSecurity(ctx, tx, { userId: user.id, kind: 'password-changed', client: request });
    await mailPasswordChanged(ctx, tx, { recipient: user.email, after: 'change' });
  });
  return { success: true };
}
