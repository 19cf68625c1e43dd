/**
 * Random histories of money. `npm run lab histories -- STEPS SEED` plays more steps, and repeats a run. A failure names the seed,
 * the history and the step. fast-check doesn't look for a shorter history, because each attempt takes many seconds.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { history, type Step } from '#server/testing/histories/acts.ts';
import { Changes } from '#server/testing/histories/invariants.ts';
import { openMarket } from '#server/testing/histories/market.ts';
import { Histories } from '#server/testing/histories/play.ts';
import { useStarted } from '#server/testing/starts/use-server.ts';

const STEPS = Number(process.env.HISTORY_STEPS ?? 250);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);
const STEPS_EACH = 250;

const market = useStarted(openMarket);

// Proves LEDG-09
it(
  'the books hold after every step of random histories, and agree with the provider at their ends',
  async () => {
    const books = new Histories(market, await Changes.watch(market.pool), SEED);
    const numRuns = Math.ceil(STEPS / STEPS_EACH);
    let played = 0;
    const property = fc.asyncProperty(history(STEPS_EACH), async (steps: readonly Step[]) => {
      await books.play(steps);
      played += steps.length;
    });
    // fast-check would print every step of the history.
    const {
      failed,
      numRuns: histories,
      errorInstance,
    } = await fc.check(property, { numRuns, seed: SEED, endOnFailure: true });
    if (failed) throw new Error(`Seed ${SEED}, history ${histories}`, { cause: errorInstance });
    console.log(`${numRuns} histories, ${played} steps, seed ${SEED}`);
    expect(played).toBeGreaterThanOrEqual(STEPS);
  },
  60 * 60_000,
);
