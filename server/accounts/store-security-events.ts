import type { SecurityEventKind } from '#domain/accounts/contract.ts';
import type { Tx } from '../db/database.ts';

type Event = {
  userId: number;
  kind: SecurityEventKind;
  device: string | null;
  network: string | null;
  at: Date;
};

/** Does nothing for an account that was deleted in the meantime. */
export async function insertEvent(tx: Tx, { userId, kind, device, network, at }: Event): Promise<void> {
  await tx
    .insertInto('securityEvents')
    .columns(['userId', 'kind', 'device', 'network', 'at'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select([
          'id',
          from.val(kind).as('kind'),
          from.val(device).as('device'),
          from.val(network).as('network'),
          from.val(at).as('at'),
        ])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null)
        .forKeyShare(),
    )
    .execute();
}

export async function selectEvents(
  tx: Tx,
  userId: number,
  { before, limit }: { before: number | null; limit: number },
) {
  return await tx
    .selectFrom('securityEvents')
    .select(['id', 'kind', 'device', 'network', 'at'])
    .where('userId', '=', userId)
    .$if(before !== null, (query) => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
export type SecurityEventRow = Awaited<ReturnType<typeof selectEvents>>[number];

export async function deleteEventsOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('securityEvents').where('userId', '=', userId).execute();
}

export async function deleteEventsBefore(tx: Tx, instant: Date): Promise<void> {
  await tx.deleteFrom('securityEvents').where('at', '<', instant).execute();
}
