import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';

// The other parameters are the defaults of otpauth and RFC 6238, because authenticator apps ignore other values.
const SECRET_BYTES = 20;
/** Accepts the code of the step before and after, because the clocks of phones differ. */
const WINDOW = 1;

export function newSecret(): Buffer {
  return Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);
}

/** Returns the 30-second step to which the code belongs, or null for a wrong code. The caller refuses a used step. */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** The secret for an authenticator app: as text to type, as an address and as a QR code. */
export type Enrolment = {
  secret: string;
  uri: string;
  /** The dark modules as an SVG path in a square of `size` units. */
  qr: { size: number; path: string };
};

/** `issuer` is the name of the marketplace. */
export function enrolmentOf(secret: Buffer, email: string, issuer: string): Enrolment {
  const totp = totpOf(secret, email, issuer);
  const uri = totp.toString();
  return { secret: totp.secret.base32, uri, qr: drawQr(uri) };
}

function totpOf(secret: Buffer, label = 'account', issuer = ''): TOTP {
  return new TOTP({
    issuer,
    label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });
}

/** The light border of four modules is part of the standard (ISO/IEC 18004). */
function drawQr(text: string): Enrolment['qr'] {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { size, path };
}
