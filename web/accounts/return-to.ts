/**
 * Where somebody wanted to go, or was, when they were sent to sign in. After signing in the app goes to '/', as the
 * specification says, and Home offers the way on.
 */
const KEY = 'return-to';

export function rememberReturn(path: string): void {
  if (path !== '/') sessionStorage.setItem(KEY, path);
}

export function rememberedReturn(): string | null {
  const path = sessionStorage.getItem(KEY);
  // Only a path of our own: '//other.test' would be an address elsewhere.
  return path && /^\/(?!\/)/.test(path) ? path : null;
}

export function forgetReturn(): void {
  sessionStorage.removeItem(KEY);
}
