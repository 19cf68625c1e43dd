import { hash } from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;

/**
 * HMAC-SHA256 (RFC 2104) for messages of one length, as base64url. Written out over the one-shot hash, with the
 * padded key kept: an Hmac object for each token costs three times as much, most of it in collecting the garbage.
 * `key` has at most 64 bytes.
 */
export function hmacSha256(key: Buffer, messageLength: number): (message: Buffer) => string {
  if (key.length > BLOCK) throw new RangeError('The key is longer than a block');
  const inner = padded(key, 0x36, messageLength);
  const outer = padded(key, 0x5c, DIGEST);
  return (message) => {
    if (message.length !== messageLength) throw new RangeError('The message has another length');
    message.copy(inner, BLOCK);
    outer.write(hash('sha256', inner, 'binary'), BLOCK, 'binary');
    return hash('sha256', outer, 'base64url');
  };
}

function padded(key: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(BLOCK + room);
  key.copy(bytes);
  for (let at = 0; at < BLOCK; at++) bytes[at] = (bytes[at] as number) ^ pad;
  return bytes;
}
