import type { JsMsg } from '@nats-io/jetstream';
import type { FastifyBaseLogger } from 'fastify';
import { EventLogAway, type LoggedEvent } from '../../server/delivery/event-log/event-log.ts';
import { encode } from '../../server/delivery/event-log/sharing/message.ts';
import type { PartitionOf } from '../../server/delivery/event-log/sharing/ownership.ts';
import { ASIDE_SUBJECT, type OpenStream, subjectOf } from './stream.ts';

const ACK_DEADLINE_MS = 5000;

/**
 * Publishes events in a message for each partition. Resolves once the stream has acknowledged all of them, with the place
 * of each message, by its partition.
 */
export async function publishEvents(
  { jsm }: OpenStream,
  events: LoggedEvent[],
  {
    partitionOf,
    receivedAtMs,
    clockAheadMs,
  }: { partitionOf: PartitionOf; receivedAtMs: number; clockAheadMs: number | undefined },
): Promise<Map<number, number>> {
  const js = jsm.jetstream();
  const publish = async ([partition, each]: [number, LoggedEvent[]]): Promise<[number, number]> => {
    const message = encode({ receivedAtMs, clockAheadMs, events: each });
    const { seq } = await js.publish(subjectOf(partition), message, { timeout: ACK_DEADLINE_MS });
    return [partition, seq];
  };
  return new Map(await Promise.all([...Map.groupBy(events, partitionOf)].map(publish)));
}

/** Returns a function that moves a message that can never be counted out of the stream. */
export function createSetAside(
  { connection, jsm }: OpenStream,
  log: FastifyBaseLogger,
): (message: JsMsg, why: string) => Promise<void> {
  let setAsideCount = 0;
  return async (message, why) => {
    try {
      if (connection.isClosed()) throw new EventLogAway();
      await jsm.jetstream().publish(ASIDE_SUBJECT, message.data, { timeout: ACK_DEADLINE_MS });
      message.term();
      setAsideCount += 1;
      log.error(
        { why, sequence: message.seq, setAside: setAsideCount },
        'a message in the event log is not a valid event; it was moved to OPENSLOT_ASIDE',
      );
    } catch (error) {
      log.error(
        { err: error, why, sequence: message.seq },
        'an invalid message could not be moved to OPENSLOT_ASIDE; trying again later',
      );
      message.nak(30_000);
    }
  };
}
