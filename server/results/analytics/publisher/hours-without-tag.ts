import type { getHoursWithoutTag } from '#domain/analytics/publisher-contract.ts';
import { silencesOf } from '#domain/analytics/tag-silence.ts';
import { hoursKeptSince } from '#domain/delivery/kept-hours.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { hourOf, later, MINUTE_MS } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { ownRange } from '../over-time.ts';
import { moneyReply } from '../reply.ts';
import { selectEmptyHours } from './store.ts';

const MAX_LISTED = 100;
/** The requests of an hour are all written this long after its end. */
const SETTLED_MS = 5 * MINUTE_MS;

/** Hours of the last 60 days in which own ad zones were silent, and what that cost at most. */
export async function hoursWithoutTag(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getHoursWithoutTag>,
): Promise<Reply<typeof getHoursWithoutTag>> {
  const range = await ownRange(ctx, who, { ...query, side: 'seller' });
  const end = new Date(hourOf(later(ctx.now(), -SETTLED_MS).getTime()));
  const kept = hoursKeptSince(ctx.now());
  const byZone = Map.groupBy(await selectEmptyHours(ctx.db, range, end, kept), ({ zoneId }) => zoneId);
  const silences = [...byZone.values()].flatMap((hours) => {
    const { zone, zoneName, websiteName } = hours[0] as (typeof hours)[number];
    return silencesOf(hours).map((silence) => ({ zone, zoneName, websiteName, ...silence }));
  });
  const sum = (of: (silence: (typeof silences)[number]) => number) =>
    silences.reduce((total, silence) => total + of(silence), 0);
  return {
    hours: sum(({ hours }) => hours),
    requests: sum(({ requests }) => requests),
    cost: moneyReply(sum(({ cents }) => cents)),
    silences: silences
      .toSorted((a, b) => b.from - a.from)
      .slice(0, MAX_LISTED)
      .map(({ from, until, cents, ...rest }) => ({
        ...rest,
        from: new Date(from).toISOString(),
        until: new Date(until).toISOString(),
        cost: moneyReply(cents),
      })),
  };
}
