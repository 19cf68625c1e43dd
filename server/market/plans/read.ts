import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type { getPlan, listPlans, Plan } from '#domain/plans/contract.ts';
import { adsOfPlans } from '#server/ads/read.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { inSnapshot } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { spendingOn } from './money.ts';
import { findOwnPlan, listPlansOf, type PlanRow } from './store.ts';
import { planReply } from './reply.ts';

/** Each plan holds up to 100 ads, so a page is short. */
const PAGE_SIZE = 20;

/** The user's own plans, newest first. */
export async function ownPlans(
  ctx: Context,
  who: Caller,
  { query }: Pick<Parsed<typeof listPlans>, 'query'>,
): Promise<Page<Plan>> {
  const limit = Math.min(query.limit ?? PAGE_SIZE, PAGE_SIZE);
  const before = decodeCursor(query.cursor);
  const rows = await listPlansOf(ctx.db, who.id, { before, limit: limit + 1 });
  const { items, next } = pageOf(rows, limit);
  return { items: await showAll(ctx, items), next };
}

/** One of the user's own plans. A plan of another user is answered like one that does not exist. */
export async function ownPlan(
  ctx: Context,
  who: Caller,
  { params }: Pick<Parsed<typeof getPlan>, 'params'>,
): Promise<Plan> {
  return (await showAll(ctx, [await requireOwnPlan(ctx, who, params.ref)]))[0] as Plan;
}

/** The id of one of the user's own plans. Throws 404 for any other. */
export async function idOfOwnPlan(ctx: Context, who: Caller, ref: Reference): Promise<number> {
  return (await requireOwnPlan(ctx, who, ref)).id;
}

async function requireOwnPlan(ctx: Context, who: Caller, ref: Reference): Promise<PlanRow> {
  const found = await findOwnPlan(ctx.db, ref, who.id);
  if (!found) throw notFound('Plan not found. Please reload the page.');
  return found;
}

async function showAll(ctx: Context, plans: readonly PlanRow[]): Promise<Plan[]> {
  if (plans.length === 0) return [];
  // One snapshot, so that a refund is not missing between the delivery and the rest.
  return await inSnapshot(ctx.db, async (tx) => {
    const ads = await adsOfPlans(
      tx,
      plans.map(({ id }) => id),
    );
    const adIds = [...ads.values()].flat().map(({ id }) => id);
    const money = await spendingOn(tx, adIds, ctx.now());
    return plans.map((plan) => planReply(plan, ads.get(plan.publicId) ?? [], money));
  });
}
