import type { User } from '#domain/accounts/contract.ts';

type Named = Partial<Pick<User, 'firstName' | 'lastName' | 'email'>>;

/** 'Ann Bell', or what there is of it, or the e-mail. */
export function fullName({ firstName, lastName, email }: Named): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email || '';
}

/** First letters of first and last name, else the first two letters of the e-mail, else 'U' (NAV-16 to NAV-18). */
export function initials({ firstName, lastName, email }: Named): string {
  const letters =
    firstName && lastName ? firstName.slice(0, 1) + lastName.slice(0, 1) : (email ?? '').slice(0, 2);
  return letters.toUpperCase() || 'U';
}
