import type { Settings, User } from '#domain/accounts/contract.ts';
import type { Role } from '#domain/accounts/roles.ts';
import type { SettingsRow, UserRow } from './store.ts';

/** Named one by one, so that no hash, code or provider's id can slip out (OP-036). */
export function viewUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    profileImageUrl: row.profileImageUrl,
    role: row.role as Role | null,
    hasCompletedOnboarding: row.hasCompletedOnboarding,
    isEmailVerified: row.isEmailVerified,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function viewSettings(row: SettingsRow): Settings {
  return {
    ...row,
    currency: row.currency as Settings['currency'],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
