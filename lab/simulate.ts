/**
 * `npm run lab simulate` prints the delivery of each ad of a zone over weeks, for the mixes of ads that the tests check,
 * and how well each basis forecasts the zones of a simulated market.
 */
import { coverageOf, simulateMarket, worstFactor } from '../server/testing/delivery/simulate-market.ts';
import { SCENARIOS, simulate } from '../server/testing/delivery/simulate.ts';

for (const scenario of Object.values(SCENARIOS)) {
  console.log(`\n${scenario.name}: ${scenario.viewsPerDay} views a day, ${scenario.days} days`);
  console.table(
    simulate(scenario).map(({ name, goal, shown, views, clicks, doneAfter, worstDayOfFloor }) => ({
      ad: name,
      goal: goal ?? '',
      views,
      clicks,
      'views a day': `${Math.min(...shown)} to ${Math.max(...shown)}`,
      'worst day ÷ floor': worstDayOfFloor?.toFixed(3) ?? '',
      'delivered after': doneAfter === null ? '' : `${doneAfter.toFixed(2)} days`,
    })),
  );
}

/** The seed of the tests. */
const SEED = 42;
console.log('\nforecasts of a simulated market, each zone as if it were new');
console.table(
  Object.entries(simulateMarket(SEED)).map(([basis, outcomes]) => ({
    basis,
    zones: outcomes.length,
    'off by at most a factor of': worstFactor(outcomes).toFixed(2),
    'days within the range': `${Math.round(100 * coverageOf(outcomes))}%`,
  })),
);
