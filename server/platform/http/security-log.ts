import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SecurityEventKind } from '#domain/accounts/contract.ts';
import { deviceOf } from '#domain/accounts/device.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database/database.ts';
import { subscriberOf } from '../net/networks.ts';

export type Client = Pick<FastifyRequest, 'ip' | 'headers'> & Partial<Pick<FastifyRequest, 'memberId'>>;

/** In characters. Long enough for a user to recognize a network again. */
const NETWORK_HASH_LENGTH = 12;

/** Records a security event of an account. `client` is null if no request of the user caused it. [SEC-20] */
export async function logSecurity(
  ctx: Context,
  tx: Tx,
  { userId, kind, client }: { userId: number; kind: SecurityEventKind; client: Client | null },
): Promise<void> {
  await insertEvent(tx, {
    userId,
    kind,
    device: client && deviceOf(client.headers['user-agent']),
    network: client && networkName(ctx, client.ip),
    memberId: client?.memberId ?? null,
    at: ctx.realNow(),
  });
}

/** The address itself is not stored. Without the key, addresses cannot be tried against the hash. */
export function networkName(ctx: Context, ip: string): string {
  return createHmac('sha256', ctx.keyFor('networks of the security log'))
    .update(subscriberOf(ip))
    .digest('base64url')
    .slice(0, NETWORK_HASH_LENGTH);
}

type Event = {
  userId: number;
  kind: SecurityEventKind;
  device: string | null;
  network: string | null;
  /** The member of the account who caused the event. Null for the account's own person, and for nobody. */
  memberId: number | null;
  at: Date;
};

/** Does nothing for an account that was deleted in the meantime. */
async function insertEvent(tx: Tx, { userId, kind, device, network, memberId, at }: Event): Promise<void> {
  await tx
    .insertInto('securityEvents')
    .columns(['userId', 'kind', 'device', 'network', 'memberId', 'at'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select([
          'id',
          from.val(kind).as('kind'),
          from.val(device).as('device'),
          from.val(network).as('network'),
          from.val(memberId).as('memberId'),
          from.val(at).as('at'),
        ])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null)
        .forKeyShare(),
    )
    .execute();
}
