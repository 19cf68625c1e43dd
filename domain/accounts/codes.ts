/** Verification and reset codes. Four of 32 characters give the 20 bits that OWASP ASVS 5.0, 6.5.4 asks. [OP-020] */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 4;
export const CODE_LIFETIME_MS = 10 * 60 * 1000;
/** A code is void after this many wrong tries. */
export const CODE_MAX_TRIES = 5;

/** Codes ignore letter case and surrounding spaces. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase();
}

/** The web application replaces these two messages with the specification's texts. [ERR-27] [ERR-28] */
export const INVALID_CODE = 'Invalid verification code';
export const EXPIRED_CODE = 'Verification code has expired';
