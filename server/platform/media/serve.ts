import { Readable } from 'node:stream';
import { imagePathOf } from '#domain/media/limits.ts';
import type { Context } from '../context.ts';
import { keyOfUpload, renditionKey } from './keys.ts';
import { firstFrameOf } from '../decoding/gif.ts';
import { KINDS, kindOfExtension } from '../decoding/kinds.ts';
import { storedUploads } from './uploads.ts';

/** An HTTP answer with a file, for Fastify and for the ad server alike. */
export type FileAnswer = {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  /** Null if the answer has no body. */
  body: Readable | null;
};

/**
 * Opens the file of `GET /m/{file}`. Returns null if it does not exist. `range` is the request's Range header. The name
 * contains the hash of the content, so the file never changes. `still` takes the first frame of an animation.
 */
export async function openRendition(
  ctx: Context,
  file: string,
  { range, still = false }: { range?: string | undefined; still?: boolean },
): Promise<FileAnswer | null> {
  const extension = /^[0-9a-f]{64}\.([a-z0-9]{3})$/.exec(file)?.[1];
  const kind = extension === undefined ? undefined : kindOfExtension(extension);
  if (!kind) return null;
  if (!still || extension !== KINDS.gif.extension)
    return openFile(ctx, renditionKey(file), kind.contentType, range);
  const whole = await openFile(ctx, renditionKey(file), kind.contentType, undefined);
  if (!whole?.body) return whole;
  // The length of the frame is known when it has been read.
  const { 'content-length': _, 'accept-ranges': __, ...headers } = whole.headers;
  const source = whole.body;
  const body = Readable.from(firstFrameOf(source));
  // Destroying a stream whose generator has not begun, as for HEAD, would leave the file open.
  source.on('error', (error) => body.destroy(error));
  body.on('close', () => source.destroy());
  return { ...whole, headers, body };
}

/** Opens the file of `GET /ad-images/{name}`, unchanged since its upload. Returns null if it does not exist. */
export async function openUploaded(
  ctx: Context,
  name: string,
  range: string | undefined,
): Promise<FileAnswer | null> {
  const path = imagePathOf(name);
  const upload = (await storedUploads(ctx.db, [path])).get(path);
  return upload ? openFile(ctx, keyOfUpload(upload), upload.contentType, range) : null;
}

/** Opens a file of the object store as a public file that never changes. Returns null if it does not exist. */
export async function openFile(
  ctx: Context,
  key: string,
  contentType: string,
  range: string | undefined,
): Promise<FileAnswer | null> {
  let part: ReturnType<typeof partOf> = null;
  if (range !== undefined) {
    const size = await ctx.blobs.size(key);
    if (size === null) return null;
    part = partOf(range, size);
    if (part === 'unsatisfiable')
      return { status: 416, headers: { ...PUBLIC_FILE, 'content-range': `bytes */${size}` }, body: null };
  }
  const file = await ctx.blobs.read(key, part ?? undefined);
  if (!file) return null;
  const { size } = file;
  const headers = {
    ...PUBLIC_FILE,
    'content-type': contentType,
    // The name under which browsers save the file, such as image.jpeg. It is never the one that a user gave.
    'content-disposition': `inline; filename="${contentType.replace('/', '.')}"`,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(part ? part.end - part.start + 1 : size),
  };
  if (!part) return { status: 200, headers, body: file.stream };
  const contentRange = `bytes ${part.start}-${part.end}/${size}`;
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body: file.stream };
}

/**
 * Headers for files of untrusted users that are shown on any site. Browsers must not guess another type, and must not
 * run or load anything when the file is opened as a page. [OP-087, DEL-16]
 */
const PUBLIC_FILE: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
};

/**
 * Returns the byte range that a Range header requests (RFC 9110, 14.1.2), with an inclusive end. Returns null for the
 * whole file, which is also the answer to several ranges or an invalid header.
 */
export function partOf(
  range: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  return start < size && start <= end ? { start, end } : 'unsatisfiable';
}
