import { createHmac } from 'node:crypto';
import type { Context } from '#server/platform/context.ts';
import { widestNetworkOf } from '#server/platform/net/networks.ts';

/**
 * A keyed hash of a network, or of the provider's fingerprint of a card or bank account. Neither is kept in clear. A card
 * has the same hash wherever it is used, so that payments and payouts can be compared.
 */
export function hashOf(ctx: Context, kind: Kind, value: string): string {
  return hashWith(ctx.keyFor(KEY), kind, value);
}

/** The hashes of a value with the keys of all secrets, the newest first, to compare it with older payments. */
export function hashesOf(ctx: Context, kind: Kind, value: string): string[] {
  return ctx.keysFor(KEY).map((key) => hashWith(key, kind, value));
}

type Kind = 'network' | 'card';

const KEY = 'card-testing';

function hashWith(key: Buffer, kind: Kind, value: string): string {
  return createHmac('sha256', key).update(`${kind}:${value}`).digest('base64url');
}

/** The network of an address (an IPv4 /24 or an IPv6 /48), by which its declines and cancels are counted. */
export function networkHash(ctx: Context, ip: string): string {
  return hashOf(ctx, 'network', widestNetworkOf(ip));
}

/** The key that we gave to an object of the provider, from its metadata. Null for one of another shape, which is not ours. */
export function ourKey(
  { metadata }: { metadata: Readonly<Record<string, string>> },
  name: string,
): string | null {
  const key = metadata[name] ?? '';
  // PostgreSQL would refuse any other text in a column of UUIDs.
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : null;
}
