import type { Context } from '#server/platform/context.ts';
import { installationId } from '#server/platform/database/servers/installation.ts';
import { chosenEventLog } from '../extension.ts';
import { oldestHanded } from '../sharing/handed-over.ts';

/**
 * When the oldest event that waits in the event log of all servers was received; null if none waits. Throws
 * EventLogUnusable if the log of an extension does not say.
 */
export async function oldestWaiting({ db, config }: Pick<Context, 'db' | 'config'>): Promise<Date | null> {
  const handed = await oldestHanded(db);
  const extension = await chosenEventLog(config);
  if (!extension) return handed;
  const elsewhere = await extension.oldestWaiting({ config, installation: await installationId(db) });
  if (handed === null || elsewhere === null) return handed ?? elsewhere;
  return handed < elsewhere ? handed : elsewhere;
}
