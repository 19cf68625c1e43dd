import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, okReply, webAddress } from '../fields.ts';
import { CODE_LENGTH } from './codes.ts';
import { ROLES } from './roles.ts';
import { CURRENCIES, TIMEZONES, type Timezone, type TimezoneLabel } from './settings.ts';

export const role = z.enum(ROLES);

/** Trimmed and lower-cased on every call; unique in that form (OP-025). */
export function emailAddress(message = 'Invalid email address') {
  return z.string(message).trim().toLowerCase().max(254, message).pipe(z.email(message));
}

const firstName = z.string('First name is required').trim().min(1, 'First name is required').max(100);
const lastName = z.string('Last name is required').trim().min(1, 'Last name is required').max(100);

export const newPassword = z
  .string('Password must be at least 8 characters')
  .min(8, 'Password must be at least 8 characters')
  .max(200, 'Password must be at most 200 characters');

export function code(message: string) {
  return z.string(message).trim().length(CODE_LENGTH, message);
}

/** Of a one-time link, as it stands in the address. */
const CUT = 'This link is not complete. Please copy all of it.';
const linkToken = z.string(CUT).min(20, CUT).max(100, CUT);

/** Never the password, a code or a provider's id (OP-036). */
export const user = z.object({
  id,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  role: role.nullable(),
  hasCompletedOnboarding: z.boolean(),
  isEmailVerified: z.boolean(),
  /** The proven address that an unproven change replaced, and that taking it back restores; else null (ACCT-06). */
  previousEmail: z.string().nullable(),
  /** IANA name, of the settings: dates are shown in it (ACCT-10). */
  timezone: z.string(),
  createdAt: instant,
  updatedAt: instant,
});
export type User = z.output<typeof user>;

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'The signed-in user; 401 means not logged in',
  reply: user,
});

export const checkEmail = endpoint({
  method: 'POST',
  path: '/api/auth/check-email',
  summary: 'Whether an address is free to register',
  body: z.object({ email: emailAddress() }),
  reply: z.object({ available: z.boolean() }),
});

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  summary: 'Open an account; a code goes to the address',
  body: z.object({ email: emailAddress(), password: newPassword, firstName, lastName }),
  reply: z.object({ success: z.literal(true), requiresVerification: z.literal(true) }),
  status: 201,
  // The specification's second text for it (OP-024).
  failure: 'Registration failed',
});

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in',
  body: z.object({
    email: emailAddress(),
    password: z.string('Password is required').min(1, 'Password is required').max(200),
  }),
  reply: z.object({ user: user.optional(), requiresVerification: z.boolean().optional() }),
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Prove the address with the code and sign in',
  body: z.object({ email: emailAddress(), code: code('Verification code must be 4 digits') }),
  reply: z.object({ user }),
});

/** The mail's one-time link opens `/auth?verify={token}`, which posts the token here. */
export const verifyEmailByLink = endpoint({
  method: 'POST',
  path: '/api/auth/verify-link',
  summary: 'Prove the address with the one-time link of the mail and sign in',
  body: z.object({ token: linkToken }),
  reply: z.object({ user }),
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
  summary: 'Issue a reset code; answers alike for known and unknown addresses',
  body: z.object({ email: emailAddress() }),
  reply: okReply,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with the reset code; ends every session of the user',
  body: z.object({ email: emailAddress(), code: code('Reset code must be 4 digits'), newPassword }),
  reply: okReply,
});

/** The mail's link opens `/auth?reset={token}`, which posts the token here. It works as long as the code does. */
export const openResetLink = endpoint({
  method: 'POST',
  path: '/api/auth/reset-link',
  summary: 'The address and code that the link of a password mail stands for; uses nothing up',
  body: z.object({ token: linkToken }),
  reply: z.object({ email: z.string(), code: z.string() }),
});

/** The notice to a replaced address opens `/auth?restore={token}`, which asks and then posts the token here. */
export const restoreEmail = endpoint({
  method: 'POST',
  path: '/api/auth/restore-email',
  summary: 'Take a change of address back with the link of the notice; ends every session of the user',
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
  summary: "Choose one's own role",
  body: z.object({ role }),
  reply: user,
});
export const changeRole = endpoint({ ...chooseRole, method: 'PATCH' });

const timezone = z
  .string()
  .transform((value): string => (value in TIMEZONES ? TIMEZONES[value as TimezoneLabel] : value))
  .refine(
    (value): value is Timezone => (Object.values(TIMEZONES) as string[]).includes(value),
    'Unknown timezone',
  );

const settingFields = {
  emailNotifications: z.boolean(),
  marketingEmails: z.boolean(),
  paymentAlerts: z.boolean(),
  campaignUpdates: z.boolean(),
  timezone,
  currency: z.enum(CURRENCIES),
  businessName: z.string().trim().max(200).nullable(),
  taxId: z.string().trim().max(50).nullable(),
  website: z.union([z.literal(''), webAddress()]).nullable(),
  description: z.string().trim().max(1000).nullable(),
};

export const settings = z.object({
  ...settingFields,
  timezone: z.string(),
  website: z.string().nullable(),
  id,
  userId: id,
  createdAt: instant,
  updatedAt: instant,
});
export type Settings = z.output<typeof settings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/user/settings',
  summary: "One's own settings",
  reply: settings,
});

export const updateSettings = endpoint({
  method: 'PATCH',
  path: '/api/user/settings',
  summary: 'Change some settings; unknown fields are ignored',
  body: z.object(settingFields).partial(),
  reply: settings,
});

export const getBilling = endpoint({
  method: 'GET',
  path: '/api/user/billing',
  summary: 'Whether a billing account exists',
  reply: z.object({ hasBillingAccount: z.boolean(), provider: z.string(), mode: z.string() }),
});

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/api/user/profile',
  summary: 'Change names or address; a new address must be proved again',
  body: z
    .object({ firstName, lastName, email: emailAddress() })
    .partial()
    .refine((fields) => Object.keys(fields).length > 0, 'Nothing to change'),
  reply: user,
});

export const takeBackEmail = endpoint({
  method: 'POST',
  path: '/api/user/email/take-back',
  summary: 'Take back a change of address that was not proven yet',
  reply: user,
});

/** The body is the file itself: JPEG, PNG or GIF. What is kept is a square of it (ACCT-04). */
export const setPicture = endpoint({
  method: 'PUT',
  path: '/api/user/picture',
  summary: "Set one's profile picture",
  reply: user,
});

export const removePicture = endpoint({
  method: 'DELETE',
  path: '/api/user/picture',
  summary: "Remove one's profile picture",
  reply: user,
});

export const openSession = z.object({
  /** Names the session and opens nothing. */
  id: z.uuid(),
  /** 'Firefox on Windows'; null for what is no known browser. */
  device: z.string().nullable(),
  startedAt: instant,
  /** Exact to a few minutes. */
  lastUsedAt: instant,
  isCurrent: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  summary: "One's own open sessions, last used first",
  reply: z.array(openSession),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  summary: "End one of one's own sessions; ending the present one signs out",
  params: z.object({ id: z.uuid() }),
  reply: okReply,
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: "End every session of one's own but the present one",
  reply: okReply,
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/user/account',
  summary: 'Delete the account; 409 while campaigns are live',
  reply: okReply,
});

export const exportData = endpoint({
  method: 'POST',
  path: '/api/user/export-data',
  summary: "Everything the server keeps about one's account",
  reply: z.object({
    exportedAt: instant,
    profile: user,
    /** The profile picture as a `data:` address. */
    picture: z.string().nullable(),
    sessions: z.array(openSession),
    settings,
    websites: z.array(z.unknown()),
    ads: z.array(z.unknown()),
    images: z.array(z.unknown()),
    transactions: z.array(z.unknown()),
  }),
});
