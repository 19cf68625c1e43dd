import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** The advertisers' facts that publishers see, by user id. The counts are text (PostgreSQL's bigint). */
export async function findAdvertisers(tx: Tx, userIds: readonly number[]) {
  if (userIds.length === 0) return new Map<number, AdvertiserRow>();
  const rows = await advertisers(tx, [...new Set(userIds)]);
  return new Map(rows.map((row) => [row.id, row]));
}

function advertisers(tx: Tx, userIds: number[]) {
  return tx
    .selectFrom('users')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('ads')
          .whereRef('ads.userId', '=', 'users.id')
          .select([
            sql<number>`count(*) filter (where ads.start_date is not null)`.as('adsRun'),
            sql<number>`count(*) filter (where ads.status = 'rejected' and ads.withdrawn_at is null)`.as(
              'adsRejected',
            ),
          ])
          .as('record'),
      (join) => join.onTrue(),
    )
    .select([
      'users.id',
      'users.firstName',
      'users.lastName',
      'users.createdAt',
      'userSettings.businessName',
      'record.adsRun',
      'record.adsRejected',
    ])
    .where('users.id', 'in', userIds)
    .execute();
}

export type AdvertiserRow = Awaited<ReturnType<typeof advertisers>>[number];
