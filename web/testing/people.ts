/** The people of component tests. */
import { user, type User } from '#domain/accounts/contract.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { sample } from './sample.ts';

/** A signed-in person who has chosen this role. */
export const person = (role: Role, members: Partial<User> = {}): User =>
  sample(user, {
    role,
    email: `${role}@site.example`,
    firstName: 'Ann',
    lastName: 'Bell',
    hasCompletedOnboarding: true,
    isEmailVerified: true,
    timezone: 'UTC',
    ...members,
  });
