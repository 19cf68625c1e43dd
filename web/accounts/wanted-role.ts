import type { Role } from '#domain/accounts/roles.ts';

/**
 * The role that a visitor chose on the landing page, until the welcome dialog after the sign-up shows it as chosen. In
 * local storage, because the link in the verification mail opens a new tab.
 */
const KEY = 'wanted-role';

/** Hashes of links to the sign-up. Unlike a click handler, they work before the script of a prerendered page has loaded. */
const HASHES: Readonly<Record<string, Role>> = { '#sell': 'seller', '#buy': 'buyer' };

/** Remembers the role that the address names, and removes it from the address. */
export function takeWantedRole(): void {
  const { hash, pathname, search } = window.location;
  const role = HASHES[hash];
  if (!role) return;
  localStorage.setItem(KEY, role);
  window.history.replaceState(window.history.state, '', pathname + search);
}

export function wantedRole(): Role | null {
  const role = localStorage.getItem(KEY);
  return role === 'buyer' || role === 'seller' ? role : null;
}

export function forgetWantedRole(): void {
  localStorage.removeItem(KEY);
}
