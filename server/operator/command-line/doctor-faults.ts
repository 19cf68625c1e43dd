import type { Database } from '#server/platform/database/database.ts';
import { websiteFaults } from '#server/delivery/faults/open-faults.ts';
import type { Finding } from './doctor.ts';

/** The line names this many websites. The console has all. */
const MAX_NAMED = 3;

/**
 * Warns about websites with a fault, of which their publishers were told. A fault of the installation is an alarm, which
 * fails in a line of its own.
 */
export async function checkFaults(db: Database): Promise<Finding> {
  const check = 'reports';
  const found = await websiteFaults(db, MAX_NAMED + 1).catch((error: unknown) => {
    // The table does not exist, because no server of this version has started on the database.
    if ((error as { code?: string }).code === '42P01') return [];
    throw error;
  });
  if (found.length === 0)
    return { check, state: 'ok', text: 'No reason refuses nearly all reports of a website.' };
  const named = found.slice(0, MAX_NAMED).map(({ websiteName, title }) => `${websiteName} (“${title}”)`);
  const more = found.length > MAX_NAMED ? ', and more' : '';
  return {
    check,
    state: 'warn',
    text: `The publishers of these websites were told: ${named.join(', ')}${more}. See “Faults” in the console.`,
  };
}
