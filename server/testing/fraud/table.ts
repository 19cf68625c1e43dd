/** Prints the result of the fraud exercise. */
import type { Result } from './day.ts';

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;

export function printTable(results: readonly Result[]): void {
  console.table(
    results.map(({ player, reported, wayIn, after, signals, isHeld, ceiling }) => ({
      player: player.name,
      views: reported.views,
      'billed on the way in': percent(wayIn.views, reported.views),
      'after the job': percent(after.views, reported.views),
      clicks: reported.clicks,
      'clicks on the way in': percent(wayIn.clicks, reported.clicks),
      'clicks after the job': percent(after.clicks, reported.clicks),
      'billed views': `${after.views}${ceiling ? ` of ${ceiling.views}` : ''}`,
      held: isHeld,
      signals: signals.join(', '),
    })),
  );
}
