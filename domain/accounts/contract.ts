import { TAX_STATUSES } from './tax-status.ts';
import { z } from 'zod';
import { COUNTRY_CODES } from '../countries.ts';
import { emailAddress } from '../email-address.ts';
import { endpoint } from '../endpoint.ts';
import {
  CONTROL_CHARACTERS,
  id,
  instant,
  isOneLine,
  isPlainText,
  LINE_BREAKS,
  money,
  okReply,
  pageQuery,
  webAddress,
} from '../fields.ts';
import { CODE_LENGTH } from './codes.ts';
import { weaknessOf } from './passwords.ts';
import { MEMBER_RIGHTS, MEMBER_ROLES } from './members.ts';
import { ROLES } from './roles.ts';
import { CURRENCIES } from '../money.ts';
import { presentTimezone } from '../timezones.ts';
import { TIMEZONES, type TimezoneLabel, UNKNOWN_TIMEZONE } from './settings.ts';

export const role = z.enum(ROLES);

const firstName = z.string('First name is required').trim().min(1, 'First name is required').max(100);
const lastName = z.string('Last name is required').trim().min(1, 'Last name is required').max(100);

export const newPassword = z
  .string('Password must be at least 8 characters')
  .min(8, 'Password must be at least 8 characters')
  .max(200, 'Password must be at most 200 characters')
  .superRefine((value, context) => {
    const weakness = weaknessOf(value);
    if (weakness !== null) context.addIssue({ code: 'custom', message: weakness });
  });

const password = z.string('Password is required').min(1, 'Password is required').max(200);

const CODE_MISSING = 'Enter a code from your authenticator app, or a recovery code';
/** Six digits of the authenticator app, or a recovery code. */
const secondFactorCode = z.string(CODE_MISSING).trim().min(1, CODE_MISSING).max(60, CODE_MISSING);

export function code(message: string) {
  return z.string(message).trim().length(CODE_LENGTH, message);
}

const INCOMPLETE_LINK = 'This link is incomplete. Copy the whole link from the email, then open it again.';
/** The token in the address of a one-time link. */
const linkToken = z.string(INCOMPLETE_LINK).min(20, INCOMPLETE_LINK).max(100, INCOMPLETE_LINK);

/** Holds no password, code or id of the payment provider. [OP-036] */
export const user = z.object({
  id,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  role: role.nullable(),
  hasCompletedOnboarding: z.boolean(),
  isEmailVerified: z.boolean(),
  /** The verified address that an unverified one replaced. Undoing the change restores it. Null otherwise. [ACCT-06] */
  previousEmail: z.string().nullable(),
  /** The IANA name of the timezone in which dates are shown, from the settings. */
  timezone: z.string(),
  /**
   * The operator's reason. Null unless the account is suspended: it can then read its documents, its statements and its
   * balance only. [OPER-06]
   */
  suspendedReason: z.string().nullable(),
  /** Only operators have it, so that no other account can tell that there is a console. */
  isOperator: z.literal(true).optional(),
  /** Whether the person can act for other accounts, too: `GET /api/accounts`. */
  hasOtherAccounts: z.literal(true).optional(),
  /** The member who acts for this account, with their rights. Absent for the account's own person. [RES-73] */
  membership: z
    .object({
      role: z.enum(MEMBER_ROLES),
      rights: z.array(z.enum(MEMBER_RIGHTS)),
      /** The names of the account and of the signed-in person. */
      account: z.string(),
      person: z.string(),
    })
    .optional(),
  /** For an operator who looks at this account: when the view ends by itself. Nothing can be changed in it. [OPER-200] */
  view: z.object({ until: instant }).optional(),
  createdAt: instant,
  updatedAt: instant,
});
export type User = z.output<typeof user>;

/** An IANA name of the past or present, or one of the labels in Settings. It becomes the present name. */
const timezone = z.string(UNKNOWN_TIMEZONE).transform((value, context) => {
  const name = Object.hasOwn(TIMEZONES, value) ? TIMEZONES[value as TimezoneLabel] : presentTimezone(value);
  if (name !== null) return name;
  context.addIssue({ code: 'custom', message: UNKNOWN_TIMEZONE });
  return z.NEVER;
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'Get the signed-in user. 401 means not signed in',
  reply: user,
});

export const checkEmail = endpoint({
  method: 'POST',
  path: '/api/auth/check-email',
  summary: 'Check whether an email address is free to register',
  body: z.object({ email: emailAddress() }),
  reply: z.object({ available: z.boolean() }),
});

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  summary: 'Open an account, and mail a code to its address',
  body: z.object({
    email: emailAddress(),
    password: newPassword,
    firstName,
    lastName,
    /** That of the browser, for the dates on its pages. UTC without one, or if the server does not know it. */
    timezone: z
      .string()
      .transform((name) => presentTimezone(name) ?? 'UTC')
      .optional(),
    /** The version of the published terms, from `termsVersion` of GET /api/marketplace. Required if there is one. */
    acceptedTerms: z.number().int().optional(),
  }),
  reply: z.object({ success: z.literal(true), requiresVerification: z.literal(true) }),
  status: 201,
  // The specification has two texts for this. The server uses this one. [OP-024]
  failure: 'Registration failed',
});

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in',
  body: z.object({
    email: emailAddress(),
    password,
    /** The second factor. Needed if the answer without it was `requiresSecondFactor`. [SEC-02] */
    code: secondFactorCode.optional(),
  }),
  reply: z.object({
    user: user.optional(),
    requiresVerification: z.boolean().optional(),
    /** The password is right. Make the call again with `code`. */
    requiresSecondFactor: z.boolean().optional(),
  }),
});

/** The answer to a verified address. Without a session it holds no user: the sign-in still needs the second factor. */
const verified = z.object({ user: user.optional(), requiresSecondFactor: z.boolean().optional() });

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Verify the email address with the code, and sign in',
  body: z.object({ email: emailAddress(), code: code('Verification code must be 4 digits') }),
  reply: verified,
});

/** The one-time link in the mail opens `/auth?verify={token}`, which posts the token here. */
export const verifyEmailByLink = endpoint({
  method: 'POST',
  path: '/api/auth/verify-link',
  summary:
    'Verify the email address with the one-time link in the mail, and sign in. A browser that is unknown for the account also needs its password',
  body: z.object({ token: linkToken, password: password.optional() }),
  reply: verified,
});

export const resendCode = endpoint({
  method: 'POST',
  path: '/api/auth/resend-code',
  summary: 'Issue a new verification code',
  body: z.object({ email: emailAddress() }),
  reply: okReply,
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  summary: 'Issue a reset code. The answer is the same for known and unknown addresses',
  body: z.object({ email: emailAddress() }),
  reply: okReply,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary:
    'Set a new password with the reset code or the link in the mail, and end every session of the user',
  body: z.object({
    email: emailAddress(),
    code: code('Reset code must be 4 digits'),
    newPassword,
    /** The token of the link. If it is given, it decides instead of the code. [SEC-16] */
    token: linkToken.optional(),
  }),
  reply: okReply,
});

/** The link in the mail opens `/auth?reset={token}`, which posts the token here. It works for an hour. */
export const openResetLink = endpoint({
  method: 'POST',
  path: '/api/auth/reset-link',
  summary:
    'Get the email address and the code behind the link in a password mail. The link can be opened again',
  body: z.object({ token: linkToken }),
  reply: z.object({ email: z.string(), code: z.string() }),
});

/** The link in the notice opens `/auth?restore={token}`, which asks for confirmation and then posts the token here. */
export const restoreEmail = endpoint({
  method: 'POST',
  path: '/api/auth/restore-email',
  summary: 'Undo an email change with the link in the notice, and end every session of the user',
  body: z.object({ token: linkToken }),
  reply: z.object({ email: z.string() }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Sign out',
  reply: okReply,
});

export const chooseRole = endpoint({
  method: 'POST',
  path: '/api/user/role',
  summary: 'Choose your role',
  body: z.object({ role }),
  reply: user,
});
export const changeRole = endpoint({ ...chooseRole, method: 'PATCH' });

const settingFields = {
  emailNotifications: z.boolean(),
  marketingEmails: z.boolean(),
  paymentAlerts: z.boolean(),
  campaignUpdates: z.boolean(),
  timezone,
  currency: z.enum(CURRENCIES),
  businessName: z.string().trim().max(200).nullable(),
  taxId: z.string().trim().max(50).refine(isOneLine, LINE_BREAKS).nullable(),
  address: z
    .string()
    .trim()
    .max(500, 'Use at most 500 characters.')
    .refine(isPlainText, CONTROL_CHARACTERS)
    .nullable(),
  country: z
    .union([
      z.literal('').transform(() => null),
      z.enum(COUNTRY_CODES, 'Give the country as its two-letter code, such as DE.'),
    ])
    .nullable(),
  taxStatus: z.enum(TAX_STATUSES).nullable(),
  /** Whether a business charges tax on its earnings. */
  chargesTax: z.boolean(),
  agreesToSelfBilling: z.boolean(),
  /** For the operator's yearly report, if it asks for them (`isReportAsked`). */
  birthDate: z
    .union([z.literal('').transform(() => null), z.iso.date('Enter a date such as 1990-12-31.')])
    .nullable(),
  registrationNumber: z.string().trim().max(50).refine(isOneLine, LINE_BREAKS).nullable(),
  website: z.union([z.literal(''), webAddress()]).nullable(),
  description: z.string().trim().max(1000).nullable(),
};

export const settings = z.object({
  ...settingFields,
  timezone: z.string(),
  website: z.string().nullable(),
  taxId: z.string().nullable(),
  address: z.string().nullable(),
  country: z.string().nullable(),
  birthDate: z.string().nullable(),
  registrationNumber: z.string().nullable(),
  /** Whether the operator offers self-billing. */
  isSelfBillingOffered: z.boolean(),
  /** Whether the operator reports publishers by name, and needs a date of birth or a registration number. */
  isReportAsked: z.boolean(),
  id,
  userId: id,
  createdAt: instant,
  updatedAt: instant,
});
export type Settings = z.output<typeof settings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/user/settings',
  summary: 'Get your settings',
  reply: settings,
});

export const updateSettings = endpoint({
  method: 'PATCH',
  path: '/api/user/settings',
  summary: 'Change some settings. Unknown fields are ignored',
  body: z.object(settingFields).partial(),
  reply: settings,
});

export const getBilling = endpoint({
  method: 'GET',
  path: '/api/user/billing',
  summary: 'Check whether you have a billing account',
  reply: z.object({ hasBillingAccount: z.boolean(), provider: z.string(), mode: z.string() }),
});

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/api/user/profile',
  summary: 'Change your names or email address. A new address must be verified',
  body: z
    .object({ firstName, lastName, email: emailAddress() })
    .partial()
    .refine((fields) => Object.keys(fields).length > 0, 'Change at least one field'),
  reply: user,
});

export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/api/user/email/take-back',
  summary: 'Undo an email change that has not been verified',
  reply: user,
});

/** The body is the file itself: JPEG, PNG or GIF. The server stores a square of it. */
export const setPicture = endpoint({
  method: 'PUT',
  path: '/api/user/picture',
  summary: 'Set your profile picture',
  reply: user,
});

export const removePicture = endpoint({
  method: 'DELETE',
  path: '/api/user/picture',
  summary: 'Remove your profile picture',
  reply: user,
});

export const openSession = z.object({
  /** A public id. It is not the secret in the cookie. */
  id: z.uuid(),
  /** Such as 'Firefox on Windows', or null for an unknown client. */
  device: z.string().nullable(),
  startedAt: instant,
  /** Precise to five minutes. */
  lastUsedAt: instant,
  isCurrent: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  summary: 'List your open sessions, most recently used first',
  reply: z.array(openSession),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  summary: 'End one of your sessions. Ending the current one signs you out',
  params: z.object({ id: z.uuid() }),
  reply: okReply,
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: 'End all your sessions except the current one',
  reply: okReply,
});

/** Lets the interface ask for the password before it opens a page that needs a confirmed session. */
export const checkConfirmed = endpoint({
  method: 'GET',
  path: '/api/user/confirmed',
  summary:
    'Whether your session was confirmed within 15 minutes; 403 with the code `reauthenticate` if it was not',
  reply: okReply,
});

/** Needed by calls that answer 403 with the code `reauthenticate`. [SEC-07] */
export const reauthenticate = endpoint({
  method: 'POST',
  path: '/api/user/reauthenticate',
  summary: 'Confirm your session with your password, and with a code if the second factor is on',
  body: z.object({ password, code: secondFactorCode.optional() }),
  reply: okReply,
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/user/password',
  summary: 'Change your password, and end every other session',
  body: z.object({ currentPassword: password, newPassword }),
  reply: okReply,
});

export const SECURITY_EVENTS = [
  'signed-in',
  'new-device',
  'sign-in-failed',
  'code-failed',
  'locked-out',
  'signed-out',
  'session-ended',
  'signed-out-everywhere',
  'reauthenticated',
  'reauthentication-failed',
  'password-changed',
  'password-reset',
  'email-changed',
  'email-verified',
  'email-restored',
  'role-changed',
  'second-factor-on',
  'second-factor-off',
  'second-factor-failed',
  'recovery-code-used',
  'recovery-codes-replaced',
  'passkey-added',
  'passkey-removed',
  'passkey-used',
  'passkey-failed',
  'passkey-copied',
  'data-exported',
  'payout-account-changed',
  'payout-requested',
  'billing-portal-opened',
  'member-invited',
  'member-joined',
  'member-role-changed',
  'member-removed',
  'member-left',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

export const passkey = z.object({
  id,
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});
export type Passkey = z.output<typeof passkey>;

export const securityEvent = z.object({
  id,
  kind: z.enum(SECURITY_EVENTS),
  /** Such as 'Firefox on Windows', or null for an unknown client. */
  device: z.string().nullable(),
  /** A keyed hash of the network: the same text means the same network. Null without a request. */
  network: z.string().nullable(),
  /** The name of the member who acted for the account. Null for a member whose account was deleted. */
  member: z.string().nullable().optional(),
  at: instant,
});
export type SecurityEvent = z.output<typeof securityEvent>;

export const listSecurityEvents = endpoint({
  method: 'GET',
  path: '/api/user/security-events',
  summary: 'List the security events of your account, newest first',
  query: pageQuery,
  reply: z.array(securityEvent),
  paged: true,
});

export const secondFactor = z.object({
  isOn: z.boolean(),
  /** How many recovery codes are unused. */
  recoveryCodesLeft: z.int(),
});
export type SecondFactor = z.output<typeof secondFactor>;

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/second-factor',
  summary: 'Check whether your sign-in needs a second factor',
  reply: secondFactor,
});

/** The second factor is not on yet: `confirmSecondFactor` turns it on. A second call starts again. */
export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor',
  summary: 'Get a new secret for an authenticator app (TOTP, RFC 6238)',
  body: z.object({ password }),
  reply: z.object({
    secret: z.string(),
    uri: z.string(),
    /** The QR code of `uri`: the dark modules as an SVG path in a square of `size` units. */
    qr: z.object({ size: z.int(), path: z.string() }),
  }),
});

/** Shown once. The server keeps only their hashes. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/confirm',
  summary: 'Turn the second factor on with a first code, and get the recovery codes',
  body: z.object({ code: secondFactorCode }),
  reply: recoveryCodes,
});

export const replaceRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/recovery-codes',
  summary: 'Replace your recovery codes',
  body: z.object({ password, code: secondFactorCode }),
  reply: recoveryCodes,
});

export const removeSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/second-factor/remove',
  summary: 'Turn the second factor off',
  body: z.object({ password, code: secondFactorCode }),
  reply: okReply,
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/user/account',
  summary: 'Delete your account. 409 while money is left, with its kinds and amounts (`left`)',
  query: z.object({
    /** The earnings that you give up. Any other amount than all of them is answered with 409. [GONE-06] */
    waive: money.optional(),
    /** The debt that you keep. Any other amount than all of it is answered with 409. [GONE-07] */
    owing: money.optional(),
  }),
  reply: okReply,
});

export const exportData = endpoint({
  method: 'POST',
  path: '/api/user/export-data',
  summary: 'Export everything the server keeps about your account',
  reply: z.object({
    exportedAt: instant,
    profile: user,
    /** The terms that you accepted at the sign-up; null if there were none. */
    acceptedTerms: z.object({ version: z.number().int(), acceptedAt: instant }).nullable(),
    /** The profile picture as a `data:` address. */
    picture: z.string().nullable(),
    sessions: z.array(openSession),
    passkeys: z.array(passkey),
    securityEvents: z.array(securityEvent),
    settings,
    taxIdChecks: z.array(z.unknown()),
    websites: z.array(z.unknown()),
    ads: z.array(z.unknown()),
    plans: z.array(z.unknown()),
    secondCreatives: z.array(z.unknown()),
    reportLinks: z.array(z.unknown()),
    paymentConsents: z.array(z.unknown()),
    waitingList: z.array(z.unknown()),
    conversions: z.array(z.unknown()),
    images: z.array(z.unknown()),
    transactions: z.array(z.unknown()),
    /** Each payment with its refunds. */
    payments: z.array(z.unknown()),
    /** The entries of the ledger in the user's favor or against it, by side. */
    postings: z.object({ publisher: z.array(z.unknown()), buyer: z.array(z.unknown()) }),
    /** The list of documents; each is at `/api/documents/{number}`. */
    documents: z.array(z.unknown()),
    /** The balance, the holds, the account and the payouts. */
    payouts: z.unknown(),
    /** The members of the account, and the accounts of which its person is a member or is invited to be one. */
    members: z.array(z.unknown()),
    memberships: z.unknown(),
    /** The acts of operators that concern the user. [OPER-04] */
    operatorInvitations: z.array(z.unknown()),
    operatorActs: z.array(z.unknown()),
  }),
});
