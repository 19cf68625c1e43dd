import type { Parsed } from '#domain/endpoint.ts';
import type { listZoneSales, ZoneSales } from '#domain/inventory/my-zones-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { selectZoneSales, type ZoneSalesRow } from './store.ts';

const DEFAULT_LIMIT = 100;

/** The user's own ad zones with the paid ads that run in them. */
export async function zoneSales(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listZoneSales>,
): Promise<Page<ZoneSales>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const rows = await selectZoneSales(ctx.db, who.id, { after, limit: limit + 1 });
  const { items, next } = pageBy(rows, limit, ({ websiteId, id }) => encodeKeys([websiteId, id]));
  return { items: items.map(salesReply), next };
}

function readCursor(cursor: string) {
  const [websiteId, id] = decodeKeys(cursor, ['id', 'id']);
  return { websiteId, id };
}

function salesReply({ id, publicId, websitePublicId, running, ads }: ZoneSalesRow): ZoneSales {
  return {
    id,
    publicId,
    websitePublicId,
    running,
    ads: ads.map(({ endDate, ...ad }) => ({
      ...ad,
      endDate: endDate === null ? null : new Date(endDate).toISOString(),
    })),
  };
}
