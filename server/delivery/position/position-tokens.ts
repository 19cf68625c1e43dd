import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';

/** What one report is about. `id` is random, and makes the report count once. */
export type PositionClaims = { zoneId: number; issuedAtMs: number; id: Buffer };

/** A page may be open this long before its visitor leaves it. */
const LIFETIME_MS = DAY_MS;
const ID_LENGTH = 12;
const PAYLOAD_LENGTH = ID_LENGTH + 4 + 6;
const SIGNATURE_LENGTH = 14;
/** A multiple of three bytes, so each token has one spelling in base64url. */
const TOKEN = new RegExp(`^[\\w-]{${((PAYLOAD_LENGTH + SIGNATURE_LENGTH) * 4) / 3}}$`);

/**
 * Makes and reads the tokens with which a page reports where an ad zone stands. So only requests that the server has picked
 * make rows. Tokens of any of the secrets are valid.
 */
export function createPositionTokens(secrets: Secrets) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'openslot placement', 32)));
  const sign = (key: Buffer, payload: Buffer): Buffer =>
    createHmac('sha256', key).update(payload).digest().subarray(0, SIGNATURE_LENGTH);

  return {
    issue(zoneId: number, nowMs: number): string {
      const payload = Buffer.alloc(PAYLOAD_LENGTH);
      randomBytes(ID_LENGTH).copy(payload);
      payload.writeUInt32BE(zoneId, ID_LENGTH);
      payload.writeUIntBE(nowMs, ID_LENGTH + 4, 6);
      return Buffer.concat([payload, sign(keys[0]!, payload)]).toString('base64url');
    },

    /** Null if no secret has signed the token, or if it has expired. */
    read(token: string, nowMs: number): PositionClaims | null {
      if (!TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const payload = bytes.subarray(0, PAYLOAD_LENGTH);
      const signature = bytes.subarray(PAYLOAD_LENGTH);
      if (!keys.some((key) => timingSafeEqual(sign(key, payload), signature))) return null;
      const issuedAtMs = payload.readUIntBE(ID_LENGTH + 4, 6);
      // The clocks of two servers may differ by a minute.
      if (nowMs - issuedAtMs > LIFETIME_MS || issuedAtMs - nowMs > MINUTE_MS) return null;
      return { id: payload.subarray(0, ID_LENGTH), zoneId: payload.readUInt32BE(ID_LENGTH), issuedAtMs };
    },
  };
}
export type PositionTokens = ReturnType<typeof createPositionTokens>;
