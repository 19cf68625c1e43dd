import { countDays } from '#domain/analytics/days.ts';
import type { listZoneYields, ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { yieldsOf } from '#domain/analytics/yields.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { inSnapshot } from '#server/platform/database/database.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { ownRange, unpostedOf } from '../over-time.ts';
import { sumByGroup } from '../store-range.ts';
import { type CoursePoint, selectYields, type ZonePosition } from './store.ts';

const DEFAULT_LIMIT = 100;
const MAX_PARTS = 30;
/** More zones than an account can have (server/market/inventory/quotas.test.ts), deleted ones aside. */
const ALL_ZONES = 20_000;

/** All ad zones of the publisher with their figures of the range, by website. */
export async function zoneYields(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listZoneYields>,
): Promise<Page<ZoneYield>> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  return await inSnapshot(ctx.db, async (tx) => {
    const range = await ownRange(ctx, who, { ...query, side: 'seller' }, tx);
    const unposted = await unpostedOf(ctx, tx, range);
    const sums = await sumByGroup(tx, range, 'zone', { after: null, limit: ALL_ZONES, unposted });
    const earned = new Map(sums.map((row) => [row.id, row]));
    const parts = Math.min(MAX_PARTS, countDays(range));
    const rows = await selectYields(tx, range, {
      earning: [...earned.keys()],
      after,
      limit: limit + 1,
      parts,
    });
    const { items, next } = pageBy(rows, limit, ({ websiteId, id }) => encodeKeys([websiteId, id]));
    return {
      items: items.map(
        ({ id, publicId, name, websitePublicId, websiteName, before, course, ...requested }) => ({
          publicId,
          name,
          websitePublicId,
          websiteName,
          ...yieldsOf({
            ...requested,
            impressions: Number(earned.get(id)?.impressions ?? 0),
            amountCents: Number(earned.get(id)?.amount ?? 0),
          }),
          before,
          course: wholeCourse(course, parts),
        }),
      ),
      next,
    };
  });
}

/** One entry for each part, also for those without a row. */
function wholeCourse(points: readonly CoursePoint[], parts: number): ZoneYield['course'] {
  const course = Array.from({ length: parts }, () => ({ requests: 0, filled: 0, views: 0 }));
  for (const { part, ...sums } of points) course[part] = sums;
  return course;
}

function readCursor(cursor: string): ZonePosition {
  const [websiteId, id] = decodeKeys(cursor, ['id', 'id']);
  return { websiteId, id };
}
