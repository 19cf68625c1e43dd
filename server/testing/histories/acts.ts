/** The acts of a random history, and how often each of them happens. */
import fc from 'fast-check';
import { DEBT_OUTCOMES, type DebtOutcome } from '#domain/payments/debts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/time.ts';

const MODELS = ['per_day', 'per_impression', 'per_click'] as const;
/** Saved and charged, saved and declined at the charge, saved and challenged at the charge. */
export const SAVED_CARDS = ['4242424242424242', '4000000000000341', '4000002760003184'] as const;
const JOBS = [
  'charges',
  'days',
  'accrue',
  'accrueEarly',
  'endings',
  'refunds',
  'payouts',
  'payments',
  'settle',
] as const;
/** Outcomes of a payout that a statement can report. */
const SAYS = [
  'paid',
  'paid',
  'paid',
  'returned',
  'both',
  'doubled',
  'paid twice',
  'foreign',
  'another amount',
  'another currency',
] as const;
const COUNTRIES = ['DE', 'FR', 'NL'] as const;
const PLAYS = ['refund_fails', 'refund_pending'] as const;
const DISPUTES = [
  'dispute',
  'dispute',
  'inquiry',
  'dispute_won',
  'dispute_lost',
  'dispute_lost',
  'appeal',
] as const;

/** `ad` counts back from the ad that was sold last. */
export type Act =
  /** `cents` and `amount` are those of one unit. */
  | { act: 'sell'; model: (typeof MODELS)[number]; cents: number; amount: number; quantity: number }
  /** One card for several ads that wait. `spare`: what its limit is above the sum of their prices. */
  | { act: 'consent'; ads: number; cents: number; card: (typeof SAVED_CARDS)[number]; spare: number }
  /** The publisher approves the ad that has waited longest, and its card is charged. */
  | { act: 'approve' | 'removeCard' }
  | { act: 'wait'; ms: number }
  | { act: 'deliver'; ad: number; events: number }
  | { act: 'request' | 'pause' | 'resume' | 'overrule' }
  /** The advertiser pauses a campaign, for at most `hours` where that is not 0, or resumes it. */
  | { act: 'pauseAd'; ad: number; hours: number }
  | { act: 'resumeAd'; ad: number }
  | { act: 'job'; job: (typeof JOBS)[number] }
  | { act: 'cancel'; ad: number; waitMs: number }
  | { act: 'takeDown' | 'reportAgain'; ad: number }
  | { act: 'refund'; ad: number; percent: number }
  /** Somebody refunds in the provider's dashboard. */
  | { act: 'refundOutside'; ad: number; percent: number }
  | { act: 'play'; ad: number; play: (typeof PLAYS | typeof DISPUTES)[number] }
  | { act: 'withdraw'; hours: number }
  | { act: 'payOut' | 'bankFails' }
  | { act: 'documents'; areComplete: boolean }
  /** The publisher begins or ceases to charge tax. */
  | { act: 'chargeTax'; charges: boolean }
  /** The operator books that the publisher has paid what they owe, or gives it up. */
  | { act: 'endDebt'; outcome: DebtOutcome }
  /** The publisher saves an IBAN. This and the next three are refused, or do nothing, where payouts go through the provider. */
  | { act: 'saveIban'; country: (typeof COUNTRIES)[number] }
  | { act: 'bankFile' }
  /** `payout` counts back from the last one. */
  | { act: 'statement'; payout: number; says: (typeof SAYS)[number] }
  | { act: 'tick'; payout: number; did: 'paid' | 'returned' }
  /** The next charges of saved cards, refunds, transfers and reversals fail: before the provider has acted, after it, or by a refusal. */
  | { act: 'away'; how: 'before' | 'after' | 'refused'; calls: number };

export type ActOf<Name extends Act['act']> = Extract<Act, { act: Name }>;

const ad = fc.nat(2);
const is = <Name extends string>(name: Name) => fc.constant(name);

const act = fc.oneof<fc.WeightedArbitrary<Act>[]>(
  {
    weight: 3,
    arbitrary: fc.record({
      act: is('sell'),
      model: fc.constantFrom(...MODELS),
      cents: fc.integer({ min: 50, max: 1_000_000 }),
      amount: fc.integer({ min: 1, max: 12 }),
      quantity: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: is('consent'),
      ads: fc.integer({ min: 1, max: 3 }),
      cents: fc.integer({ min: 50, max: 300_000 }),
      card: fc.constantFrom(...SAVED_CARDS),
      spare: fc.nat(1000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('approve', 'approve', 'approve', 'removeCard') }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: is('wait'),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 90 * SECOND_MS }),
        fc.integer({ min: 1, max: 30 * HOUR_MS }),
        fc.integer({ min: 1, max: 20 * DAY_MS }),
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ act: is('deliver'), ad, events: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 4, arbitrary: fc.record({ act: is('request') }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('pause', 'resume', 'resume', 'overrule') }),
  },
  { weight: 2, arbitrary: fc.record({ act: is('pauseAd'), ad, hours: fc.constantFrom(0, 0, 12, 72) }) },
  { weight: 1, arbitrary: fc.record({ act: is('resumeAd'), ad }) },
  { weight: 7, arbitrary: fc.record({ act: is('job'), job: fc.constantFrom(...JOBS) }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: is('cancel'), ad, waitMs: fc.integer({ min: 0, max: 2 * MINUTE_MS }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('takeDown', 'reportAgain'), ad }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: is('refund'), ad, percent: fc.integer({ min: 1, max: 110 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: is('refundOutside'), ad, percent: fc.integer({ min: 1, max: 110 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: is('play'), ad, play: fc.constantFrom(...PLAYS) }) },
  { weight: 3, arbitrary: fc.record({ act: is('play'), ad, play: fc.constantFrom(...DISPUTES) }) },
  { weight: 2, arbitrary: fc.record({ act: is('payOut') }) },
  { weight: 1, arbitrary: fc.record({ act: is('bankFails') }) },
  { weight: 1, arbitrary: fc.record({ act: is('documents'), areComplete: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: is('chargeTax'), charges: fc.constantFrom(true, true, true, false) }),
  },
  { weight: 1, arbitrary: fc.record({ act: is('endDebt'), outcome: fc.constantFrom(...DEBT_OUTCOMES) }) },
  { weight: 1, arbitrary: fc.record({ act: is('saveIban'), country: fc.constantFrom(...COUNTRIES) }) },
  { weight: 2, arbitrary: fc.record({ act: is('bankFile') }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: is('statement'), payout: fc.nat(2), says: fc.constantFrom(...SAYS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: is('tick'), payout: fc.nat(2), did: fc.constantFrom('paid', 'returned') }),
  },
  { weight: 2, arbitrary: fc.record({ act: is('withdraw'), hours: fc.integer({ min: 1, max: 48 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: is('away'),
      how: fc.constantFrom('before', 'after', 'refused'),
      calls: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

/** One act, the same act twice at once as a duplicate, or two acts at once. */
export type Step = readonly Act[];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: act.map((each) => [each]) },
  { weight: 1, arbitrary: act.map((each) => [each, each]) },
  { weight: 1, arbitrary: fc.tuple(act, act) },
);

export const history = (steps: number) => fc.array(step, { minLength: steps, maxLength: steps, size: 'max' });
