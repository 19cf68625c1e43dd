import type { deletePageViews, storePageViews } from '#domain/analytics/two-counts-contract.ts';
import type { DayViews } from '#domain/analytics/page-views.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { addDays, utcDay } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { listPageViews, lockOwnSite, removePageViews, storedDays, writePageViews } from './store.ts';

/** Stores the page views of an own website, day by day. */
export async function putPageViews(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof storePageViews>,
): Promise<Reply<typeof storePageViews>> {
  // A day begins earlier in some time zones than in UTC.
  const last = addDays(utcDay(ctx.now()), 1);
  const future = body.days.find(({ date }) => date > last);
  if (future) throw invalid(`${future.date} is in the future. Send days that are over.`, 'days');
  return await ctx.db.transaction().execute(async (tx) => {
    const id = await lockOwn(tx, params.ref, who);
    await writePageViews(tx, id, body.days);
    return await storedDays(tx, id);
  });
}

/** Deletes the page views of an own website. */
export async function dropPageViews(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof deletePageViews>,
): Promise<Reply<typeof deletePageViews>> {
  await ctx.db
    .transaction()
    .execute(async (tx) => await removePageViews(tx, await lockOwn(tx, params.ref, who)));
  return { success: true };
}

/** The stored page views of a website that the caller has found to be the user's own. */
export async function ownPageViews(ctx: Context, { id }: { id: number }): Promise<DayViews[]> {
  return await listPageViews(ctx.db, id);
}

async function lockOwn(tx: Tx, ref: Reference, who: Caller): Promise<number> {
  const id = await lockOwnSite(tx, ref, who.id);
  if (id === undefined) throw notFound('Website not found. Please reload the page.');
  return id;
}
