import { readFileSync } from 'node:fs';
import path from 'node:path';
import { invalid } from '#server/platform/http/errors.ts';

const LEAKED = 'This password is on lists of leaked passwords. Choose another one.';

const common: ReadonlySet<string> = new Set(
  readFileSync(path.join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
);

/** Throws 400 for a password that attackers try first (OWASP ASVS 5.0, 6.2.4). `field` is its name in the body. [SEC-18] */
export function refuseCommonPassword(password: string, field: string): void {
  if (common.has(password.normalize('NFKC').toLowerCase())) throw invalid(LEAKED, field);
}
