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
});

/** A queue whose batches wait until they are let go. */
function heldQueue(limits: { mostWaiting?: number; longestWaitMs?: number } = {}) {
  const batches: { ids: number[]; done: () => void; fail: (error: Error) => void }[] = [];
  const queue = createEventQueue({
    send: async (events) =>
      await new Promise<void>((resolve, reject) => {
        batches.push({ ids: events.map(({ adId }) => adId), done: resolve, fail: reject });
      }),
    mostPerBatch: 3,
    batchesInFlight: 1,
    mostWaiting: 1000,
    longestWaitMs: 60_000,
    ...limits,
  });
  return { queue, batches };
}

/** Time for a turn of the loop: what is sent at all has been sent then. */
const nextTurn = async () => await pause(30);

// Proves GEN-19
it('what arrives while a batch is on its way goes out together, in order, at most so many', async () => {
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
it('who was just answered is waited for, so that one who came late does not go alone', async () => {
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

  // Nobody comes again: it goes all the same.
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
it('a batch that fails is refused to those whose events it held, and to nobody else', async () => {
  const { queue, batches } = heldQueue();
  const lost = queue.append([event(1)]);
  // Looked at when it has happened; until then nobody must call it unhandled.
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
it('only so many events wait, and their number falls again', async () => {
  const { queue, batches } = heldQueue({ mostWaiting: 2 });
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
it('none waits longer for its batch than it may, and its place is free again', async () => {
  const { queue, batches } = heldQueue({ mostWaiting: 2, longestWaitMs: 20 });
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
