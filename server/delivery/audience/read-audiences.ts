import { type Audience, AUDIENCE_DAYS, type AudienceShare, shareWithin } from '#domain/delivery/audience.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { findVotes } from './store.ts';

/** The last day whose week is too old to count. */
export const lastForgottenDay = (now: Date): string => utcDay(later(now, -(AUDIENCE_DAYS + 7) * DAY_MS));

/** The audiences of these zones in the last weeks. */
export async function readAudiences(
  tx: Tx,
  zoneIds: readonly number[],
  now: Date,
): Promise<(zoneId: number) => Audience> {
  const zones = Map.groupBy(await findVotes(tx, zoneIds, lastForgottenDay(now)), ({ zoneId }) => zoneId);
  return (zoneId) => {
    const facts = Map.groupBy(zones.get(zoneId) ?? [], ({ fact }) => fact);
    return new Map(
      [...facts].map(([fact, votes]) => [fact, new Map(votes.map(({ value, n }) => [value, n]))]),
    );
  };
}

/** The part of each zone's views that is within the limits; null without any, and if it is not measured. */
export async function partsWithin(
  tx: Tx,
  limits: Targeting | null,
  zoneIds: readonly number[],
  now: Date,
): Promise<(zoneId: number) => AudienceShare | null> {
  if (limits === null) return () => null;
  const audiences = await readAudiences(tx, zoneIds, now);
  return (zoneId) => shareWithin(limits, audiences(zoneId), now.getTime());
}
