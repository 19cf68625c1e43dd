import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Counter, isRefusal } from '../counter.ts';
import type { EventLogListener, LoggedEvent } from '../event-log.ts';
import type { CountingClient, CountingConnection } from './connection.ts';
import { findHanded, type Handed, removeHanded, setHandedAside } from './handed-over.ts';
import { decode } from './message.ts';
import type { Ownership } from './ownership.ts';

/** How long handed events wait for their owner to look, while other servers count and when this one is alone. */
const SHARED_MS = 100;
const ALONE_MS = 1000;
const MAX_MESSAGES_OF_PARTITION = 4;

type Message = { handed: Handed; second: number; receivedAtMs: number; events: LoggedEvent[] };

/** Counts the events that other servers have handed to this one, as long as it owns their partitions. [RUN-04] */
export function countHanded(parts: {
  connection: CountingConnection;
  ownership: Ownership;
  counter: Counter;
  listener: Pick<EventLogListener, 'onCounted'>;
  log: FastifyBaseLogger;
}): { stop: () => Promise<void> } {
  const { connection, ownership, counter, listener, log } = parts;
  const stopping = new AbortController();
  let failing = false;

  /** Returns whether there may be more. */
  async function countSome(client: CountingClient): Promise<boolean> {
    const partitions = await ownership.ownedOn(client);
    if (partitions.size === 0) return false;
    const found = await findHanded(client, partitions, MAX_MESSAGES_OF_PARTITION);
    const messages: Message[] = [];
    for (const handed of found) {
      const content = decode(handed.content);
      if ('wrong' in content) await setAside(client, log, handed, content.wrong);
      else messages.push({ handed, second: Math.floor(content.receivedAtMs / 1000), ...content });
    }
    // Events count as of the time they were received. Whole seconds are exact enough, and none spans two hours.
    for (const group of Map.groupBy(messages, ({ second }) => second).values())
      await countTogether(client, group);
    return found.length > 0;
  }

  /** Counts and removes messages in one transaction, so that each counts exactly once. */
  async function countTogether(client: CountingClient, group: Message[]): Promise<void> {
    try {
      const counted = await counter.count(
        client,
        group.flatMap(({ events }) => events),
        new Date(Math.max(...group.map(({ receivedAtMs }) => receivedAtMs))),
        async () =>
          await removeHanded(
            client,
            group.map(({ handed }) => handed),
          ),
      );
      listener.onCounted(counted);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (group.length > 1) for (const each of group) await countTogether(client, [each]);
      else await setAside(client, log, group[0]!.handed, String(error));
    }
  }

  async function countUntilStopped(): Promise<void> {
    for (;;) {
      let isMore = false;
      try {
        isMore = await connection.run(countSome);
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'counting handed events failed; they will be tried again');
        failing = true;
      }
      if (stopping.signal.aborted) return;
      if (!isMore)
        await pause(ownership.servers() > 1 ? SHARED_MS : ALONE_MS, undefined, { signal: stopping.signal });
    }
  }

  // The pause rejects when the server stops.
  const counting = countUntilStopped().catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await counting;
    },
  };
}

async function setAside(
  client: CountingClient,
  log: FastifyBaseLogger,
  handed: Handed,
  why: string,
): Promise<void> {
  await setHandedAside(client, handed, why);
  log.error(
    { why, partition: handed.partition, id: handed.id },
    'handed events cannot be counted; they stay in handed_events',
  );
}
