/**
 * The page that a user was on, or wanted to open, when they were sent to sign in. It is stored for this tab only. After
 * signing in the application goes to '/' and from there to this page, see docs/decisions/039-interruptions.md.
 */
const KEY = 'return-to';

export function rememberReturn(path: string): void {
  if (path !== '/') sessionStorage.setItem(KEY, path);
}

/** Returns the stored path and removes it. Pages that the server renders pass it in the address: `/auth?return=…`. */
export function takeReturn(): string | null {
  const path = new URLSearchParams(window.location.search).get('return') ?? sessionStorage.getItem(KEY);
  forgetReturn();
  return path !== null && isOurs(path, window.location.origin) ? path : null;
}

/** Whether the server renders this page, so that the application cannot show it. */
export function isServerPage(path: string): boolean {
  return /^\/(operator|operator-invitation|decision)(?:[/?]|$)/.test(path);
}

export function forgetReturn(): void {
  sessionStorage.removeItem(KEY);
}

/**
 * Whether the path is one of this site, to which a sign-in may lead. '//other.test' and '/\\other.test' lead to other
 * origins. '/auth' would lead the user back to the sign-in page.
 */
export function isOurs(path: string, origin: string): boolean {
  const url = URL.parse(path, origin);
  return path.startsWith('/') && url?.origin === origin && url.pathname !== '/auth';
}
