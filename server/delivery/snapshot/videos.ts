import type { Context } from '#server/context.ts';
import { type AdRow, findVideos } from './store.ts';
import { type VastTemplate, vastTemplate } from './vast-document.ts';

/**
 * The VAST documents of those `ads` that have a video. [DEL-57]
 */
export async function readVideos(
  ctx: Context,
  ads: readonly AdRow[],
): Promise<ReadonlyMap<number, VastTemplate>> {
  const videos = ads.filter((ad) => ad.videoRendition !== null).map((ad) => ad.id);
  if (videos.length === 0) return new Map();
  const { publicUrl, deliveryUrl } = ctx.config;
  const rows = await findVideos(ctx.db, videos);
  return new Map(
    rows.map(({ adId, ...video }) => {
      const src = `${deliveryUrl}/m/${video.rendition}`;
      const why = `${publicUrl}/api/serve/why/${video.adPublicId}`;
      return [adId, vastTemplate({ ...video, src, why }, publicUrl)];
    }),
  );
}
