/** An authenticator for tests: makes P-256 passkeys and answers challenges as a browser sends them (WebAuthn level 3). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Answer, Client } from '../client.ts';

/** Mistakes that a test makes on purpose. */
export type Twist = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Whether the device checked who uses it. */
  verified?: boolean;
  counter?: number;
  /** Replaces the attestation, whose format is otherwise 'none'. */
  attestation?: { format: string; statement: Buffer };
  id?: string;
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

export class TestPasskey {
  readonly id: string = randomBytes(16).toString('base64url');
  counter = 0;
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: { x: Buffer; y: Buffer };

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#publicKey = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** Answers `navigator.credentials.create`. */
  create(challenge: string, twist: Twist = {}) {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#cose()]);
    const authData = Buffer.concat([this.#authenticatorData(twist, 0x40), attested]);
    const { format, statement } = twist.attestation ?? { format: 'none', statement: cborMap([]) };
    const attestationObject = cborMap([
      [cborText('fmt'), cborText(format)],
      [cborText('attStmt'), statement],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return {
      ...this.#named(twist),
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, twist)),
        attestationObject: base64url(attestationObject),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /**
   * Answers `navigator.credentials.get`. The answer of a device with a counter includes the number of its signatures.
   */
  get(challenge: string, twist: Twist = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, twist);
    const authenticatorData = this.#authenticatorData(twist, 0);
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, sha256(clientData)]),
      this.#privateKey,
    );
    return {
      ...this.#named(twist),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      },
    };
  }

  #named({ id = this.id }: Twist) {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  }

  #clientData(usual: string, given: string, { type = usual, challenge = given, origin }: Twist): string {
    return JSON.stringify({ type, challenge, origin: origin ?? this.#origin, crossOrigin: false });
  }

  #authenticatorData({ rpId, verified = true, counter = this.counter }: Twist, more: number): Buffer {
    const rest = Buffer.alloc(5);
    // Bit 0: the user was present. Bit 2: the device checked who the user is.
    rest.writeUInt8(0x01 | (verified ? 0x04 : 0) | more);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId ?? new URL(this.#origin).hostname), rest]);
  }

  /** The public key as COSE: an elliptic curve key for ES256 on P-256. */
  #cose(): Buffer {
    return cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), cborBytes(this.#publicKey.x)],
      [cborInt(-3), cborBytes(this.#publicKey.y)],
    ]);
  }
}

/** Adds a passkey to the account of a signed-in person, and checks that this worked. */
export async function addPasskey(
  person: Client,
  name?: string,
): Promise<{ passkey: TestPasskey; id: number }> {
  const passkey = new TestPasskey(person.url);
  const { challenge } = (await person.post('/api/user/passkeys/options')).body as { challenge: string };
  const answer = await person.post('/api/user/passkeys', { credential: passkey.create(challenge), name });
  if (answer.status !== 201) throw new Error(`Adding a passkey answered ${answer.status}: ${answer.text}`);
  return { passkey, id: (answer.body as { id: number }).id };
}

/** Signs a client in with a passkey. */
export async function signInByPasskey(client: Client, passkey: TestPasskey, twist?: Twist): Promise<Answer> {
  const { challenge } = (await client.post('/api/auth/passkey/options')).body as { challenge: string };
  return await client.post('/api/auth/passkey', { credential: passkey.get(challenge, twist) });
}

/** Confirms the session of a client with a passkey. */
export async function confirmByPasskey(client: Client, passkey: TestPasskey, twist?: Twist): Promise<Answer> {
  const begun = await client.post('/api/user/reauthenticate/passkey/options');
  const { challenge } = begun.body as { challenge: string };
  return await client.post('/api/user/reauthenticate/passkey', {
    credential: passkey.get(challenge, twist),
  });
}

// CBOR (RFC 8949), as far as WebAuthn needs it.

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  const head = Buffer.from([(major << 5) | 25, 0, 0]);
  head.writeUInt16BE(value, 1);
  return head;
}

export const cborInt = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
export const cborText = (text: string): Buffer =>
  Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
export const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
export const cborList = (items: readonly Buffer[]): Buffer =>
  Buffer.concat([cborHead(4, items.length), ...items]);
export const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
