/** `npm run simulate` prints what each ad of a zone gets over weeks, for the mixes of ads that the tests check. */
import { SCENARIOS, simulate } from '../server/testing/simulate.ts';

for (const scenario of Object.values(SCENARIOS)) {
  console.log(`\n${scenario.name}: ${scenario.viewsPerDay} views a day, ${scenario.days} days`);
  console.table(
    simulate(scenario).map(({ name, goal, shown, views, clicks, doneAfter, leastOfFloor }) => ({
      ad: name,
      goal: goal ?? '',
      views,
      clicks,
      'views a day': `${Math.min(...shown)} to ${Math.max(...shown)}`,
      'worst day ÷ floor': leastOfFloor?.toFixed(3) ?? '',
      'delivered after': doneAfter === null ? '' : `${doneAfter.toFixed(2)} days`,
    })),
  );
}
