import { createHash } from 'node:crypto';
import type { Ad } from '#domain/ads/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { createPlan, PlacementFault } from '#domain/plans/contract.ts';
import { copyThumbnail } from '#server/ads/submit/own-media.ts';
import { adsOfPlans } from '#server/ads/read.ts';
import { lockZones, type Order, submitWithin } from '#server/ads/submit/submit.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { type Tx, inSavepoint } from '#server/platform/database/database.ts';
import { conflict, HttpError } from '#server/platform/http/errors.ts';
import { lockLiveAccount } from '#server/platform/http/limits/quotas.ts';
import { findPlanOfRequest, insertPlan, type PlanRow, deletePlans } from './store.ts';
import { totalOf } from './reply.ts';

type Body = Parsed<typeof createPlan>['body'];

/**
 * Submits the ads of a plan: all of them, or none. Each is submitted like a single ad, so every rule of a submission
 * applies. If the same request comes again, even at the same time, the answer is the plan that it made.
 */
export async function submitPlan(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof createPlan>,
): Promise<Reply<typeof createPlan>> {
  // Of one plan, twenty submissions at once are accepted. The quota of waiting ads limits what publishers have to read.
  await ctx.limits('submit-plan', { points: 60, seconds: 3600 })(String(personOf(who)));
  const bodyHash = hashOf(body);
  const known = await findPlanOfRequest(ctx.db, who.id, body.requestId);
  if (known) return answered(known, bodyHash, await adsOf(ctx.db, known));
  const orders = await ordersOf(ctx, who.id, body);
  return ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const { requestId, name } = body;
    const plan = await insertPlan(tx, { userId: who.id, requestId, bodyHash, name, createdAt: ctx.now() });
    if (plan === null) return await repeated(tx, who.id, requestId, bodyHash);
    await lockZones(tx, orders);
    const refused = await submitAll(ctx, tx, who.id, orders, plan.id);
    if (refused.length > 0) throw refusalOf(refused, orders.length);
    const ads = await adsOf(tx, plan);
    return { ...newPlanReply(plan, ads), isNew: true };
  });
}

const newPlanReply = ({ publicId, name }: PlanRow, ads: Ad[]) => ({
  publicId,
  name,
  total: totalOf(ads),
  ads,
});

async function adsOf(tx: Tx, { id, publicId }: PlanRow): Promise<Ad[]> {
  return (await adsOfPlans(tx, [id])).get(publicId) ?? [];
}

/** A concurrent request with this id was first. */
async function repeated(tx: Tx, userId: number, requestId: string, bodyHash: Buffer) {
  const plan = await findPlanOfRequest(tx, userId, requestId);
  if (!plan) throw new Error('A plan that was in the way of an insertion cannot be found');
  return answered(plan, bodyHash, await adsOf(tx, plan));
}

function answered(plan: PlanRow & { bodyHash: Buffer }, bodyHash: Buffer, ads: Ad[]) {
  if (!plan.bodyHash.equals(bodyHash))
    throw conflict('This request has already made another plan. Send a new requestId.');
  return { ...newPlanReply(plan, ads), isNew: false };
}

/** The order of the fields and unknown fields make no difference, because the contract has parsed the body. */
const hashOf = (body: Body): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

/** The ads of the plan as single orders. A thumbnail from another server is copied once. */
async function ordersOf(ctx: Context, userId: number, { creative, placements }: Body): Promise<Order[]> {
  const copies = new Map<string | null, Promise<string | null>>();
  const copyOf = (url: string | null): Promise<string | null> => {
    const copy = copies.get(url) ?? copyThumbnail(ctx, userId, creative.adType, url);
    copies.set(url, copy);
    return copy;
  };
  return await Promise.all(
    placements.map(async (placement) => ({
      ...creative,
      ...placement,
      imageUrl: await copyOf(placement.imageUrl ?? creative.imageUrl ?? null),
    })),
  );
}

type Refused = { fault: PlacementFault; status: number };

/** Submits every ad, also after a refusal, so that the advertiser learns of all faults at once. */
async function submitAll(
  ctx: Context,
  tx: Tx,
  userId: number,
  orders: readonly Order[],
  planId: number,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const [index, order] of orders.entries()) {
    try {
      await inSavepoint(tx, () => submitWithin(ctx, tx, userId, order, planId));
    } catch (error) {
      if (!(error instanceof HttpError) || (error.status !== 400 && error.status !== 409)) throw error;
      const { reason } = error.details ?? {};
      const fault = { index, message: error.message, reason: reason ?? null };
      refused.push({ fault, status: error.status });
    }
  }
  return refused;
}

/** 409 if each fault is a conflict, which the same plan may not meet later; otherwise 400. */
function refusalOf(refused: readonly Refused[], of: number): HttpError {
  const [first] = refused;
  const status = refused.every((each) => each.status === 409) ? 409 : 400;
  const message =
    of === 1 && first
      ? first.fault.message
      : `${refused.length} of ${of} ad zones can’t take this ad, so nothing was submitted. Change or remove them.`;
  return new HttpError(status, message, { details: { placements: refused.map(({ fault }) => fault) } });
}

/** Before an account is deleted. Ads that stay because they were paid for are single ads from then on. [OP-037] */
export async function forgetPlans(tx: Tx, userId: number): Promise<void> {
  await deletePlans(tx, userId);
}
