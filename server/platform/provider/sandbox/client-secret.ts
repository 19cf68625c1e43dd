/** The secrets by which the browser pays one intent or saves one card: '{id}_secret_{random}'. */
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../net/secrets.ts';
import { ProviderError } from '../payment-provider.ts';

export function newSecret(id: string): string {
  return `${id}_secret_${randomBytes(18).toString('base64url')}`;
}

/** Whether a client secret is that of the saving of a card, and not of a payment. */
export function isSetupSecret(clientSecret: string): boolean {
  return clientSecret.startsWith('sbx_seti_');
}

/** '{id}_secret_{random}' -> the id of the intent or setup. */
export function intentOfSecret(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] ?? '';
}

/** The client that knows the secret may pay this one intent. */
export function requireSecret(intent: { clientSecret: string }, given: string): void {
  if (!isSameSecret(given, intent.clientSecret)) {
    throw new ProviderError('not_found', 'No such payment', { code: 'resource_missing' });
  }
}
