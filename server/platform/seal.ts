import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM. `owner` is bound to the text, so that a row cannot be copied to another user. */
export function seal(key: Buffer, owner: number, plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(String(owner)));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Returns null if none of the keys sealed the text, as it is after SESSION_SECRET was replaced and not rotated. */
export function unseal(keys: readonly Buffer[], owner: number, sealed: Buffer): Buffer | null {
  for (const key of keys) {
    const plain = unsealWith(key, owner, sealed);
    if (plain) return plain;
  }
  return null;
}

function unsealWith(key: Buffer, owner: number, sealed: Buffer): Buffer | null {
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(String(owner))).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
