import type { Readable } from 'node:stream';
import { imagePathOf } from '#domain/media/limits.ts';
import type { Context } from '../context.ts';
import { keyOfUpload, renditionKey } from './keys.ts';
import { kindOfExtension } from './kinds.ts';
import { storedUploads } from './uploads.ts';

/** An answer over HTTP, whichever server gives it. */
export type FileAnswer = {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  /** Null where the answer has no body. */
  body: Readable | null;
};

/**
 * The file of `GET /m/{file}`; null where there is none. `range` is the request's Range header. The name is the
 * content's hash, so the answer never changes.
 */
export async function openRendition(
  ctx: Context,
  file: string,
  range: string | undefined,
): Promise<FileAnswer | null> {
  const extension = /^[0-9a-f]{64}\.([a-z0-9]{3})$/.exec(file)?.[1];
  const kind = extension === undefined ? undefined : kindOfExtension(extension);
  return kind ? openFile(ctx, renditionKey(file), kind.contentType, range) : null;
}

/** The file of `GET /ad-images/{name}`, byte for byte as it was uploaded; null where there is none. */
export async function openUploaded(
  ctx: Context,
  name: string,
  range: string | undefined,
): Promise<FileAnswer | null> {
  const path = imagePathOf(name);
  const upload = (await storedUploads(ctx.db, [path])).get(path);
  return upload ? openFile(ctx, keyOfUpload(upload), upload.contentType, range) : null;
}

/** Any file of the object store, as a public one that never changes. */
export async function openFile(
  ctx: Context,
  key: string,
  contentType: string,
  range: string | undefined,
): Promise<FileAnswer | null> {
  const size = await ctx.blobs.size(key);
  if (size === null) return null;
  const part = partOf(range, size);
  if (part === 'unsatisfiable') {
    return { status: 416, headers: { ...PUBLIC_FILE, 'content-range': `bytes */${size}` }, body: null };
  }
  const file = await ctx.blobs.read(key, part ?? undefined);
  if (!file) return null;
  const headers = {
    ...PUBLIC_FILE,
    'content-type': contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(part ? part.end - part.start + 1 : size),
  };
  if (!part) return { status: 200, headers, body: file.stream };
  const contentRange = `bytes ${part.start}-${part.end}/${size}`;
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body: file.stream };
}

/**
 * Strangers' bytes, shown on any site: never sniffed into another type, never a page that runs or loads anything
 * (OP-087, delivery 1.6).
 */
const PUBLIC_FILE: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
};

/**
 * One part, as RFC 9110 (14.1.2) writes it; null for the whole file, which is also the answer to several parts or
 * to a header that makes no sense.
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
