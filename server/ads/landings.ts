import type { getLandings, Landings, measureLandings } from '#domain/delivery/landings-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { findLandings, setMeasuresLandings } from './store-landings.ts';

/** The landings of one of the advertiser's own ads. The publisher sees the same figures in 'How this was counted'. */
export async function landings(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getLandings>,
): Promise<Landings> {
  return await view(ctx, ctx.db, who, params.ref);
}

/**
 * Turns the measuring on or off, in any state of the ad: the publisher approved the target address, and the token is only
 * added to it. All instances follow within two seconds. [EVID-01]
 */
export async function setMeasuring(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof measureLandings>,
): Promise<Landings> {
  return await ctx.db.transaction().execute(async (tx) => {
    await setMeasuresLandings(tx, { ref: params.ref, ownerId: who.id, enabled: body.enabled });
    return await view(ctx, tx, who, params.ref);
  });
}

async function view(ctx: Context, tx: Tx, who: Caller, ref: Reference): Promise<Landings> {
  const found = await findLandings(tx, ref, who.id);
  if (!found) throw notFound('Ad not found. Please reload the page.');
  return { ...found, host: ctx.config.deliveryUrl };
}
