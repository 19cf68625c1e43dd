/** A day with all players, and its figures. */
import type { App } from '../../app.ts';
import { withdrawInvalidTraffic } from '../../invalid-traffic/withdraw.ts';
import {
  billedOf,
  ceilingOf,
  type Clock,
  followPlayedTime,
  isHeld,
  playDay,
  setUp,
  withdrawnOf,
} from './play.ts';
import { type Player, PLAYERS } from './players.ts';

export type Figures = { views: number; clicks: number };
export type Result = {
  player: Player;
  /** The player's reports, their billed part before the hourly job, and their billed part after it. */
  reported: Figures;
  wayIn: Figures;
  after: Figures;
  withdrawn: Figures;
  /** The signals of the withdrawals. */
  signals: string[];
  /** Whether earnings were held as suspicious on this day. */
  isHeld: boolean;
  /** The new publisher's ceiling on this day, or null. */
  ceiling: Figures | null;
};

export async function fraudDay(
  app: App,
  clock: Clock,
  options: { seed: number; size: number; startMs: number; only?: string | undefined },
): Promise<Result[]> {
  const { only } = options;
  const players = PLAYERS.filter(
    ({ name }) => only === undefined || name.includes(only) || name.startsWith('an ordinary'),
  );
  clock.set(options.startMs);
  const stands = await setUp(app, players);
  followPlayedTime(app, clock);
  await playDay(app, clock, stands, {
    ...options,
    afterHour: async () => void (await withdrawInvalidTraffic(app.ctx)),
  });
  const results: Result[] = [];
  for (const stand of stands) {
    const after = await billedOf(app, stand);
    const { signals, ...withdrawn } = await withdrawnOf(app, stand);
    results.push({
      player: stand.player,
      reported: { views: stand.views, clicks: stand.clicks },
      wayIn: { views: after.views + withdrawn.views, clicks: after.clicks + withdrawn.clicks },
      after,
      withdrawn,
      signals,
      isHeld: await isHeld(app, stand),
      ceiling: await ceilingOf(app, stand),
    });
  }
  return results;
}
