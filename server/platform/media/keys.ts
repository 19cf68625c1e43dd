/** Keys of files in the object store. */
import { VIDEO_TYPE } from '#domain/media/limits.ts';

/** The file as it was uploaded. */
export const originalKey = (name: string) => `uploads/${name}`;
/** The file that is shown on other sites, named '{sha256}.{ext}'. Each upload has its own. */
export const renditionKey = (rendition: string) => `m/${rendition}`;

/** A profile picture, named '{sha256}.webp'. */
export const avatarKey = (name: string) => `avatars/${name}`;
/** A website's picture, named '{sha256}.webp'. */
export const sitePictureKey = (name: string) => `sites/${name}`;

/** The file that `/ad-images/{name}` serves: the upload, unchanged. The rendition of a video is the upload itself. */
export function keyOfUpload(upload: { name: string; contentType: string; rendition: string }): string {
  return upload.contentType === VIDEO_TYPE ? renditionKey(upload.rendition) : originalKey(upload.name);
}
