import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDecoders, type Decoders } from '../decoding/decoders.ts';
import { firstFrameOf } from '../decoding/gif.ts';
import { HttpError } from '../http/errors.ts';
import {
  CLIP,
  clipOfFrames,
  clipOfIndex,
  clipOfSize,
  video,
  gif,
  jpegFromPhone,
  png,
  pngOfSize,
} from '#server/testing/pictures.ts';
import { type CheckedFile, checkFile as check } from './check.ts';

let decoders: Decoders;
beforeAll(() => {
  decoders = createDecoders();
});
afterAll(async () => await decoders.close());

const checkFile = (bytes: Buffer): Promise<CheckedFile> => check(decoders, bytes);

/** The status and the message with which a file is refused. */
async function refusal(bytes: Buffer): Promise<{ status: number; message: string }> {
  const error = await checkFile(bytes).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HttpError)) throw new Error(`Not refused: ${String(error)}`);
  return { status: error.status, message: error.message };
}

const shown = (file: { rendition: { bytes: Uint8Array } }) =>
  sharp(file.rendition.bytes, { animated: true }).metadata();

describe('images', () => {
  // Proves MED-10, GEN-15, OP-087
  it('accepts PNG', async () => {
    const file = await checkFile(await png(40, 20));
    expect(file).toMatchObject({ contentType: 'image/png', width: 40, height: 20, durationMs: null });
    expect(file.rendition.extension).toBe('png');
  });

  // Proves MED-10, GEN-15, OP-087
  it('accepts JPEG, and makes an upright rendition without camera and location data', async () => {
    const original = await jpegFromPhone(40, 20);
    expect(original.includes('SecretCamera')).toBe(true);
    const file = await checkFile(original);
    expect(file).toMatchObject({ contentType: 'image/jpeg', width: 20, height: 40 });
    const { exif, icc, xmp, orientation, width, height } = await shown(file);
    expect({ exif, icc, xmp, orientation, width, height }).toEqual({ width: 20, height: 40 });
    expect(Buffer.from(file.rendition.bytes).includes('SecretCamera')).toBe(false);
  });

  // Proves MED-10, GEN-15, OP-087
  it('accepts GIF, and keeps all frames of an animation', async () => {
    const file = await checkFile(await gif(10));
    expect(file).toMatchObject({ contentType: 'image/gif', width: 30, height: 10 });
    expect(await shown(file)).toMatchObject({ pages: 10, pageHeight: 10, width: 30 });
  });

  it('refuses an animated PNG with 415, and says what to do', async () => {
    const control = Buffer.alloc(20);
    control.writeUInt32BE(8, 0);
    control.write('acTL', 4, 'latin1');
    control.writeUInt32BE(2, 8);
    control.writeUInt32BE(crc32(control.subarray(4, 16)), 16);
    const still = await png();
    // The chunk of the animation stands between the header and the image.
    const animated = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
    expect(await refusal(animated)).toEqual({
      status: 415,
      message:
        'Animated PNGs would lose their animation. Save this picture as an animated GIF, or as a still PNG.',
    });
  });

  it('has a first frame that is a whole picture, however the bytes of the animation arrive', async () => {
    const { rendition } = await checkFile(await gif(10, 300, 250));
    const first = await sharp(rendition.bytes, { page: 0 }).raw().toBuffer();
    for (const size of [1, 7, 100, 65_536]) {
      const chunks = Array.from({ length: Math.ceil(rendition.bytes.length / size) }, (_, index) =>
        rendition.bytes.subarray(index * size, (index + 1) * size),
      );
      const still = await buffer(firstFrameOf(Readable.from(chunks)));
      expect(still.length).toBeLessThan(rendition.bytes.length / 2);
      const { pages = 1, width, height } = await sharp(still, { animated: true }).metadata();
      expect({ pages, width, height }).toEqual({ pages: 1, width: 300, height: 250 });
      expect((await sharp(still).raw().toBuffer()).equals(first)).toBe(true);
      expect((await checkFile(still)).contentType).toBe('image/gif');
    }
  });

  // Proves MED-12, OP-088
  it('accepts at most 10485760 bytes', async () => {
    expect(await checkFile(await pngOfSize(10_485_760))).toMatchObject({ contentType: 'image/png' });
    expect(await refusal(await pngOfSize(10_485_761))).toMatchObject({ status: 413 });
  });

  // Proves OP-087
  it('refuses more than 25 million pixels, also over all frames together', async () => {
    expect(await checkFile(await png(5000, 5000))).toMatchObject({ width: 5000 });
    expect(await refusal(await png(5001, 5000))).toMatchObject({
      status: 413,
      message: expect.stringContaining('pixels'),
    });
    expect(await refusal(await gif(11, 1600, 1500))).toMatchObject({ status: 413 });
  });

  // Proves MED-09, MED-10, OP-087
  it('refuses files other than JPEG, PNG, GIF and MP4', async () => {
    const picture = sharp(await png());
    const otherFiles = {
      svg: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
      ),
      svgWithDeclaration: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      webp: await picture.webp().toBuffer(),
      avif: await picture.avif().toBuffer(),
      tiff: await picture.tiff().toBuffer(),
      html: Buffer.from('<!doctype html><script>alert(1)</script>'),
      pdf: Buffer.from('%PDF-1.7\n'),
      text: Buffer.from('only text'),
      zeros: Buffer.alloc(5000),
      oneByte: Buffer.from([0xff]),
    };
    for (const [name, bytes] of Object.entries(otherFiles)) {
      const { status, message } = await refusal(bytes);
      expect({ name, status }).toEqual({ name, status: 415 });
      expect(message).toBe('Choose a JPEG, PNG or GIF image or an MP4 video.');
    }
    expect(await refusal(Buffer.alloc(0))).toMatchObject({ status: 400 });
  });

  // Proves MED-09, OP-087
  it('refuses a truncated image, and a file that only begins like an image', async () => {
    const images = {
      png: await png(400, 400),
      jpeg: await jpegFromPhone(400, 400),
      gif: await gif(5, 100, 100),
    };
    const html = Buffer.from('<script>alert(1)</script>'.repeat(100));
    for (const [name, bytes] of Object.entries(images)) {
      for (const length of [20, bytes.length / 2, bytes.length - 1]) {
        const cut = await refusal(bytes.subarray(0, length));
        const damaged = { status: 415, message: expect.stringContaining('damaged') };
        expect({ name, length, ...cut }).toMatchObject({ name, length, ...damaged });
      }
      const disguised = await refusal(Buffer.concat([bytes.subarray(0, 16), html]));
      expect({ name, ...disguised }).toMatchObject({ name, status: 415 });
    }
  });

  // Proves OP-087
  it('leaves bytes after the end of an image out of the rendition', async () => {
    const polyglot = Buffer.concat([await gif(2), Buffer.from('<script>alert(1)</script>')]);
    const file = await checkFile(polyglot);
    expect(Buffer.from(file.rendition.bytes).includes('script')).toBe(false);
  });
});

describe('videos', () => {
  // Proves GEN-16
  it('accepts an MP4 with H.264, and keeps it unchanged', async () => {
    const file = await checkFile(CLIP);
    expect(file).toMatchObject({ contentType: 'video/mp4', width: 320, height: 180, durationMs: 3000 });
    expect(file.rendition.extension).toBe('mp4');
    expect(CLIP.equals(file.rendition.bytes)).toBe(true);
  });

  // Proves GEN-16
  it('accepts 2 to 30 seconds and at most 50 MB', async () => {
    expect(await checkFile(video('30-seconds'))).toMatchObject({ durationMs: 30_030 });
    expect(await refusal(video('31-seconds'))).toMatchObject({
      status: 413,
      message: expect.stringContaining('30 seconds'),
    });
    expect(await refusal(video('1-second'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('2 seconds'),
    });
    expect(await checkFile(clipOfSize(52_428_800))).toMatchObject({ contentType: 'video/mp4' });
    expect(await refusal(clipOfSize(52_428_801))).toMatchObject({ status: 413 });
  });

  // Proves GEN-16
  it('refuses other codecs, files with only sound, and truncated or extended files', async () => {
    expect(await refusal(video('mpeg4'))).toMatchObject({
      status: 415,
      message: expect.stringContaining('H.264'),
    });
    expect(await refusal(video('sound-only'))).toMatchObject({
      status: 415,
      message: expect.stringContaining('no video'),
    });
    for (const length of [12, 100, 3000, CLIP.length - 1]) {
      expect(await refusal(CLIP.subarray(0, length))).toMatchObject({ status: 415 });
    }
    expect(await refusal(Buffer.concat([CLIP, Buffer.from('<script>')]))).toMatchObject({ status: 415 });
  });

  // Proves GEN-16, RUN-09
  it('refuses a video with too many frames without reading them all', async () => {
    expect(await checkFile(clipOfFrames(7200))).toMatchObject({ durationMs: 10_000 });
    expect(await refusal(clipOfFrames(7201))).toMatchObject({ status: 415 });
    expect(await refusal(clipOfFrames(4_000_000))).toMatchObject({
      status: 413,
      message: expect.stringContaining('too many frames'),
    });
  });

  // Proves GEN-16, RUN-09
  it('refuses a video with an index larger than 30 seconds need', async () => {
    const maxIndex = 4 * 1024 * 1024;
    expect(await checkFile(clipOfIndex(maxIndex / 2))).toMatchObject({ durationMs: 3000 });
    expect(await refusal(clipOfIndex(maxIndex))).toMatchObject({ status: 415 });
  });

  // Proves GEN-16
  it('refuses a video whose frames end before the duration in its header', async () => {
    // An empty box replaces the box of frames, so that all box sizes still add up.
    const clip = Buffer.from(CLIP);
    const at = clip.indexOf('mdat', 0, 'latin1') - 4;
    const emptied = Buffer.concat([clip.subarray(0, at), Buffer.from([0, 0, 0, 8]), Buffer.from('mdat')]);
    expect(await refusal(emptied)).toMatchObject({
      status: 415,
      message: expect.stringContaining('damaged'),
    });
  });
});
