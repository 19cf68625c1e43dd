import { imagePathOf } from '#domain/media/limits.ts';
import type { Client } from './client.ts';
import { CLIP, png } from './pictures.ts';

/** Uploads an image or a video and returns the path by which an ad refers to it. */
export async function upload(client: Client, kind: 'image/png' | 'video/mp4' = 'image/png'): Promise<string> {
  const bytes = kind === 'image/png' ? await png() : CLIP;
  const { uploadURL } = (await client.post('/api/ad-images/upload')).body as { uploadURL: string };
  const answer = await client.put(uploadURL, new Uint8Array(bytes), { 'content-type': kind });
  if (answer.status >= 300) throw new Error(`Uploading answered ${answer.status}: ${answer.text}`);
  return imagePathOf(uploadURL);
}
