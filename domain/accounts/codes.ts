import { HOUR_MS, MINUTE_MS } from '../time.ts';

/** Verification and reset codes. Four of 32 characters give the 20 bits that OWASP ASVS 5.0, 6.5.4 asks. [OP-020] */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 4;
export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
/** A code is void after this many wrong tries. */
export const CODE_MAX_TRIES = 5;
/** After this many wrong codes in 24 hours, only the link in the mail works for an account. [SEC-16] */
export const CODE_MAX_FAILURES_A_DAY = 10;
/** The link in the mail works longer than its code, because it cannot be guessed. */
export const LINK_LIFETIME_MS = HOUR_MS;
export const TOO_MANY_WRONG_CODES =
  'Too many wrong codes were entered today. Open the link in our latest email instead.';

/** Codes ignore letter case and surrounding spaces. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase();
}

/** The web application replaces these two messages with the specification's texts. [ERR-27] [ERR-28] */
export const INVALID_CODE = 'Invalid verification code';
export const EXPIRED_CODE = 'Verification code has expired';

/** A code of the authenticator app. */
const APP_CODE = /^\d{6}$/;

/**
 * Recovery codes replace the authenticator app once each. 28 of 32 characters give 140 bits, which a plain hash protects
 * (OWASP ASVS 5.0, 6.5.2).
 */
export const RECOVERY_CODES = 8;
export const RECOVERY_CODE_LENGTH = 28;
const RECOVERY_CODE_GROUP = 7;

/** Tells a code of the authenticator app from a recovery code. Ignores spaces, dashes and letter case. */
export function readSecondFactorCode(typed: string): { kind: 'app' | 'recovery'; code: string } {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return { kind: APP_CODE.test(code) ? 'app' : 'recovery', code };
}

/** 'ABCDEF-…', in groups that people can copy by hand. */
export function showRecoveryCode(code: string): string {
  return code.match(new RegExp(`.{${RECOVERY_CODE_GROUP}}`, 'g'))?.join('-') ?? code;
}

export const WRONG_SECOND_FACTOR =
  'This code is wrong or has already been used. Enter the current code of your authenticator app, or an unused recovery code.';
