import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../http/errors.ts';
import {
  CLIP,
  clipOfFrames,
  clipOfIndex,
  clipOfSize,
  film,
  gif,
  jpegFromPhone,
  png,
  pngOfSize,
} from '../testing/pictures.ts';
import { checkFile } from './check.ts';

/** The status with which a file is refused, and the words. */
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
  it('MED-11 GEN-15 OP-087 takes PNG, and shows it under the hash of what is shown', async () => {
    const file = await checkFile(await png(40, 20));
    expect(file).toMatchObject({ contentType: 'image/png', width: 40, height: 20, durationMs: null });
    expect(file.rendition.name).toMatch(/^[0-9a-f]{64}\.png$/);
    expect(await checkFile(await png(40, 20))).toMatchObject({ rendition: { name: file.rendition.name } });
  });

  it('MED-11 GEN-15 OP-087 takes JPEG, and shows it upright and without a trace of camera and place', async () => {
    const original = await jpegFromPhone(40, 20);
    expect(original.includes('SecretCamera')).toBe(true);
    const file = await checkFile(original);
    expect(file).toMatchObject({ contentType: 'image/jpeg', width: 20, height: 40 });
    const { exif, icc, xmp, orientation, width, height } = await shown(file);
    expect({ exif, icc, xmp, orientation, width, height }).toEqual({ width: 20, height: 40 });
    expect(Buffer.from(file.rendition.bytes).includes('SecretCamera')).toBe(false);
  });

  it('MED-11 GEN-15 OP-087 takes GIF, and shows all frames of an animation', async () => {
    const file = await checkFile(await gif(10));
    expect(file).toMatchObject({ contentType: 'image/gif', width: 30, height: 10 });
    expect(await shown(file)).toMatchObject({ pages: 10, pageHeight: 10, width: 30 });
  });

  it('MED-12 CONST-17 VAL-34 OP-088 takes 10485760 bytes, and not one more', async () => {
    expect(await checkFile(await pngOfSize(10_485_760))).toMatchObject({ contentType: 'image/png' });
    expect(await refusal(await pngOfSize(10_485_761))).toMatchObject({ status: 413 });
  });

  it('OP-087 refuses more than 25 million pixels, also when they are spread over frames', async () => {
    expect(await checkFile(await png(5000, 5000))).toMatchObject({ width: 5000 });
    expect(await refusal(await png(5001, 5000))).toMatchObject({
      status: 413,
      message: expect.stringContaining('pixels'),
    });
    expect(await refusal(await gif(11, 1600, 1500))).toMatchObject({ status: 413 });
  });

  it('MED-09 MED-11 VAL-32 OP-087 refuses what is no JPEG, PNG, GIF or MP4, whatever it is called', async () => {
    const picture = sharp(await png());
    const strangers = {
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
    for (const [name, bytes] of Object.entries(strangers)) {
      const { status, message } = await refusal(bytes);
      expect({ name, status }).toEqual({ name, status: 415 });
      expect(message).toMatch(/Only JPEG, PNG and GIF images and MP4 videos/);
    }
    expect(await refusal(Buffer.alloc(0))).toMatchObject({ status: 400 });
  });

  it('MED-09 OP-087 refuses what only begins like an image, and what ends too soon', async () => {
    const whole = {
      png: await png(400, 400),
      jpeg: await jpegFromPhone(400, 400),
      gif: await gif(5, 100, 100),
    };
    const html = Buffer.from('<script>alert(1)</script>'.repeat(100));
    for (const [name, bytes] of Object.entries(whole)) {
      for (const length of [20, bytes.length / 2, bytes.length - 1]) {
        const cut = await refusal(bytes.subarray(0, length));
        const damaged = { status: 415, message: expect.stringContaining('damaged') };
        expect({ name, length, ...cut }).toMatchObject({ name, length, ...damaged });
      }
      const disguised = await refusal(Buffer.concat([bytes.subarray(0, 16), html]));
      expect({ name, ...disguised }).toMatchObject({ name, status: 415 });
    }
  });

  it('OP-087 what stands behind an image is not shown to anybody else’s visitors', async () => {
    const polyglot = Buffer.concat([await gif(2), Buffer.from('<script>alert(1)</script>')]);
    const file = await checkFile(polyglot);
    expect(Buffer.from(file.rendition.bytes).includes('script')).toBe(false);
  });
});

describe('videos', () => {
  it('GEN-16 takes an MP4 with H.264, and shows it as it is', async () => {
    const file = await checkFile(CLIP);
    expect(file).toMatchObject({ contentType: 'video/mp4', width: 320, height: 180, durationMs: 3000 });
    expect(file.rendition.name).toMatch(/^[0-9a-f]{64}\.mp4$/);
    expect(CLIP.equals(file.rendition.bytes)).toBe(true);
  });

  it('GEN-16 takes 2 to 30 seconds and 50 MB, and no more or less', async () => {
    expect(await checkFile(film('30-seconds'))).toMatchObject({ durationMs: 30_030 });
    expect(await refusal(film('31-seconds'))).toMatchObject({
      status: 413,
      message: expect.stringContaining('30 seconds'),
    });
    expect(await refusal(film('1-second'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('2 seconds'),
    });
    expect(await checkFile(clipOfSize(52_428_800))).toMatchObject({ contentType: 'video/mp4' });
    expect(await refusal(clipOfSize(52_428_801))).toMatchObject({ status: 413 });
  });

  it('GEN-16 refuses other codecs, sound alone, and files that are not whole', async () => {
    expect(await refusal(film('mpeg4'))).toMatchObject({
      status: 415,
      message: expect.stringContaining('H.264'),
    });
    expect(await refusal(film('sound-only'))).toMatchObject({
      status: 415,
      message: expect.stringContaining('no video'),
    });
    for (const length of [12, 100, 3000, CLIP.length - 1]) {
      expect(await refusal(CLIP.subarray(0, length))).toMatchObject({ status: 415 });
    }
    expect(await refusal(Buffer.concat([CLIP, Buffer.from('<script>')]))).toMatchObject({ status: 415 });
  });

  it('GEN-16 RUN-09 refuses a film of more frames than any camera takes, before it has looked at them all', async () => {
    expect(await checkFile(clipOfFrames(7200))).toMatchObject({ durationMs: 10_000 });
    expect(await refusal(clipOfFrames(7201))).toMatchObject({ status: 415 });
    // Looking at all of these would hold the server up for minutes.
    expect(await refusal(clipOfFrames(4_000_000))).toMatchObject({ status: 415 });
  });

  it('GEN-16 RUN-09 refuses a film whose index is larger than 30 seconds need', async () => {
    const most = 4 * 1024 * 1024;
    expect(await checkFile(clipOfIndex(most / 2))).toMatchObject({ durationMs: 3000 });
    expect(await refusal(clipOfIndex(most))).toMatchObject({ status: 415 });
  });

  it('GEN-16 refuses a film whose frames do not reach as far as its header says', async () => {
    // The box of frames is emptied and a box of nothing put in its place: all sizes still add up.
    const hollow = Buffer.from(CLIP);
    const at = hollow.indexOf('mdat', 0, 'latin1') - 4;
    const emptied = Buffer.concat([hollow.subarray(0, at), Buffer.from([0, 0, 0, 8]), Buffer.from('mdat')]);
    expect(await refusal(emptied)).toMatchObject({
      status: 415,
      message: expect.stringContaining('damaged'),
    });
  });
});
