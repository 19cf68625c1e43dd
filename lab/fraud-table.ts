/** Prints the result of the fraud exercise. */
import { decimalOf } from '../domain/money.ts';
import type { Result } from '../server/testing/fraud/day.ts';

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;

export function printTable(results: readonly Result[]): void {
  console.table(
    results.map(({ player, reported, wayIn, after, signals, ceiling, orders, ...of }) => ({
      player: player.name,
      views: reported.views,
      'billed on the way in': percent(wayIn.views, reported.views),
      'after the job': percent(after.views, reported.views),
      clicks: reported.clicks,
      'clicks on the way in': percent(wayIn.clicks, reported.clicks),
      'clicks after the job': percent(after.clicks, reported.clicks),
      'billed views': `${after.views}${ceiling ? ` of ${ceiling.views}` : ''}`,
      'honest views lost': of.honestLost === null ? '–' : percent(of.honestLost, 1),
      'honest clicks lost': of.honestClicksLost === null ? '–' : percent(of.honestClicksLost, 1),
      'figures moved': of.figuresMoved === null ? '–' : percent(of.figuresMoved, 1),
      'earned by the day': of.earnedByDay === null ? '–' : decimalOf(of.earnedByDay),
      'orders counted': orders.sent === 0 ? '–' : `${orders.counted} of ${orders.sent}`,
      signals: signals.join(', '),
    })),
  );
}

/** The same as one line of JSON, for programs. `billed` is what is left after the hourly job. */
export function printJson(results: readonly Result[]): void {
  const players = results.map(({ player: { name, kind }, reported, after, orders, ...of }) => ({
    name,
    kind,
    views: { made: reported.views, billed: after.views },
    clicks: { made: reported.clicks, billed: after.clicks },
    honestLost: of.honestLost,
    honestClicksLost: of.honestClicksLost,
    figuresMoved: of.figuresMoved,
    earnedByDay: of.earnedByDay,
    orders,
  }));
  console.log(JSON.stringify({ players }));
}
