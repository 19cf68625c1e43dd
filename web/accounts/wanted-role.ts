import type { Role } from '#domain/accounts/roles.ts';

/**
 * The role that a visitor chose on the landing page, until the welcome dialog after the sign-up shows it as chosen. In
 * local storage, because the link in the verification mail opens a new tab. [EASE-08]
 */
const KEY = 'wanted-role';

export function rememberWantedRole(role: Extract<Role, 'buyer' | 'seller'>): void {
  localStorage.setItem(KEY, role);
}

export function wantedRole(): Role | null {
  const role = localStorage.getItem(KEY);
  return role === 'buyer' || role === 'seller' ? role : null;
}

export function forgetWantedRole(): void {
  localStorage.removeItem(KEY);
}
