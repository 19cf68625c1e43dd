/** The browser's side of passkeys. The library is loaded with the first passkey, because most visits need none. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';

/** Whether this browser can use passkeys here. Passkeys do not work at an IP address. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);
}

/** Whether the browser offers passkeys in the list that it shows below a field. */
export async function canOfferPasskeys(): Promise<boolean> {
  if (!canUsePasskeys() || !('isConditionalMediationAvailable' in PublicKeyCredential)) return false;
  return await PublicKeyCredential.isConditionalMediationAvailable();
}

/** The browser refused or canceled a passkey request, for example because the user closed its dialog. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys only work at the address of this server. Check the address in your browser.',
  NotSupportedError:
    'This device can’t make a passkey that works here. Use another device or password manager.',
};

async function translated<T>(ask: () => Promise<T>, fallback: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new PasskeyError(MESSAGES[name] ?? fallback, { cause: error });
  }
}

export async function createPasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return await translated(
    () => startRegistration({ optionsJSON }),
    'No passkey was added. Try again when you’re ready.',
  );
}

export async function askPasskey(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return await translated(
    () => startAuthentication({ optionsJSON }),
    'No passkey was used. Try again, or use your password.',
  );
}

/** Resolves when the user picks a passkey below a field, or with null if the request was aborted or failed. */
export async function offerPasskeys(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON | null> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return await startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null);
}

/** Aborts the passkey request that is under way. */
export async function stopAsking(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}
