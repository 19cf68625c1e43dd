import type { Tx } from '#server/platform/database/database.ts';
import { PERSON_NAME } from './rules.ts';

export async function selectEvents(
  tx: Tx,
  userId: number,
  { before, limit }: { before: number | null; limit: number },
) {
  return await tx
    .selectFrom('securityEvents')
    .select(['id', 'kind', 'device', 'network', 'at', 'memberId'])
    .select((from) =>
      from
        .selectFrom('users')
        .select(PERSON_NAME.as('name'))
        .whereRef('users.id', '=', 'securityEvents.memberId')
        .where('deletedAt', 'is', null)
        .as('memberName'),
    )
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
