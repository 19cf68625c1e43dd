import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { invalid } from '#server/platform/http/errors.ts';

const derive = promisify(argon2);

// OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane
// (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** Returns a PHC string. It holds algorithm, cost and salt beside the hash, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return phc(salt, await derive('argon2id', { message: normalize(password), nonce: salt, ...COST }));
}

/**
 * Returns whether `password` matches the hash. `null` stands for an account that does not exist. It takes as long as a
 * wrong password, so that an attacker cannot tell the two apart. [OP-027]
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const known = stored !== null && stored !== NO_PASSWORD;
  const parts = PHC.exec(known ? stored : DUMMY_HASH);
  if (!parts) return false;
  const [, memory, passes, parallelism, salt, hash] = parts as unknown as PhcParts;
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive('argon2id', {
    message: normalize(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(expected, actual) && known;
}

/** Stored for an account whose owner has to set a password by a mailed link first. No password matches it. */
export const NO_PASSWORD = '';

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
type PhcParts = [string, string, string, string, string, string];

function phc(salt: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`;
}

// A random hash, which no known password matches.
const DUMMY_HASH = phc(randomBytes(16), randomBytes(COST.tagLength));

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

// Another keyboard may send other code points for the same characters (NIST SP 800-63B-4, 3.1.1.2).
function normalize(password: string): string {
  return password.normalize('NFKC');
}

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
