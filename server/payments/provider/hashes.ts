import { createHmac } from 'node:crypto';
import type { Context } from '../../context.ts';

/**
 * A keyed hash of a network, or of the provider's fingerprint of a card or bank account. Neither is kept in clear. A card
 * has the same hash wherever it is used, so that payments and payouts can be compared.
 */
export function hashOf(ctx: Context, kind: 'network' | 'card', value: string): string {
  return createHmac('sha256', ctx.keyFor('card-testing')).update(`${kind}:${value}`).digest('base64url');
}
