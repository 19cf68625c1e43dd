/** Which names of timezones this database knows (server/platform/database/functions/people/known_timezone.sql). */
import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** The name, or UTC if the database does not know it. */
export async function knownTimezone(tx: Tx, name: string): Promise<string> {
  const { rows } = await sql<{ known: string }>`select known_timezone(${name}) as known`.execute(tx);
  return rows[0]!.known;
}

export type UnknownTimezone = { timezone: string; users: number };

/** The stored timezones that the database does not know, as after a restore into another image. */
export async function unknownTimezones(tx: Tx): Promise<UnknownTimezone[]> {
  const { rows } = await sql<UnknownTimezone>`
    select timezone, users from (
        select timezone, count(*)::float8 as users from user_settings group by timezone offset 0) as stored
      where known_timezone(timezone) <> timezone
      order by timezone`.execute(tx);
  return rows;
}
