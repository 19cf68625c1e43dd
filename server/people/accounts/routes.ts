import type { FastifyInstance } from 'fastify';
import {
  beginSecondFactor,
  changePassword,
  changeRole,
  checkConfirmed,
  checkEmail,
  chooseRole,
  confirmSecondFactor,
  endOtherSessions,
  endSession,
  forgotPassword,
  getBilling,
  getCurrentUser,
  getSecondFactor,
  getSettings,
  listSecurityEvents,
  listSessions,
  login,
  logout,
  openResetLink,
  reauthenticate,
  register,
  removePicture,
  removeSecondFactor,
  replaceRecoveryCodes,
  resendCode,
  undoEmailChange,
  updateProfile,
  updateSettings,
  verifyEmail,
  verifyEmailByLink,
} from '#domain/accounts/contract.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyReauthenticate,
  beginPasskeySignIn,
  listPasskeys,
  passkeyReauthenticate,
  passkeySignIn,
  removePasskey,
  renamePasskey,
} from '#domain/accounts/passkeys-contract.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { registerAvatars } from './avatar-files.ts';
import { removeOwnAvatar } from './avatar.ts';
import { changeOwnPassword } from './keys/change-password.ts';
import { beginOwnReauthenticate, beginSignIn, confirmByPasskey, signInByPasskey } from './passkey-sign-in.ts';
import {
  addOwnPasskey,
  beginOwnPasskey,
  ownPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
} from './keys/passkeys.ts';
import { confirmOwnSession } from './keys/recent-sign-in.ts';
import { checkEmailIsFree, registerUser } from './email/register.ts';
import { forgot, readResetLink } from './email/reset-password.ts';
import { undoChange } from './email/restore-email.ts';
import {
  beginOwn,
  confirmOwn,
  ownSecondFactor,
  removeOwn,
  replaceOwnRecoveryCodes,
} from './keys/second-factor.ts';
import { ownSecurityEvents } from './record/security-log.ts';
import { endOneSession, endSessionsElsewhere, ownSessions } from './sessions.ts';
import { changeOwnSettings, chooseOwnRole, ownBilling, ownSettings } from './settings.ts';
import { sessionsUser, signIn, signOut, endOwnSession } from './sign-in.ts';
import { changeOwnProfile } from './update-profile.ts';
import { resend, verifyByCode, verifyByLink } from './email/verify-email.ts';
import { isFromOurPage } from '#server/platform/http/guard.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { signedInUser } from '#server/platform/http/sessions.ts';

export const routes: Route[] = [
  route(getCurrentUser, { access: 'user', right: 'figures', whileSuspended: true }, sessionsUser),
  route(checkEmail, { access: 'anyone' }, checkEmailIsFree),
  route(register, { access: 'anyone' }, registerUser),
  route(login, { access: 'anyone' }, signIn),
  route(verifyEmail, { access: 'anyone' }, verifyByCode),
  route(verifyEmailByLink, { access: 'anyone' }, verifyByLink),
  route(resendCode, { access: 'anyone' }, resend),
  route(forgotPassword, { access: 'anyone' }, forgot),
  route(openResetLink, { access: 'anyone' }, readResetLink),
  route(logout, { access: 'anyone', endsView: true }, signOut),
  route(chooseRole, { access: 'user', right: 'owner' }, chooseOwnRole),
  route(changeRole, { access: 'user', right: 'owner' }, chooseOwnRole),
  route(getSettings, { access: 'user', right: 'money' }, ownSettings),
  route(updateSettings, { access: 'user', right: 'money' }, changeOwnSettings),
  route(getBilling, { access: 'user', right: 'money' }, ownBilling),
  route(updateProfile, { access: 'user', right: 'owner' }, changeOwnProfile),
  route(undoEmailChange, { access: 'user', right: 'self' }, undoChange),
  route(removePicture, { access: 'user', right: 'owner' }, removeOwnAvatar),
  route(checkConfirmed, { access: 'user', right: 'person', confirmed: true, notInView: true }, async () => ({
    success: true as const,
  })),
  route(reauthenticate, { access: 'user', right: 'person' }, confirmOwnSession),
  route(beginPasskeyReauthenticate, { access: 'user', right: 'person' }, beginOwnReauthenticate),
  route(passkeyReauthenticate, { access: 'user', right: 'person' }, confirmByPasskey),
  route(beginPasskeySignIn, { access: 'anyone' }, beginSignIn),
  route(passkeySignIn, { access: 'anyone' }, signInByPasskey),
  route(listPasskeys, { access: 'user', right: 'owner' }, ownPasskeys),
  route(beginPasskey, { access: 'user', right: 'self' }, beginOwnPasskey),
  route(addPasskey, { access: 'user', right: 'self' }, addOwnPasskey),
  route(renamePasskey, { access: 'user', right: 'owner' }, renameOwnPasskey),
  route(removePasskey, { access: 'user', right: 'owner' }, removeOwnPasskey),
  route(changePassword, { access: 'user', right: 'owner' }, changeOwnPassword),
  route(getSecondFactor, { access: 'user', right: 'owner' }, ownSecondFactor),
  route(beginSecondFactor, { access: 'user', right: 'owner' }, beginOwn),
  route(confirmSecondFactor, { access: 'user', right: 'owner' }, confirmOwn),
  route(replaceRecoveryCodes, { access: 'user', right: 'owner' }, replaceOwnRecoveryCodes),
  route(removeSecondFactor, { access: 'user', right: 'owner' }, removeOwn),
  route(listSecurityEvents, { access: 'user', right: 'owner' }, ownSecurityEvents),
  route(listSessions, { access: 'user', right: 'owner' }, ownSessions),
  route(endSession, { access: 'user', right: 'owner' }, endOneSession),
  route(endOtherSessions, { access: 'user', right: 'owner' }, endSessionsElsewhere),
];

/** The addresses that a browser opens instead of calling them, and pictures. */
export function accountPages(app: FastifyInstance, ctx: Context): void {
  registerAccountPages(app, ctx);
  registerAvatars(app, ctx);
}

const LOGOUT: CallDescription = {
  summary: 'Sign out by visiting. Works without a session, too',
  access: 'anyone',
  answers: { 302: 'To the landing page' },
};

/** Registers the address that a browser opens instead of calling it. */
export function registerAccountPages(app: FastifyInstance, ctx: Context): void {
  // This works without a session, too: deleting an account has already ended it. [OP-008]
  app.get('/api/logout', { config: { call: LOGOUT } }, async (request, reply) => {
    // A link or picture of another site, or in a mail, must not sign the user out. [SEC-12]
    if (isFromOurPage(request, ctx.config.publicUrl))
      await endOwnSession(ctx, await signedInUser(ctx, request), request);
    return reply.header('cache-control', 'no-store').redirect('/', 302);
  });
}
