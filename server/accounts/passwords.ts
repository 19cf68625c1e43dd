import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

// OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** A PHC string: algorithm, cost and salt stand beside the hash, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return phc(salt, await derive('argon2id', { message: normalize(password), nonce: salt, ...COST }));
}

/**
 * Whether `password` made the hash. `null` stands for an account that does not exist: it costs as much time as a
 * wrong password, so that the two cannot be told apart (AUTH, OP-027).
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const parts = PHC.exec(stored ?? NOBODYS_HASH);
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
  return timingSafeEqual(expected, actual) && stored !== null;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
type PhcParts = [string, string, string, string, string, string];

function phc(salt: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`;
}

// No password is known to make it.
const NOBODYS_HASH = phc(randomBytes(16), randomBytes(COST.tagLength));

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

// The same letters typed on another keyboard may arrive as other code points (NIST SP 800-63B 3.1.1.2).
function normalize(password: string): string {
  return password.normalize('NFKC');
}
