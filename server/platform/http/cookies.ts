import type { Config } from '../settings/config.ts';

/**
 * The name of one of our cookies. With an https address it has the prefix __Host-, which binds the cookie to this host,
 * and the plain name is not read: a sibling host could plant a cookie of that name. Browsers refuse the prefix on http.
 * [SEC-24]
 */
export function cookieName({ publicUrl }: Pick<Config, 'publicUrl'>, name: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** Options of all our cookies besides the session's. */
export function cookieOptions({ publicUrl }: Pick<Config, 'publicUrl'>) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
}
