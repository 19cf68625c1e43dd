/** Files that tests upload: valid ones, and ones that only look valid. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A file of `videos/`. These were made with `ffmpeg -f lavfi` and are as small as possible. */
export function video(
  name: 'clip' | '1-second' | '30-seconds' | '31-seconds' | 'mpeg4' | 'sound-only',
): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'videos', `${name}.mp4`));
}

/** 320x180, three seconds, H.264, about 8 kB. */
export const CLIP = video('clip');

function canvas(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
}

export function png(width = 40, height = 20): Promise<Buffer> {
  return canvas(width, height).png().toBuffer();
}

/** A JPEG with a location and a camera in its metadata, rotated by 90 degrees: upright it is `height` pixels wide. */
export function jpegFromPhone(width = 40, height = 20): Promise<Buffer> {
  return canvas(width, height)
    .withExif({ IFD0: { Make: 'SecretCamera', Orientation: '6' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** An animated GIF of at least two frames. */
export async function gif(frames: number, width = 30, height = 10): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, frame) =>
      sharp({
        create: { width, height, channels: 3, background: { r: (frame * 60) % 256, g: frame % 256, b: 9 } },
      })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pages, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A PNG of exactly this many bytes, padded with a chunk that decoders skip. */
export async function pngOfSize(bytes: number): Promise<Buffer> {
  const image = await png();
  const end = image.subarray(-12);
  const filling = Buffer.alloc(bytes - image.length - 12);
  const chunk = Buffer.concat([Buffer.from('zzZz'), filling]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(filling.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(chunk));
  return Buffer.concat([image.subarray(0, -12), length, chunk, check, end]);
}

/** An MP4 of exactly this many bytes, padded with an empty box at its end. */
export function clipOfSize(bytes: number): Buffer {
  const box = Buffer.alloc(bytes - CLIP.length);
  box.writeUInt32BE(box.length);
  box.write('free', 4, 'latin1');
  return Buffer.concat([CLIP, box]);
}

/** An MP4 of ten seconds whose tables declare this many frames of one byte each. */
export function clipOfFrames(frames: number): Buffer {
  const head = Buffer.from(CLIP);
  const write = (box: string, offset: number, value: number) =>
    head.writeUInt32BE(value, head.indexOf(box, 0, 'latin1') + offset);
  write('stsz', 8, 1);
  write('stsz', 12, frames);
  write('stts', 12, frames);
  write('stts', 16, 1);
  write('stsc', 16, frames);
  write('mdhd', 16, frames / 10);
  write('stco', 12, head.length + 8);
  for (const box of ['ctts', 'edts', 'stss']) {
    const at = head.indexOf(box, 0, 'latin1');
    if (at > 0) head.write('free', at, 'latin1');
  }
  const content = Buffer.alloc(8 + frames);
  content.writeUInt32BE(content.length);
  content.write('mdat', 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A valid MP4 whose index (`moov`, before the frames) is `bytes` larger because of an empty box. */
export function clipOfIndex(bytes: number): Buffer {
  const indexAt = CLIP.indexOf('moov', 0, 'latin1') - 4;
  const indexSize = CLIP.readUInt32BE(indexAt);
  const padding = Buffer.alloc(bytes);
  padding.writeUInt32BE(bytes);
  padding.write('free', 4, 'latin1');
  const index = Buffer.concat([CLIP.subarray(indexAt, indexAt + indexSize), padding]);
  index.writeUInt32BE(index.length);
  // The padding moves the frames, so add it to their offsets.
  const offsets = index.indexOf('stco', 0, 'latin1') + 8;
  for (let entry = 0; entry < index.readUInt32BE(offsets); entry++) {
    const at = offsets + 4 + 4 * entry;
    index.writeUInt32BE(index.readUInt32BE(at) + bytes, at);
  }
  return Buffer.concat([CLIP.subarray(0, indexAt), index, CLIP.subarray(indexAt + indexSize)]);
}

/** The clip, with 2^32 - 1 in the place of each entry's number of samples. A decoder that believes it never ends. */
export function clipOfEndlessTable(table: 'stts' | 'ctts' | 'stsc'): Buffer {
  const bytes = Buffer.from(CLIP);
  const at = bytes.indexOf(table, 0, 'latin1');
  const [size, offset] = table === 'stsc' ? [12, 4] : [8, 0];
  for (let entry = 0; entry < bytes.readUInt32BE(at + 8); entry++)
    bytes.writeUInt32BE(0xffff_ffff, at + 12 + size * entry + offset);
  return bytes;
}

/** The clip followed by an empty box with a text, by which server/testing/hostile-decoder.ts knows what to do. */
export function clipWithText(text: string): Buffer {
  const clip = clipOfSize(CLIP.length + 8 + text.length);
  clip.write(text, clip.length - text.length, 'latin1');
  return clip;
}

/** A logo as an editor saves it, and an icon. */
export const LOGO_SVG = `<?xml version="1.0"?>
<!-- made by an editor -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 240 60">
<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
<defs><linearGradient id="sun"><stop offset="0" stop-color="#f5b83d"/><stop offset="1" stop-color="#9b1d64"/></linearGradient></defs>
<style>.a{fill:url(#sun)}</style>
<title>Brot &amp; Rad</title>
<g inkscape:label="layer"><circle class="a" cx="30" cy="30" r="28"/><path d="M70 10h160v40H70z" fill="#9b1d64"/></g>
</svg>`;

export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#9b1d64"/></svg>';
