import type { Context } from '#server/context.ts';
import { installationId } from '#server/db/installation.ts';
import { oldestHanded } from './sharing/handed-over.ts';

/**
 * When the oldest event that waits in the event log of all servers was received; null if none waits. Throws
 * EventLogUnusable if NATS does not say.
 */
export async function oldestWaiting({ db, config }: Pick<Context, 'db' | 'config'>): Promise<Date | null> {
  const handed = await oldestHanded(db);
  const { eventLogUrl: url } = config;
  if (url === undefined) return handed;
  const { oldestInStream } = await import('./nats/stream.ts');
  const inStream = await oldestInStream(url, { installation: await installationId(db) });
  if (handed === null || inStream === null) return handed ?? inStream;
  return handed < inStream ? handed : inStream;
}
