/** The calls for passkeys (WebAuthn level 3, https://www.w3.org/TR/webauthn-3/). */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { okReply, pathId } from '../fields.ts';
import { passkey, user } from './contract.ts';

const INCOMPLETE = 'The answer of your passkey is incomplete. Please try again.';
const base64url = (max: number) =>
  z
    .string(INCOMPLETE)
    .max(max, INCOMPLETE)
    .regex(/^[\w-]+$/, INCOMPLETE);
/** The specification allows ids of 1,023 bytes. */
const credentialId = base64url(1364);
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** The answer of `navigator.credentials.create`, as JSON. Other fields are dropped. */
const newCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', INCOMPLETE),
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    // Browsers may know kinds of transport that this list lacks.
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
});
export type NewCredential = z.output<typeof newCredential>;

/** The answer of `navigator.credentials.get`, as JSON. */
const assertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', INCOMPLETE),
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
  }),
});
export type Assertion = z.output<typeof assertion>;

const passkeyReference = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(TRANSPORTS)),
});
export type PasskeyReference = z.output<typeof passkeyReference>;

/** The options for `navigator.credentials.create`. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(passkeyReference),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

/** The options for `navigator.credentials.get`. Without a list of passkeys the browser offers all that it has. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(passkeyReference),
  userVerification: z.literal('required'),
});

const NAME = 'Enter a name of 1 to 60 characters';
const name = z.string(NAME).trim().min(1, NAME).max(60, NAME);

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/user/passkeys',
  summary: 'List your passkeys, oldest first. An account has at most 20',
  reply: z.array(passkey),
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/options',
  summary: 'Get the options with which the browser makes a new passkey. They are good for five minutes',
  reply: creationOptions,
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys',
  summary: 'Add the passkey that the browser made',
  body: z.object({
    credential: newCredential,
    /** Without a name, the passkey is called like the device. */
    name: name.optional(),
  }),
  reply: passkey,
  status: 201,
});

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/api/user/passkeys/:id',
  summary: 'Rename one of your passkeys',
  params: z.object({ id: pathId }),
  body: z.object({ name }),
  reply: passkey,
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkeys/:id',
  summary: 'Remove one of your passkeys. It no longer signs you in',
  params: z.object({ id: pathId }),
  reply: okReply,
});

export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  summary: 'Get the options with which a passkey signs in. They are good for five minutes, in this browser',
  reply: requestOptions,
});

/** A passkey counts as password and second factor, because the device has verified its user. */
export const passkeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey',
  summary: 'Sign in with a passkey',
  body: z.object({ credential: assertion }),
  reply: z.object({
    user: user.optional(),
    requiresVerification: z.boolean().optional(),
    /** With `requiresVerification`: the address that the code was sent to. */
    email: z.string().optional(),
  }),
});

export const beginPasskeyReauthenticate = endpoint({
  method: 'POST',
  path: '/api/user/reauthenticate/passkey/options',
  summary: 'Get the options with which one of your passkeys confirms your session',
  reply: requestOptions,
});

/** The other way to answer calls that answer 403 with the code `reauthenticate`. */
export const passkeyReauthenticate = endpoint({
  method: 'POST',
  path: '/api/user/reauthenticate/passkey',
  summary: 'Confirm your session with a passkey instead of your password and a code',
  body: z.object({ credential: assertion }),
  reply: okReply,
});
