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
import { type Route, route } from '../http/route.ts';
import { removeOwnAvatar } from './avatar.ts';
import { changeOwnPassword } from './change-password.ts';
import { beginOwnReauthenticate, beginSignIn, confirmByPasskey, signInByPasskey } from './passkey-sign-in.ts';
import {
  addOwnPasskey,
  beginOwnPasskey,
  ownPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
} from './passkeys.ts';
import { confirmOwnSession } from './recent-sign-in.ts';
import { checkEmailIsFree, registerUser } from './register.ts';
import { forgot, readResetLink } from './reset-password.ts';
import { undoChange } from './restore-email.ts';
import {
  beginOwn,
  confirmOwn,
  ownSecondFactor,
  removeOwn,
  replaceOwnRecoveryCodes,
} from './second-factor.ts';
import { ownSecurityEvents } from './security-log.ts';
import { endOneSession, endSessionsElsewhere, ownSessions } from './sessions.ts';
import { changeOwnSettings, chooseOwnRole, ownBilling, ownSettings } from './settings.ts';
import { currentUser, signIn, signOut } from './sign-in.ts';
import { changeOwnProfile } from './update-profile.ts';
import { resend, verifyByCode, verifyByLink } from './verify-email.ts';

export const routes: Route[] = [
  route(getCurrentUser, 'user', currentUser, { isOpenToSuspended: true }),
  route(checkEmail, 'anyone', checkEmailIsFree),
  route(register, 'anyone', registerUser),
  route(login, 'anyone', signIn),
  route(verifyEmail, 'anyone', verifyByCode),
  route(verifyEmailByLink, 'anyone', verifyByLink),
  route(resendCode, 'anyone', resend),
  route(forgotPassword, 'anyone', forgot),
  route(openResetLink, 'anyone', readResetLink),
  route(logout, 'anyone', signOut),
  route(chooseRole, 'user', chooseOwnRole),
  route(changeRole, 'user', chooseOwnRole),
  route(getSettings, 'user', ownSettings),
  route(updateSettings, 'user', changeOwnSettings),
  route(getBilling, 'user', ownBilling),
  route(updateProfile, 'user', changeOwnProfile),
  route(undoEmailChange, 'user', undoChange),
  route(removePicture, 'user', removeOwnAvatar),
  route(checkConfirmed, 'user', async () => ({ success: true as const }), { isConfirmed: true }),
  route(reauthenticate, 'user', confirmOwnSession),
  route(beginPasskeyReauthenticate, 'user', beginOwnReauthenticate),
  route(passkeyReauthenticate, 'user', confirmByPasskey),
  route(beginPasskeySignIn, 'anyone', beginSignIn),
  route(passkeySignIn, 'anyone', signInByPasskey),
  route(listPasskeys, 'user', ownPasskeys),
  route(beginPasskey, 'user', beginOwnPasskey),
  route(addPasskey, 'user', addOwnPasskey),
  route(renamePasskey, 'user', renameOwnPasskey),
  route(removePasskey, 'user', removeOwnPasskey),
  route(changePassword, 'user', changeOwnPassword),
  route(getSecondFactor, 'user', ownSecondFactor),
  route(beginSecondFactor, 'user', beginOwn),
  route(confirmSecondFactor, 'user', confirmOwn),
  route(replaceRecoveryCodes, 'user', replaceOwnRecoveryCodes),
  route(removeSecondFactor, 'user', removeOwn),
  route(listSecurityEvents, 'user', ownSecurityEvents),
  route(listSessions, 'user', ownSessions),
  route(endSession, 'user', endOneSession),
  route(endOtherSessions, 'user', endSessionsElsewhere),
];
