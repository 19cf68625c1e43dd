/** Where files stand in the object store. */
import { VIDEO_TYPE } from '#domain/media/limits.ts';

/** The bytes as they were uploaded. */
export const originalKey = (name: string) => `uploads/${name}`;
/** The bytes that are shown on other sites: '{sha256}.{ext}'. The same picture uploaded twice is kept once. */
export const renditionKey = (rendition: string) => `m/${rendition}`;

/** A person's picture: '{sha256}.webp'. */
export const avatarKey = (name: string) => `portraits/${name}`;

/** What `/ad-images/{name}` answers: always the very bytes that were uploaded. A video's rendition is just that. */
export function keyOfUpload(upload: { name: string; contentType: string; rendition: string }): string {
  return upload.contentType === VIDEO_TYPE ? renditionKey(upload.rendition) : originalKey(upload.name);
}
