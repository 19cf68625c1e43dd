import { IMAGE_REQUIRED } from '#domain/ads/content.ts';
import { type AdMedia, isImage, isVideo, mediaOf } from '#domain/ads/media.ts';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { copyImage } from '#server/platform/media/copy-image.ts';
import { findOwnUpload } from '#server/platform/media/uploads.ts';

/**
 * Returns the media that an ad of this type keeps. An image and a video must be the advertiser's own uploads
 * [OP-055, OP-089]. Throws 400 for anything else. A thumbnail may be an address elsewhere, which nothing loads.
 */
export async function requireOwnMedia(
  tx: Tx,
  userId: number,
  adType: AdType,
  given: AdMedia,
): Promise<AdMedia> {
  const media = mediaOf(adType, given);
  const { image, plays } = AD_KINDS[adType];
  if (image === 'creative') {
    const isOwn = media.imageUrl !== null && (await isOwnFile(tx, userId, media.imageUrl, isImage));
    if (!isOwn) throw invalid(IMAGE_REQUIRED, 'imageUrl');
  }
  if (plays) {
    if (media.videoUrl !== null && !(await isOwnFile(tx, userId, media.videoUrl, isVideo))) {
      throw invalid('Please upload your video as an MP4 file', 'videoUrl');
    }
  }
  if (image === 'thumbnail') {
    if (isUpload(media.imageUrl) && !(await isOwnFile(tx, userId, media.imageUrl, isImage))) {
      throw invalid('Please upload your thumbnail as an image', 'imageUrl');
    }
  }
  return media;
}

/**
 * Copies the thumbnail of a video ad from another server, and returns the path of the copy. If it cannot be read, the ad
 * keeps the address, and shows no thumbnail. Other media are returned as they are. [CRE-18]
 */
export async function copyThumbnail(
  ctx: Context,
  userId: number,
  adType: AdType,
  imageUrl: string | null,
): Promise<string | null> {
  if (AD_KINDS[adType].image !== 'thumbnail' || imageUrl === null || isUpload(imageUrl)) return imageUrl;
  return (await copyImage(ctx, userId, imageUrl)) ?? imageUrl;
}

function isUpload(url: string | null): url is string {
  return url !== null && IMAGE_PATH.test(url);
}

async function isOwnFile(
  tx: Tx,
  userId: number,
  path: string,
  isKind: (contentType: string) => boolean,
): Promise<boolean> {
  const upload = await findOwnUpload(tx, userId, path);
  return upload !== null && isKind(upload.contentType);
}
