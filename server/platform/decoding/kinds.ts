import { type IMAGE_TYPES, VIDEO_TYPE } from '#domain/media/limits.ts';

/** A type of file that can be uploaded. Only a file's first bytes decide its type. */
export type Kind = { contentType: (typeof IMAGE_TYPES)[number] | typeof VIDEO_TYPE; extension: string };

export const KINDS = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  mp4: { contentType: VIDEO_TYPE, extension: 'mp4' },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

/** The result of a decoder: size in pixels, and duration of a video in milliseconds. */
export type Decoded = { width: number; height: number; durationMs: number | null };

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns the type of a file by its first bytes, or null, so that untrusted bytes reach no other decoder. AVIF, HEIC
 * and QuickTime begin like MP4 but name another brand.
 */
export function kindOf(bytes: Buffer): KindName | null {
  if (bytes.subarray(0, 3).equals(JPEG)) return 'jpeg';
  if (bytes.subarray(0, 8).equals(PNG)) return 'png';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  return /^ftyp(?!avi|he|mif1|msf1|qt)/.test(bytes.toString('latin1', 4, 12)) ? 'mp4' : null;
}

export function kindOfExtension(extension: string): Kind | undefined {
  return Object.values(KINDS).find((kind) => kind.extension === extension);
}

/** A decoder's answer to a file that it does not accept. The message tells the person who sent the file what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 413 | 415;

  constructor(status: Refusal['status'], message: string) {
    super(message);
    this.status = status;
  }
}
