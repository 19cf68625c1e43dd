import type { Context } from '#server/context.ts';
import { type AdRow, findVideos } from './store.ts';
import { type VastTemplate, vastTemplate } from './vast-document.ts';

/**
 * The VAST documents of those `ads` whose video was uploaded. A video that is hosted elsewhere has none, because VAST
 * needs its size and duration, and only uploads are measured. [DEL-57]
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
