import sharp from 'sharp';
import { imagePathOf } from '#domain/media/limits.ts';
import type { Client } from './client.ts';
import { CLIP, png } from './pictures.ts';

/** Uploads an image of the tests' ad zones, or a video, and returns the path by which an ad refers to it. */
export async function upload(
  client: Client,
  kind: 'image/png' | 'video/mp4' = 'image/png',
  [width, height]: [number, number] = [300, 250],
): Promise<string> {
  const bytes = kind === 'image/png' ? await png(width, height) : CLIP;
  return await uploadBytes(client, bytes, kind);
}

/** Uploads a picture of one color, keeps it in the media library, and returns the path by which an ad refers to it. */
export async function uploadToLibrary(client: Client, color: string): Promise<string> {
  const picture = await sharp({ create: { width: 300, height: 250, channels: 3, background: color } })
    .png()
    .toBuffer();
  const imagePath = await uploadBytes(client, picture, 'image/png');
  await client.post('/api/media-library', { imagePath, filename: 'picture.png', fileSize: picture.length });
  return imagePath;
}

export async function uploadBytes(client: Client, bytes: Uint8Array, type: string): Promise<string> {
  const { uploadURL } = (await client.post('/api/ad-images/upload')).body as { uploadURL: string };
  const answer = await client.put(uploadURL, new Uint8Array(bytes), { 'content-type': type });
  if (answer.status >= 300) throw new Error(`Uploading answered ${answer.status}: ${answer.text}`);
  return imagePathOf(uploadURL);
}
