/**
 * The checks of passkeys (https://www.w3.org/TR/webauthn-3/), by a library. Its 30 MB and the attestation of a stranger
 * stay out of the server. Both throw Refusal with a reason for the log. [decision 021]
 */
import type { Assertion, NewCredential } from '#domain/accounts/passkeys-contract.ts';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { Refusal } from './kinds.ts';

/** The challenge, and the name and origin that the passkey must have signed it for. */
type Asked = { challenge: string; id: string; origin: string };

const expectedOf = ({ challenge, id, origin }: Asked) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
});

/** `bytes` is a NewCredential as JSON, and the `bytes` of the result are the public key. */
export async function checkNewPasskey(
  bytes: Buffer,
  { algorithms, ...asked }: Asked & { algorithms: number[] },
): Promise<{ credentialId: string; counter: number; bytes: Uint8Array }> {
  const { response, ...credential } = JSON.parse(bytes.toString()) as NewCredential;
  const { clientDataJSON, attestationObject } = response;
  return await refusing(async () => {
    refuseCertificates(attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      ...expectedOf(asked),
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) throw new Error('The attestation is not valid.');
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, counter, bytes: publicKey };
  });
}

/**
 * To check the certificates of a device, the library loads addresses from them. We request no certificates, so browsers
 * send none, and the certificate of an attacker must not make anything be loaded (ASVS 1.3.6).
 */
function refuseCertificates(attestationObject: string): void {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  if (format === 'none') return;
  // Self attestation, which browsers pass on: the key signs for itself.
  if (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined) return;
  throw new Error('The attestation has a format that was not requested.');
}

/** `bytes` is an Assertion as JSON, and `publicKey` base64url. Returns the counter of the device. */
export async function checkPasskey(
  bytes: Buffer,
  { credentialId, publicKey, ...asked }: Asked & { credentialId: string; publicKey: string },
): Promise<{ counter: number }> {
  const credential = JSON.parse(bytes.toString()) as Assertion;
  return await refusing(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      ...expectedOf(asked),
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        // The statement that stores the counter compares it, so that parallel answers are compared, too.
        counter: 0,
      },
    });
    if (!verified) throw new Error('The signature is not valid.');
    return { counter: authenticationInfo.newCounter };
  });
}

/** The library throws errors of many kinds at what a stranger sends. All of them are refusals. */
async function refusing<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new Refusal(400, error instanceof Error ? error.message : String(error));
  }
}
