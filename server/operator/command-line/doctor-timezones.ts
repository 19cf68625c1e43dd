import type { Database } from '#server/platform/database/database.ts';
import { unknownTimezones } from '#server/platform/database/timezones.ts';
import type { Finding } from './doctor.ts';

/** Warns if users have chosen timezones that the database does not know. */
export async function checkTimezones(db: Database): Promise<Finding> {
  const check = 'timezones';
  const unknown = await unknownTimezones(db).catch((error: unknown) => {
    // 42P01, 42883: the table or the function is missing, because no server of this version has started yet.
    if (['42P01', '42883'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  });
  if (unknown.length === 0) return { check, state: 'ok', text: 'The database knows those of all users.' };
  const names = unknown.map(
    ({ timezone, users }) => `${timezone} (${users === 1 ? '1 user' : `${users} users`})`,
  );
  return {
    check,
    state: 'warn',
    text: `The database doesn’t know ${names.join(', ')}. These users read their figures by UTC until it does: install the timezones of its system, such as tzdata-legacy on Debian, or a newer release of PostgreSQL, and restart it.`,
  };
}
