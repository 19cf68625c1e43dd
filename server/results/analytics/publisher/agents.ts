import { sql } from 'kysely';
import type { AgentRow, listAgents } from '#domain/analytics/publisher-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { ownRange } from '../over-time.ts';
import type { Range } from '../store-range.ts';
import { ownZones } from './store.ts';

const MAX_NAMES = 50;

/** What declared agents did in the publisher's ad zones, by name. [AGNT-03] */
export async function agents(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listAgents>,
): Promise<AgentRow[]> {
  return await selectAgents(ctx.db, await ownRange(ctx, who, { ...query, side: 'seller' }));
}

/** Days are those of UTC, by which agents are kept, whatever the timezone of the range. */
async function selectAgents(tx: Tx, range: Range): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    select a.name, sum(a.requests)::float8 as requests, sum(a.views)::float8 as views, sum(a.clicks)::float8 as clicks
      from websites w
      join ad_zones z on z.website_id = w.id
      join zone_agents a on a.zone_id = z.id
      where ${ownZones(range)} and a.day between ${range.from}::date and ${range.to}::date
      group by a.name
      order by sum(a.requests) desc, sum(a.views) desc, sum(a.clicks) desc, a.name
      limit ${MAX_NAMES}`.execute(tx);
  return rows;
}
