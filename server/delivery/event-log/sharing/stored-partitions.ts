import { EventLogUnusable } from '../event-log.ts';
import { type CountingClient, inTransaction } from './connection.ts';
import { hasHandedOver } from './handed-over.ts';
import { countOthers } from './ownership.ts';

/**
 * Stores EVENT_PARTITIONS at the first start, and compares it at each later one. All servers must sort publishers alike,
 * so the number may only grow, and only while no server runs and no event is waiting. Call it on a connection that
 * already counts as a server, so that two servers with different numbers cannot both start.
 */
export async function settlePartitions(
  client: CountingClient,
  wanted: number,
  hasUncounted: () => Promise<boolean>,
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query('insert into event_partitions (partitions) values ($1) on conflict do nothing', [
      wanted,
    ]);
    const { rows } = await client.query<{ partitions: number }>(
      'select partitions from event_partitions for update',
    );
    const stored = rows[0]!.partitions;
    if (stored === wanted) return;
    if (stored > wanted)
      throw new EventLogUnusable(
        `EVENT_PARTITIONS is ${wanted}, but this database counts in ${stored} partitions, and they cannot become fewer. Set EVENT_PARTITIONS=${stored}.`,
      );
    if ((await countOthers(client)) > 0)
      throw new EventLogUnusable(
        `EVENT_PARTITIONS is ${wanted}, but other servers are counting in ${stored} partitions. Stop them before you raise it, or set EVENT_PARTITIONS=${stored}.`,
      );
    if ((await hasHandedOver(client)) || (await hasUncounted()))
      throw new EventLogUnusable(
        `EVENT_PARTITIONS is ${wanted}, but events in ${stored} partitions are not counted yet. Start with EVENT_PARTITIONS=${stored}, and raise it when all are counted.`,
      );
    await client.query('update event_partitions set partitions = $1', [wanted]);
  });
}
