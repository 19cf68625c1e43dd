import type { OpenSession, Passkey, SecurityEvent, Settings, User } from '#domain/accounts/contract.ts';
import { type PasskeyReference, TRANSPORTS } from '#domain/accounts/passkeys-contract.ts';
import type { Context } from '#server/platform/context.ts';
import type { PasskeyRow } from './store-passkeys.ts';
import type { SettingsRow, UserExtras, UserRow } from './store.ts';
import type { SecurityEventRow } from './store-security-events.ts';
import type { SessionRow } from './store-sessions.ts';

/** Names each field, so that no hash, code or id of the payment provider can slip out. [OP-036] */
export function userReply(row: UserRow, extras: UserExtras, membership?: User['membership']): User {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    profileImageUrl: row.profileImageUrl,
    role: row.role,
    hasCompletedOnboarding: row.hasCompletedOnboarding,
    isEmailVerified: row.isEmailVerified,
    previousEmail: extras?.previousEmail ?? null,
    // A user's settings are created when they are first read.
    timezone: extras?.timezone ?? 'UTC',
    suspendedReason: row.suspendedReason,
    // A member of an operator's account is no operator.
    ...(extras?.isOperator && !membership && { isOperator: true as const }),
    ...(extras?.hasOtherAccounts && { hasOtherAccounts: true as const }),
    ...(membership && { membership, hasOtherAccounts: true as const }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function settingsReply(
  row: SettingsRow,
  { selfBilling, publisherReports }: Pick<Context['config'], 'selfBilling' | 'publisherReports'>,
): Settings {
  return {
    ...row,
    isSelfBillingOffered: selfBilling.isOffered,
    isReportAsked: publisherReports === 'dac7',
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function securityEventReply(row: SecurityEventRow): SecurityEvent {
  const { id, kind, device, network, at, memberId } = row;
  const member = memberId === null ? {} : { member: row.memberName };
  return { id, kind, device, network, at: at.toISOString(), ...member };
}

/** Leaves out the session's own id, because that is the secret of the cookie. [ACCT-01] */
export function sessionReply(row: SessionRow, currentSid: string): OpenSession {
  const startedAt = row.startedAt ?? new Date(0);
  return {
    id: row.publicId,
    device: row.device,
    startedAt: startedAt.toISOString(),
    lastUsedAt: (row.lastUsedAt ?? startedAt).toISOString(),
    isCurrent: row.sid === currentSid,
  };
}

export function passkeyReply({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

/** Names a passkey that the browser has to find, or of which it must not make a second one. */
export function passkeyReferenceReply({ credentialId, transports }: PasskeyRow): PasskeyReference {
  return {
    id: credentialId,
    type: 'public-key',
    transports: TRANSPORTS.filter((transport) => transports.includes(transport)),
  };
}
