import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { isLandingExpired, LANDING_LIFETIME_MS, LANDING_PARAMETER } from '#domain/delivery/landings.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';

/** The click that a landing belongs to. */
export type LandingClaims = {
  adId: number;
  zoneId: number;
  /** 24 hexadecimal digits. */
  decisionId: string;
  issuedAtMs: number;
  clickedAtMs: number;
};

export type LandingReading =
  | { state: 'valid' | 'expired'; claims: LandingClaims }
  /** This server did not make the token. */
  | { state: 'forged' };

const ALGORITHM = 'aes-256-gcm';
const NONCE_LENGTH = 12;
const DECISION_LENGTH = 12;
const PAYLOAD_LENGTH = 4 + 4 + DECISION_LENGTH + 6 + 6;
const TAG_LENGTH = 16;
/** A multiple of three bytes, so each token has one spelling in base64url. */
const TOKEN = new RegExp(`^[\\w-]{${((NONCE_LENGTH + PAYLOAD_LENGTH + TAG_LENGTH) * 4) / 3}}$`);

/** Within a period, a key encrypts far fewer than the 2^32 tokens that random nonces allow (NIST SP 800-38D, 8.3). */
const PERIOD_MS = 30 * LANDING_LIFETIME_MS;

/**
 * Makes and reads the tokens that measured clicks carry to the advertiser's page. A token is encrypted (AES-256-GCM),
 * so only this marketplace can make or read one, also with an older one of the secrets. The publisher's page knows the decision of a click, and the
 * advertiser's page may know its visitor. Encryption keeps the two from finding out that they know the same person.
 */
export function createLandingTokens(secrets: Secrets) {
  const keyrings = secrets.map(createKeyring);
  const keyOf = keyrings[0]!;
  const periodOf = (ms: number): number => Math.floor(ms / PERIOD_MS);

  return {
    issue({ adId, zoneId, decisionId, issuedAtMs, clickedAtMs }: LandingClaims): string {
      const payload = Buffer.alloc(PAYLOAD_LENGTH);
      payload.writeUInt32BE(adId, 0);
      payload.writeUInt32BE(zoneId, 4);
      payload.write(decisionId, 8, 'hex');
      payload.writeUIntBE(issuedAtMs, 20, 6);
      payload.writeUIntBE(clickedAtMs, 26, 6);
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv(ALGORITHM, keyOf(periodOf(clickedAtMs)), nonce);
      const sealed = Buffer.concat([cipher.update(payload), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },

    read(text: string, nowMs: number): LandingReading {
      if (!TOKEN.test(text)) return { state: 'forged' };
      const bytes = Buffer.from(text, 'base64url');
      const now = periodOf(nowMs);
      // The token does not name its period. It is this one, the one before, or the next if its server's clock was fast.
      const keys = keyrings.flatMap((of) => [now, now - 1, now + 1].map(of));
      for (const key of keys) {
        const payload = opened(bytes, key);
        if (payload === null) continue;
        const claims = {
          adId: payload.readUInt32BE(0),
          zoneId: payload.readUInt32BE(4),
          decisionId: payload.toString('hex', 8, 20),
          issuedAtMs: payload.readUIntBE(20, 6),
          clickedAtMs: payload.readUIntBE(26, 6),
        };
        return { state: isLandingExpired(claims.clickedAtMs, nowMs) ? 'expired' : 'valid', claims };
      }
      return { state: 'forged' };
    },
  };
}
export type LandingTokens = ReturnType<typeof createLandingTokens>;

/** Returns the function that derives the key of a period from one secret. */
function createKeyring(secret: string) {
  const keys = new Map<number, Buffer>();
  return (period: number): Buffer => {
    let key = keys.get(period);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, '', `openslot landings ${period}`, 32));
      if (keys.size > 4) keys.clear();
      keys.set(period, key);
    }
    return key;
  };
}

/**
 * The target address with the token. Query and fragment stay byte by byte as they are, because the advertiser's page may
 * compare them.
 */
export function withLandingToken(target: URL, token: string): URL {
  const url = new URL(target);
  url.search += `${url.search === '' ? '?' : '&'}${LANDING_PARAMETER}=${token}`;
  return url;
}

/** Null if the key is not the one that sealed these bytes, or if a bit was changed. */
function opened(bytes: Buffer, key: Buffer): Buffer | null {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_LENGTH), {
    authTagLength: TAG_LENGTH,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
  const payload = decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH));
  try {
    decipher.final();
    return payload;
  } catch {
    return null;
  }
}
