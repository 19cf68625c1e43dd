import { IMAGE_TYPES, VIDEO_TYPE } from '../media/limits.ts';
import { AD_KINDS, type AdType } from './types.ts';

/** The media of an ad: uploads of the advertiser. A thumbnail that could not be copied is an address elsewhere. */
export type AdMedia = { imageUrl: string | null; videoUrl: string | null };

/** Keeps the media of this ad type: none for text, the image for image, video and thumbnail for video. */
export function mediaOf(adType: AdType, media: AdMedia): AdMedia {
  const { image, plays } = AD_KINDS[adType];
  return { imageUrl: image && media.imageUrl, videoUrl: plays ? media.videoUrl : null };
}

export function isImage(contentType: string): boolean {
  return (IMAGE_TYPES as readonly string[]).includes(contentType);
}

export function isVideo(contentType: string): boolean {
  return contentType === VIDEO_TYPE;
}
