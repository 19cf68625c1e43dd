/**
 * Random histories of money. `npm run histories -- STEPS SEED` plays more steps, and repeats a run. A failure names the seed,
 * the history and the step. fast-check doesn't look for a shorter history, because each attempt takes many seconds.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Histories, history, type Step } from '../testing/histories.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const STEPS = Number(process.env.HISTORY_STEPS ?? 1000);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);
const STEPS_EACH = 250;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ start: new Date('2026-03-02T09:00:00Z') });
});
afterAll(() => server.close());

// Proves LEDG-09
it(
  'the books hold after every step of random histories, and agree with the provider at their ends',
  async () => {
    const histories = await Histories.begin(server);
    const numRuns = Math.ceil(STEPS / STEPS_EACH);
    let played = 0;
    const property = fc.asyncProperty(history(STEPS_EACH), async (steps: readonly Step[]) => {
      await histories.play(steps);
      played += steps.length;
    });
    await fc.assert(property, { numRuns, seed: SEED, endOnFailure: true });
    console.log(`${numRuns} histories, ${played} steps, seed ${SEED}`);
    expect(played).toBeGreaterThanOrEqual(STEPS);
  },
  60 * 60_000,
);
