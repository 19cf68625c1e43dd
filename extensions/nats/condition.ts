/** Whether acknowledged events are safe in NATS: on the disk, and in a stream of this installation. */
import { z } from 'zod';
import type { Condition } from '../../server/delivery/event-log/event-log.ts';
import { findOwnerProblem } from './owner.ts';
import { type OpenStream, STREAM } from './stream.ts';

const ANSWER_MS = 3000;

/** What `/varz` says. 2.9 has neither field and syncs at intervals; from 2.10 on, `sync_interval: always` is `sync_always`. */
const varz = z.object({
  server_name: z.string(),
  jetstream: z.object({ config: z.object({ sync_always: z.boolean().optional() }).optional() }).optional(),
});

/**
 * Returns a function that asks NATS. A monitoring address that does not answer leaves what it said before in force, so
 * that a monitor that is away takes no server from a balancer.
 */
export function createCondition(options: {
  installation: string;
  monitorUrls: readonly string[];
  /** Only production refuses a single server that could lose acknowledged events. */
  production: boolean;
}): (stream: OpenStream) => Promise<Condition> {
  /** Whether each server syncs, by its name. */
  const syncs = new Map<string, boolean>();

  async function askMonitor(url: string): Promise<void> {
    const response = await fetch(new URL('/varz', url), { signal: AbortSignal.timeout(ANSWER_MS) });
    const { server_name: name, jetstream } = varz.parse(await response.json());
    syncs.set(name, jetstream?.config?.sync_always === true);
  }

  return async ({ connection, jsm }) => {
    await Promise.allSettled(options.monitorUrls.map(askMonitor));
    const { config, cluster } = await jsm.streams.info(STREAM);
    const replicas = cluster?.replicas?.map(({ name }) => name) ?? [];
    const leader = cluster?.leader ?? connection.info?.server_name ?? '';
    const unsynced = [leader, ...replicas].filter((name) => syncs.get(name) !== true);
    const isSingle = replicas.length === 0 && connection.info?.cluster === undefined;
    const syncProblem =
      options.production && isSingle && unsynced.length > 0 ? explain(leader, syncs.has(leader)) : null;
    return {
      problem: findOwnerProblem(config, options.installation) ?? syncProblem,
      unsynced: unsynced.length > 0,
    };
  };
}

function explain(name: string, isKnown: boolean): string {
  const what = isKnown
    ? `The single NATS server ${name} does not sync each message to its disk, as EVENT_LOG_MONITOR_URL says.`
    : `No address of EVENT_LOG_MONITOR_URL says whether the single NATS server ${name} syncs each message to its disk. Set EVENT_LOG_MONITOR_URL to its monitoring address, such as http://host:8222.`;
  return `${what} A power failure would lose views and clicks that were acknowledged. Set sync_interval to always in its jetstream block (NATS 2.10 or newer), or run three NATS servers as one cluster.`;
}
