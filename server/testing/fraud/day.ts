/** A day with all players, and its figures. */
import { measuredOf } from '#domain/delivery/forecast-fields.ts';
import { DAY_MS } from '#domain/time.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import type { App } from '#server/app/app.ts';
import { figuresOfWebsites } from '#server/delivery/forecast/zone-figures.ts';
import { withdrawInvalidTraffic } from '#server/delivery/invalid-traffic/withdraw.ts';
import { measureAgain } from '../figures.ts';
import { earnedByDay } from './by-day.ts';
import {
  billedOf,
  ceilingOf,
  type Clock,
  daysOf,
  followPlayedTime,
  honestOf,
  isFlagged,
  playDay,
  setUp,
  type Stand,
  withdrawnOf,
} from './play.ts';
import { type NumberedPlayer, PLAYERS } from './players.ts';

export type Figures = { views: number; clicks: number };
export type Result = {
  player: NumberedPlayer;
  /** The reports to the player's publisher, their billed part before the hourly job, and their billed part after it. */
  reported: Figures;
  wayIn: Figures;
  after: Figures;
  withdrawn: Figures;
  /** The signals of the withdrawals. */
  signals: string[];
  /** The publisher's ceiling on this day, or null. */
  ceiling: Figures | null;
  /** The share of the honest views and clicks that the attack cost. Null without an attack. */
  honestLost: number | null;
  honestClicksLost: number | null;
  /**
   * By how much the attack moved the published figure that it moved most: a share in points, or the part of the views a day.
   * Infinite if it made or removed one. Null without an attack.
   */
  figuresMoved: number | null;
  /** The earnings of the ad by the day, in cents. Null without one. */
  earnedByDay: number | null;
  /** The conversions that the player reported, those that were counted, and whether the advertiser is warned. */
  orders: { sent: number; counted: number; flagged: boolean };
};

/** Whether a player is part of the market with which the others are compared. */
export const isMarket = ({ name }: NumberedPlayer): boolean => name.startsWith('an ordinary');

/** The player with this name, or else all whose name contains the text. */
export function playersNamed(text: string): NumberedPlayer[] {
  const exact = PLAYERS.filter(({ name }) => name === text);
  return exact.length > 0 ? exact : PLAYERS.filter(({ name }) => name.includes(text));
}

/** Plays the day that begins at `dayMs`. `players` do not play alone, because the rules compare them with the market. */
export async function fraudDay(
  app: App,
  clock: Clock,
  options: {
    seed: number;
    size: number;
    dayMs: number;
    players?: readonly NumberedPlayer[];
    sessionSecret: string;
  },
): Promise<Result[]> {
  const chosen = options.players ?? PLAYERS;
  const playing = PLAYERS.filter((player) => chosen.includes(player) || isMarket(player));
  clock.set(options.dayMs - (Math.max(...playing.map(daysOf)) - 1) * DAY_MS);
  const stands = await setUp(app, playing, options.dayMs);
  followPlayedTime(app, clock);
  await playDay(app, clock, stands, {
    ...options,
    afterHour: async () => {
      await withdrawInvalidTraffic(app.ctx);
      await extendForSilentDays(app.ctx, app.ctx.now());
    },
  });
  await measureAgain(app.ctx);
  const results: Result[] = [];
  for (const stand of stands) {
    if (stand.isTwin || !chosen.includes(stand.player)) continue;
    const after = await billedOf(app, stand);
    const { signals, ...withdrawn } = await withdrawnOf(app, stand);
    results.push({
      player: stand.player,
      reported: { views: stand.views, clicks: stand.clicks },
      wayIn: { views: after.views + withdrawn.views, clicks: after.clicks + withdrawn.clicks },
      after,
      withdrawn,
      signals,
      ceiling: await ceilingOf(app, stand),
      figuresMoved: await movedOf(app, stand, stands),
      earnedByDay: stand.player.byDay ? await earnedByDay(app, stand.zones[2]!.adId) : null,
      orders: { ...stand.orders, flagged: await isFlagged(app, stand) },
      ...(await lostOf(app, stand, stands, { secret: options.sessionSecret, dayMs: options.dayMs })),
    });
  }
  return results;
}

/** Compares the honest events that are left with those of the twin, which was not attacked. */
async function lostOf(
  app: App,
  stand: Stand,
  stands: readonly Stand[],
  when: { secret: string; dayMs: number },
): Promise<Pick<Result, 'honestLost' | 'honestClicksLost'>> {
  const twin = twinOf(stand, stands);
  if (!twin) return { honestLost: null, honestClicksLost: null };
  const [kept, whole] = [await honestOf(app, when, stand), await honestOf(app, when, twin)];
  const lost = (event: keyof Figures) => Math.max(0, 1 - kept[event] / Math.max(1, whole[event]));
  return { honestLost: lost('views'), honestClicksLost: whole.clicks === 0 ? null : lost('clicks') };
}

const twinOf = (stand: Stand, stands: readonly Stand[]): Stand | undefined =>
  stands.find(({ player, isTwin }) => isTwin && player === stand.player);

/** Compares what is published about the website with what is published about the twin. */
async function movedOf(app: App, stand: Stand, stands: readonly Stand[]): Promise<number | null> {
  const twin = twinOf(stand, stands);
  if (!twin) return null;
  const figures = await figuresOfWebsites(app.ctx.db, [stand.websiteId, twin.websiteId]);
  const publishedOf = ({ websiteId }: Stand) =>
    measuredOf((figures.get(websiteId) ?? []).flatMap(({ measured }) => measured ?? []));
  const [attacked, whole] = [publishedOf(stand), publishedOf(twin)];
  const moved = (share: 'viewability' | 'invalidShare') => {
    const [now, before] = [attacked?.[share] ?? null, whole?.[share] ?? null];
    if (now === null || before === null) return now === before ? 0 : Infinity;
    return Math.abs(now - before);
  };
  const views = Math.abs((attacked?.viewsPerDay ?? 0) / (whole?.viewsPerDay ?? 0) - 1);
  return Math.max(moved('viewability'), moved('invalidShare'), views);
}
