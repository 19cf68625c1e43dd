/** `npm run simulate`: what each ad of a zone gets over weeks, in the mixes that the tests hold to their limits. */
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
      'worst day / floor': leastOfFloor?.toFixed(3) ?? '',
      'delivered after': doneAfter === null ? '' : `${doneAfter.toFixed(2)} days`,
    })),
  );
}
