import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, pageQuery } from '../fields.ts';
import { IMAGE_PATH, MAX_VIDEO_BYTES } from './limits.ts';

/** `uploadURL` takes one PUT of the file; the image is then at `/ad-images/{last path segment}`. */
export const createUpload = endpoint({
  method: 'POST',
  path: '/api/ad-images/upload',
  summary: 'Create an address for one upload',
  reply: z.object({ uploadURL: z.string() }),
});

/** The answer to the PUT. */
export const uploadedFile = z.object({
  path: z.string(),
  contentType: z.string(),
  fileSize: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  /** Video only, in milliseconds. */
  durationMs: z.number().int().nullable(),
});
export type UploadedFile = z.output<typeof uploadedFile>;

export const mediaItem = z.object({
  id,
  imagePath: z.string(),
  /** Always equal to `imagePath`. [OP-090] */
  path: z.string(),
  filename: z.string(),
  fileSize: z.number().int(),
  uploadedAt: instant,
  /** How many of the user's own ads use it. */
  usageCount: z.number().int(),
});
export type MediaItem = z.output<typeof mediaItem>;

export const listMedia = endpoint({
  method: 'GET',
  path: '/api/media-library',
  summary: 'List your images, newest first',
  query: pageQuery,
  reply: z.array(mediaItem),
  paged: true,
});

export const saveMedia = endpoint({
  method: 'POST',
  path: '/api/media-library',
  summary: 'Save an uploaded image in the library. Saving it twice keeps one item',
  body: z.object({
    imagePath: z.string().regex(IMAGE_PATH, 'Upload the image first'),
    filename: z.string().trim().min(1).max(255),
    fileSize: z.number().int().min(0).max(MAX_VIDEO_BYTES),
  }),
  reply: mediaItem,
  status: 201,
});
