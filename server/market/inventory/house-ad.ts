import type { Parsed } from '#domain/endpoint.ts';
import type { AdZone, HouseAd, removeHouseAd, setHouseAd } from '#domain/inventory/contract.ts';
import type { Reference } from '#domain/fields.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { lockOwnZone, writeZone } from './store.ts';
import { writtenZoneReply } from './reply-zones.ts';

/** Sets the publisher's own ad, which the zone shows while it has no paid ad. It is free and needs no approval. */
export async function putHouseAd(
  ctx: Context,
  who: Caller,
  { params, body }: Pick<Parsed<typeof setHouseAd>, 'params' | 'body'>,
): Promise<AdZone> {
  return await write(ctx, who, params.ref, body);
}

/** Removes the publisher's own ad, if there is one. An empty zone then shows 'Advertise here' again. */
export async function dropHouseAd(
  ctx: Context,
  who: Caller,
  { params }: Pick<Parsed<typeof removeHouseAd>, 'params'>,
): Promise<AdZone> {
  return await write(ctx, who, params.ref, null);
}

async function write(ctx: Context, who: Caller, ref: Reference, ad: HouseAd | null): Promise<AdZone> {
  return await ctx.db.transaction().execute(async (tx) => {
    const zone = await lockOwnZone(tx, ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    const columns = {
      houseTitle: ad?.title ?? null,
      houseDescription: ad?.description ?? null,
      houseUrl: ad?.targetUrl ?? null,
    };
    return await writtenZoneReply(ctx, tx, await writeZone(tx, zone.id, columns, ctx.now()));
  });
}
