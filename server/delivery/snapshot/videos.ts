import { AD_KINDS } from '#domain/ads/types.ts';
import type { Context } from '#server/platform/context.ts';
import { type AdRow, findVideos } from './store.ts';
import { type VastTemplate, vastTemplate } from './vast-document.ts';

/** The VAST documents of the videos of `ads`, by the public id of their creative. */
export async function readVideos(
  ctx: Context,
  ads: readonly AdRow[],
): Promise<ReadonlyMap<string, VastTemplate>> {
  const videos = ads.filter((ad) => AD_KINDS[ad.adType].plays).map((ad) => ad.id);
  if (videos.length === 0) return new Map();
  const { publicUrl, deliveryUrl } = ctx.config;
  const rows = await findVideos(ctx.db, videos);
  return new Map(
    rows.map((video) => {
      const src = `${deliveryUrl}/m/${video.rendition}`;
      const why = `${publicUrl}/api/serve/why/${video.publicId}`;
      return [video.publicId, vastTemplate({ ...video, src, why }, publicUrl)];
    }),
  );
}
