import type { Parsed } from '#domain/endpoint.ts';
import type { AdZone, HouseAd, removeHouseAd, setHouseAd } from '#domain/inventory/contract.ts';
import type { Reference } from '#domain/fields.ts';
import type { Context, Who } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { lockOwnZone, writeZone } from './store.ts';
import { viewZone } from './view.ts';

/** The publisher's own ad, shown from now on where no paid one is: it needs no approval and costs nothing. */
export async function putHouseAd(
  ctx: Context,
  who: Who,
  { params, body }: Pick<Parsed<typeof setHouseAd>, 'params' | 'body'>,
): Promise<AdZone> {
  return await write(ctx, who, params.ref, body);
}

/** From now on the empty zone advertises itself again. Removing what is not there changes nothing. */
export async function dropHouseAd(
  ctx: Context,
  who: Who,
  { params }: Pick<Parsed<typeof removeHouseAd>, 'params'>,
): Promise<AdZone> {
  return await write(ctx, who, params.ref, null);
}

async function write(ctx: Context, who: Who, ref: Reference, ad: HouseAd | null): Promise<AdZone> {
  return await ctx.db.transaction().execute(async (tx) => {
    const zone = await lockOwnZone(tx, ref, who.id);
    if (!zone) throw notFound('Ad zone not found');
    const columns = {
      houseTitle: ad?.title ?? null,
      houseDescription: ad?.description ?? null,
      houseUrl: ad?.targetUrl ?? null,
    };
    return viewZone(await writeZone(tx, zone.id, columns, ctx.now()), ctx.config.deliveryUrl);
  });
}
