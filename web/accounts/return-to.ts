/**
 * Where somebody wanted to go, or was, when they were sent to sign in, for this tab of the browser only. After signing
 * in the app goes to '/', as the specification says, and on from there (decision 010).
 */
const KEY = 'return-to';

export function rememberReturn(path: string): void {
  if (path !== '/') sessionStorage.setItem(KEY, path);
}

/** The remembered path, once. */
export function takeReturn(): string | null {
  const path = sessionStorage.getItem(KEY);
  forgetReturn();
  return path !== null && isOurs(path) ? path : null;
}

export function forgetReturn(): void {
  sessionStorage.removeItem(KEY);
}

/** '//other.test' and '/\\other.test' are addresses elsewhere; from /auth one has just come. */
function isOurs(path: string): boolean {
  const url = URL.parse(path, window.location.origin);
  return path.startsWith('/') && url?.origin === window.location.origin && url.pathname !== '/auth';
}
