/** The events that servers hand to each other through PostgreSQL, where no extension has another event log. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { CountingClient } from './connection.ts';

/** `id` grows, and a row with a lower id may become visible later than one with a higher id. */
export type Handed = { partition: number; id: number; content: string };

/** Hands over one message for each partition. Returns the rows, whose content is not read again. */
export async function handOver(
  client: CountingClient,
  messages: ReadonlyMap<number, string>,
): Promise<Omit<Handed, 'content'>[]> {
  const { rows } = await client.query<Omit<Handed, 'content'>>({
    name: 'hand_over',
    text: `insert into handed_events (partition, content) select * from unnest($1::smallint[], $2::text[])
      returning partition, id`,
    values: [[...messages.keys()], [...messages.values()]],
  });
  return rows;
}

export const FIND_HANDED = `
  select h.partition, h.id, h.content
    from unnest($1::smallint[]) as owned (partition)
    cross join lateral (
      select partition, id, content from handed_events
        where partition = owned.partition and refused is null order by id limit $2) as h
    order by h.id`;

/** The oldest messages of these partitions, at most `limit` of each. */
export async function findHanded(
  client: CountingClient,
  partitions: ReadonlySet<number>,
  limit: number,
): Promise<Handed[]> {
  const { rows } = await client.query<Handed>({
    name: 'find_handed',
    text: FIND_HANDED,
    values: [[...partitions], limit],
  });
  return rows;
}

export async function removeHanded(client: CountingClient, handed: readonly Handed[]): Promise<void> {
  await client.query({
    name: 'remove_handed',
    text: 'delete from handed_events where (partition, id) in (select * from unnest($1::smallint[], $2::bigint[]))',
    values: [handed.map(({ partition }) => partition), handed.map(({ id }) => id)],
  });
}

/** Keeps messages that can never be counted out of the way of the others. */
export async function setHandedAside(
  client: CountingClient,
  { partition, id }: Handed,
  why: string,
): Promise<void> {
  await client.query('update handed_events set refused = $3 where partition = $1 and id = $2', [
    partition,
    id,
    why,
  ]);
}

/** For each of these partitions with messages that are not counted: the lowest id of them. */
export async function firstHanded(tx: Tx, partitions: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ partition: number; id: number }>`
    select owned.partition, h.id
      from unnest(${[...partitions]}::smallint[]) as owned (partition)
      cross join lateral (
        select id from handed_events
          where partition = owned.partition and refused is null order by id limit 1) as h`.execute(tx);
  return new Map(rows.map(({ partition, id }) => [partition, id]));
}

/** When the oldest message that waits was received; null if none waits. */
export async function oldestHanded(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select min(substring(content from '"receivedAtMs":(\\d+)')::float8) as ms
      from handed_events where refused is null`.execute(tx);
  const { ms } = rows[0]!;
  return ms === null ? null : new Date(ms);
}

export async function hasHandedOver(client: CountingClient): Promise<boolean> {
  const { rows } = await client.query('select from handed_events where refused is null limit 1');
  return rows.length > 0;
}
