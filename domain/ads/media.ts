import { IMAGE_TYPES, VIDEO_TYPE } from '../media/limits.ts';
import type { AdType } from './types.ts';

/** What an ad shows beside its words. Each is one's own upload or an address elsewhere. */
export type AdMedia = { imageUrl: string | null; videoUrl: string | null };

/** Keeps what an ad of this type carries: text none, image its picture, video its video and thumbnail. */
export function mediaOf(adType: AdType, media: AdMedia): AdMedia {
  return {
    imageUrl: adType === 'text' ? null : media.imageUrl,
    videoUrl: adType === 'video' ? media.videoUrl : null,
  };
}

/** Whether a stored file may stand where an image, or a video, belongs. */
export function isImage(contentType: string): boolean {
  return (IMAGE_TYPES as readonly string[]).includes(contentType);
}

export function isVideo(contentType: string): boolean {
  return contentType === VIDEO_TYPE;
}
