import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type AdEvent, EventLogAway, EventLogFull } from './event-log.ts';
import { createEventQueue } from './event-queue.ts';

const event = (adId: number): AdEvent => ({
  decisionId: '0'.repeat(24),
  kind: 'view',
  adId,
  zoneId: 1,
  issuedAtMs: 0,
  reason: null,
  implied: false,
  creative: 0,
});

/** A queue whose batches stay in flight until the test ends them. */
function heldQueue(limits: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const batches: { ids: number[]; done: () => void; fail: (error: Error) => void }[] = [];
  const queue = createEventQueue({
    send: async (events) =>
      await new Promise<void>((resolve, reject) => {
        batches.push({ ids: events.map(({ adId }) => adId), done: resolve, fail: reject });
      }),
    maxPerBatch: 3,
    batchesInFlight: 1,
    maxWaiting: 1000,
    maxWaitMs: 60_000,
    ...limits,
  });
  return { queue, batches };
}

/** Waits for the next turn of the event loop. By then the queue has sent whatever it is going to send. */
const nextTurn = async () => await pause(30);

// Proves GEN-19
it('sends events that arrive during a batch together, in order, up to the limit of a batch', async () => {
  const { queue, batches } = heldQueue();
  const first = queue.append([event(1)]);
  await nextTurn();
  const later = [2, 3, 4, 5].map(async (adId) => await queue.append([event(adId)]));
  await nextTurn();
  expect(batches.map(({ ids }) => ids)).toEqual([[1]]);
  batches[0]!.done();
  await first;
  await nextTurn();
  batches[1]!.done();
  await nextTurn();
  expect(batches.map(({ ids }) => ids)).toEqual([[1], [2, 3, 4], [5]]);
  batches[2]!.done();
  await Promise.all(later);
  await queue.stop();
});

// Proves GEN-19
it('waits for the callers it has just answered, so that a late event does not go alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { queue, batches } = heldQueue();
  const answers = [1, 2].map(async (adId) => await queue.append([event(adId)]));
  await nextTurn();
  const late = queue.append([event(3)]);
  batches[0]!.done();
  await Promise.all(answers);
  await nextTurn();
  expect(batches).toHaveLength(1);
  const again = [1, 2].map(async (adId) => await queue.append([event(adId)]));
  await nextTurn();
  expect(batches.map(({ ids }) => ids)).toEqual([
    [1, 2],
    [3, 1, 2],
  ]);

  // No caller returns, so the waiting event is sent alone.
  const alone = queue.append([event(4)]);
  batches[1]!.done();
  await Promise.all([late, ...again]);
  await nextTurn();
  expect(batches).toHaveLength(2);
  vi.runAllTimers();
  expect(batches.at(-1)?.ids).toEqual([4]);
  batches[2]!.done();
  await alone;
  await queue.stop();
});

// Proves GEN-19
it('rejects the events of a failed batch, and no others', async () => {
  const { queue, batches } = heldQueue();
  const lost = queue.append([event(1)]);
  // The test awaits this later. Until then the rejection must not count as unhandled.
  lost.catch(() => {});
  await nextTurn();
  const kept = queue.append([event(2)]);
  batches[0]!.fail(new Error('gone'));
  await expect(lost).rejects.toThrow('gone');
  await nextTurn();
  batches[1]!.done();
  await kept;
  await queue.stop();
});

// Proves GEN-19
it('rejects events beyond the limit, and accepts events again once the queue has room', async () => {
  const { queue, batches } = heldQueue({ maxWaiting: 2 });
  const first = queue.append([event(1)]);
  await nextTurn();
  const waiting = queue.append([event(2), event(3)]);
  await expect(queue.append([event(4)])).rejects.toBeInstanceOf(EventLogFull);
  batches[0]!.done();
  await first;
  await nextTurn();
  const next = queue.append([event(5), event(6)]);
  batches[1]!.done();
  await waiting;
  await nextTurn();
  batches[2]!.done();
  await next;
  await queue.stop();
  await expect(queue.append([event(7)])).rejects.toBeInstanceOf(EventLogFull);
});

// Proves GEN-19
it('rejects events that wait too long for a batch, and frees their room in the queue', async () => {
  const { queue, batches } = heldQueue({ maxWaiting: 2, maxWaitMs: 20 });
  const first = queue.append([event(1)]);
  await nextTurn();
  await expect(queue.append([event(2), event(3)])).rejects.toBeInstanceOf(EventLogAway);
  const next = queue.append([event(4), event(5)]);
  batches[0]!.done();
  await first;
  await nextTurn();
  expect(batches.map(({ ids }) => ids)).toEqual([[1], [4, 5]]);
  batches[1]!.done();
  await next;
  await queue.stop();
});
