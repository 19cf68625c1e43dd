import type { Context } from '#server/context.ts';
import { type AdRow, findFilms } from './store.ts';
import { type VastTemplate, vastTemplate } from './vast-document.ts';

/**
 * The documents for video players of the ads among `ads` whose film was uploaded. One that is hosted elsewhere
 * (design 6.3) is left out: a player is told size and duration before it plays, and nobody has measured those.
 */
export async function readFilms(
  ctx: Context,
  ads: readonly AdRow[],
): Promise<ReadonlyMap<number, VastTemplate>> {
  const videos = ads.filter((ad) => ad.videoRendition !== null).map((ad) => ad.id);
  if (videos.length === 0) return new Map();
  const { publicUrl, deliveryUrl } = ctx.config;
  const rows = await findFilms(ctx.db, videos);
  return new Map(
    rows.map(({ adId, ...film }) => {
      const src = `${deliveryUrl}/m/${film.rendition}`;
      const why = `${publicUrl}/api/serve/why/${film.adPublicId}`;
      return [adId, vastTemplate({ ...film, src, why }, publicUrl)];
    }),
  );
}
