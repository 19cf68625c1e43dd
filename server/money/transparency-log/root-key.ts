/** The key of the signed roots. It is derived from the session secret, so that all instances sign with the same key. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Context } from '#server/platform/context.ts';

const PURPOSE = 'roots of the ledger';

/** The beginning of an Ed25519 private key in PKCS #8, before its 32 bytes (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKey = (bytes: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, bytes]), format: 'der', type: 'pkcs8' });

export function signWithRootKey(
  ctx: Pick<Context, 'keyFor'>,
  text: string,
): { publicKey: Buffer; signature: Buffer } {
  const key = privateKey(ctx.keyFor(PURPOSE));
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey: Buffer.from(x as string, 'base64url'), signature: sign(null, Buffer.from(text), key) };
}

/** Whether the key of one of our secrets has signed a text. */
export function isSignedByUs(ctx: Pick<Context, 'keysFor'>, text: string, signature: Buffer): boolean {
  return ctx
    .keysFor(PURPOSE)
    .some((bytes) => verify(null, Buffer.from(text), createPublicKey(privateKey(bytes)), signature));
}
