import type { FastifyBaseLogger } from 'fastify';
import { type Condition, EventLogUnusable } from '../../server/delivery/event-log/event-log.ts';
import { createCondition } from './condition.ts';
import type { NatsConnection } from './connection.ts';
import { repeat } from './repeat.ts';
import { hasNoRoom } from './stream.ts';

const CONDITION_MS = 5000;
const ROOM_CHECK_MS = 500;

/**
 * Asks again and again whether the stream is safe and has room. While NATS does not answer, what was found last stays in
 * force. Without `about`, nothing is asked about its safety.
 */
export function createChecks(
  nats: NatsConnection,
  about: Parameters<typeof createCondition>[0] | undefined,
  log: FastifyBaseLogger,
) {
  const askCondition = about && createCondition(about);
  let condition: Condition = { problem: null, unsynced: true };
  let isFull = false;
  const repeated: { stop: () => void }[] = [];

  async function readCondition(): Promise<void> {
    const stream = nats.reachable();
    if (!askCondition || !stream) return;
    const { problem } = condition;
    condition = await askCondition(stream);
    if (condition.problem !== null && problem === null) log.error(condition.problem);
  }

  async function checkRoom(): Promise<void> {
    const stream = nats.reachable();
    if (stream) isFull = await hasNoRoom(stream);
  }

  return {
    condition: () => condition,
    isFull: () => isFull,
    /** Throws EventLogUnusable if events would not be safe in the stream. */
    start: async (): Promise<void> => {
      await readCondition();
      if (condition.problem !== null) throw new EventLogUnusable(condition.problem);
      repeated.push(repeat(readCondition, CONDITION_MS));
      await checkRoom();
      repeated.push(repeat(checkRoom, ROOM_CHECK_MS));
    },
    stop: (): void => {
      for (const each of repeated) each.stop();
    },
  };
}
