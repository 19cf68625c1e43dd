import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Secrets } from './environment.ts';

const FILE = 'session-secret';

/** Reads the secret from the data directory. The first call generates it, in a file that only its owner can read. */
export function loadSessionSecret(dataDir: string): string {
  const file = path.join(dataDir, FILE);
  if (!existsSync(file)) {
    // The secret is written to a draft that is linked once it is complete. A process that is killed on the way leaves
    // no partial secret, and two starts at the same moment end with the same one.
    const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8');
}

/** The secret that a server has generated, or null if there is none or this account may not read it. */
export function readGeneratedSecret(dataDir: string): string | null {
  try {
    return readFileSync(path.join(dataDir, FILE), 'utf8');
  } catch {
    return null;
  }
}

/** Derives keys of 32 bytes, one for each purpose, so that no key works for two. */
export function deriveKeys(secrets: Secrets) {
  const derive = (secret: string, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `openslot ${purpose}`, 32));
  return {
    /** The key for what is made now. */
    keyFor: (purpose: string): Buffer => derive(secrets[0], purpose),
    /** The keys for what was made before, the newest first: one for each secret (docs/decisions/081-rotated-secret.md). */
    keysFor: (purpose: string): Buffer[] => secrets.map((secret) => derive(secret, purpose)),
  };
}
