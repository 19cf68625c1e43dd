import type { Parsed } from '#domain/endpoint.ts';
import type { Choice, listChoices } from '#domain/plans/contract.ts';
import { closedRuns } from '#server/ads/booking/zone-calendar.ts';
import { usualAnswerHours } from '#server/ads/review-rules/answer-clock.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { partsWithin } from '#server/delivery/audience/read-audiences.ts';
import { figuresOfWebsites } from '#server/delivery/forecast/zone-figures.ts';
import { selectActiveProducts, selectOfferedZones } from './store.ts';
import { productReply, websiteReply, zoneReply } from './reply.ts';

/** The ad zones and options from which an advertiser builds a plan, in six queries, however long the shortlist is. */
export async function showChoices(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listChoices>,
): Promise<Choice[]> {
  const rows = await selectOfferedZones(ctx.db, query.refs, ctx.now());
  const websiteIds = [...new Set(rows.map(({ websiteId }) => websiteId))];
  const figures = await figuresOfWebsites(ctx.db, websiteIds);
  const hours = await usualAnswerHours(ctx.db, websiteIds);
  const zoneIds = rows.map(({ id }) => id);
  const products = Map.groupBy(await selectActiveProducts(ctx.db, zoneIds), ({ adZoneId }) => adZoneId);
  const closed = await closedRuns(ctx, who, zoneIds);
  const withinLimits = await partsWithin(ctx.db, query.targeting ?? null, zoneIds, ctx.now());
  return rows.flatMap(({ website, ...row }) => {
    const siblings = figures.get(website.id) ?? [];
    const own = siblings.find(({ zoneId }) => zoneId === row.id);
    if (!own) return [];
    return [
      {
        website: websiteReply(ctx.config, website, {
          figures: siblings,
          usualAnswerHours: hours.get(website.id) ?? null,
        }),
        zone: zoneReply(row, own, ctx.config),
        closed: (closed.get(row.id) ?? []).map(({ from, to }) => ({ from, to })),
        holdsDays: row.slots !== null,
        within: withinLimits(row.id)?.likely ?? null,
        // Without their outlooks, for which each ad zone would take two more queries.
        products: (products.get(row.id) ?? []).map(productReply),
      },
    ];
  });
}
